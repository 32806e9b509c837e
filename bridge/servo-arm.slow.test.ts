/**
 * A bus of servos keeps what the port promises in real time: emulated ones on a pseudo terminal,
 * and those that the environment names. What is not there is told as skipped, with the reason.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { armDriverCases } from './arm-driver.cases.ts';
import { type ArmDriver, TICK_S } from './arm-driver.ts';
import { Bus } from './bus/bus.ts';
import { ServoEmulator } from './emulator/servo-emulator.ts';
import { EMULATED_CALIBRATION, parseCalibration } from './servo/calibration.ts';
import { ServoArm } from './servo-arm.ts';
import { createTransport, parseBusAddress } from './transport/address.ts';
import { pause, systemBusClock } from './transport/bus-clock.ts';
import { servePtyPeer } from './transport/pty-peer.ts';
import { createSerialTransport } from './transport/serial.ts';

/** Encoder steps are 1.5 mrad; a moving servo trails its goal by some 25 ms. */
const tolerances = { tracking_rad: 0.04, holding_rad: 0.004 };
const realTime = { ...tolerances, turn: () => pause(systemBusClock, TICK_S * 1000) };
const clock = systemBusClock;

function works(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** Why there can be no pseudo terminal with a serial port's driver on it; null when there can. */
function noTerminal(): string | null {
  const { resolve } = createRequire(import.meta.url);
  if (!works(() => execFileSync('socat', ['-V'], { stdio: 'ignore' }))) {
    return 'socat is not installed';
  }
  return works(() => resolve('serialport')) ? null : 'serialport is not installed';
}

const reason = noTerminal();
if (reason === null) {
  let count = 0;
  const create = async (): Promise<ArmDriver> => {
    const path = join(tmpdir(), `armtwin-pty-${process.pid}-${count++}`);
    const peer = await servePtyPeer(
      new ServoEmulator({ clock, supported: true, attended_ms: 100 }),
      path,
    );
    const bus = new Bus(createSerialTransport({ path, baud: 1_000_000 }), clock);
    const arm = new ServoArm({ bus, clock, calibration: EMULATED_CALIBRATION });
    const stop = arm.stop.bind(arm);
    arm.stop = async () => {
      await stop();
      await peer.close();
    };
    return arm;
  };
  armDriverCases('emulated servos on a pseudo terminal', create, realTime);
} else it.skip(`emulated servos on a pseudo terminal (${reason})`, () => {});

/** The arm that ARMTWIN_BUS and ARMTWIN_CALIBRATION name; it moves by up to 0.4 rad. */
function realArm(name: string): ArmDriver {
  const address = parseBusAddress(name);
  const file = process.env['ARMTWIN_CALIBRATION'];
  const calibration = file
    ? parseCalibration(readFileSync(file, 'utf8'))
    : { ok: true as const, value: EMULATED_CALIBRATION };
  if (!address.ok) throw new Error(address.error);
  if (!calibration.ok) throw new Error(JSON.stringify(calibration.error));
  if (address.value.kind === 'memory') throw new Error('memory is no hardware');
  const bus = new Bus(createTransport(address.value), clock);
  return new ServoArm({ bus, clock, calibration: calibration.value });
}

const bus = process.env['ARMTWIN_BUS'];
if (bus) armDriverCases(`the servos at ${bus}`, () => realArm(bus), realTime);
else it.skip('real servos (ARMTWIN_BUS names none)', () => {});
