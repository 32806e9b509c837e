/**
 * A process that comes late to everything, over a real socket: answers that are there count,
 * however late they are looked at; a bus that is silent is found silent all the same.
 */
import { setImmediate as socketsServed } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { still } from './arm-driver.cases.ts';
import { TICK_S } from './arm-driver.ts';
import { Bus } from './bus/bus.ts';
import { ServoEmulator } from './emulator/servo-emulator.ts';
import { WireFaults } from './emulator/wire-faults.ts';
import { EMULATED_CALIBRATION } from './servo/calibration.ts';
import { ServoArm } from './servo-arm.ts';
import { systemBusClock as clock, pause } from './transport/bus-clock.ts';
import { createTcpTransport } from './transport/tcp.ts';
import { serveTcpPeer } from './transport/tcp-peer.ts';

function block(duration_ms: number): void {
  const end_ms = clock.now_ms() + duration_ms;
  while (clock.now_ms() < end_ms);
}

async function overTcp() {
  const faults = new WireFaults(new ServoEmulator({ clock, supported: true }), clock);
  const served = await serveTcpPeer(faults, 0);
  const bus = new Bus(createTcpTransport({ host: '127.0.0.1', port: served.port }), clock);
  const arm = new ServoArm({ bus, clock, calibration: EMULATED_CALIBRATION });
  await arm.start();
  /** Ticks of a process that has other things to do in each turn of its loop. */
  const busyFor = async (turns: number, busy_ms: number) => {
    let feedback = arm.exchange(still('hold'), TICK_S);
    for (let i = 0; i < turns && !feedback.fault; i++) {
      await pause(clock, 1);
      block(busy_ms);
      for (let k = 0; k < busy_ms / 4; k++) feedback = arm.exchange(still('hold'), TICK_S);
      await socketsServed();
    }
    return feedback;
  };
  const close = async () => {
    await arm.stop();
    await served.close();
  };
  return { arm, bus, faults, busyFor, close };
}

describe('a loop that is always late', () => {
  let bench: Awaited<ReturnType<typeof overTcp>>;
  beforeEach(async () => {
    bench = await overTcp();
  });
  afterEach(() => bench.close());

  // Each of these is longer than a question may take, the last longer than samples may be old.
  it.each([35, 80, 180])('%i ms a turn: goes on, and finds a dead bus dead', async (ms) => {
    expect((await bench.busyFor(700 / ms, ms)).fault).toBeNull();
    bench.faults.cut = true;
    expect((await bench.busyFor(20, ms)).fault).toMatchObject({ joint: null });
  });
});
