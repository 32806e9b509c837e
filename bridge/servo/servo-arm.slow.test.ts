/**
 * Conformance of the servo arm in real time: emulated servos on a pseudo terminal, and the real
 * servos that the environment names. What is not available is skipped with the reason.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { armDriverCases } from '../arm-driver.cases.ts';
import { type ArmDriver, TICK_S } from '../arm-driver.ts';
import { EMULATED_CALIBRATION } from '../dynamixel/emulated-calibration.ts';
import { ServoEmulator } from '../dynamixel/emulator/servo-emulator.ts';
import { PROTOCOL_2 } from '../dynamixel/protocol-2.ts';
import { FAMILIES, familyOf } from '../servo-families.ts';
import { parseBusAddress } from '../transport/bus-address.ts';
import { delay, systemBusClock } from '../transport/bus-clock.ts';
import { servePtyPeer } from '../transport/pty-peer.ts';
import { createSerialTransport } from '../transport/serial-transport.ts';
import { Bus } from './bus/bus.ts';
import { createBus } from './bus/create-bus.ts';
import { parseCalibration } from './calibration/calibration-file.ts';
import { armOn, driverOf } from './servo-arm.cases.ts';

/** Encoder steps are 1.5 mrad; a moving servo trails its goal by some 25 ms, and settles late. */
const tolerances = { tracking_rad: 0.05, holding_rad: 0.008 };
const realTime = { ...tolerances, afterTick: () => delay(systemBusClock, TICK_S * 1000) };
const clock = systemBusClock;

function works(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** Reason why no pseudo terminal with a serial port driver is available; null when it is. */
function missingTerminal(): string | null {
  const { resolve } = createRequire(import.meta.url);
  if (!works(() => execFileSync('socat', ['-V'], { stdio: 'ignore' }))) {
    return 'socat is not installed';
  }
  return works(() => resolve('serialport')) ? null : 'serialport is not installed';
}

const reason = missingTerminal();
if (reason === null) {
  let count = 0;
  const create = async (): Promise<ArmDriver> => {
    const path = join(tmpdir(), `armtwin-pty-${process.pid}-${count++}`);
    const peer = await servePtyPeer(
      new ServoEmulator({ clock, supported: true, gap_limit_ms: 100 }),
      path,
    );
    const bus = new Bus(createSerialTransport({ path, baud: 1_000_000 }), clock, {
      format: PROTOCOL_2,
    });
    const arm = armOn(bus, clock);
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
    ? parseCalibration(readFileSync(file, 'utf8'), FAMILIES)
    : { ok: true as const, value: EMULATED_CALIBRATION };
  if (!address.ok) throw new Error(address.error);
  if (!calibration.ok) throw new Error(JSON.stringify(calibration.error));
  if (address.value.kind === 'memory')
    throw new Error('ARMTWIN_BUS=memory is not hardware: name a tcp or serial bus');
  const family = familyOf(calibration.value.family);
  const bus = createBus(family, address.value, clock);
  return driverOf(family, bus, { clock, calibration: calibration.value });
}

const bus = process.env['ARMTWIN_BUS'];
if (bus) armDriverCases(`the servos at ${bus}`, () => realArm(bus), realTime);
else it.skip('real servos (ARMTWIN_BUS is not set)', () => {});
