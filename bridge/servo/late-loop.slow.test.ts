/**
 * A process whose control loop is always late, over a real socket: replies count however late they
 * are read, and a dead bus is still detected.
 */

import { setImmediate as socketsServed } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import { ServoEmulator } from '../dynamixel/emulator/servo-emulator.ts';
import { PROTOCOL_2 } from '../dynamixel/protocol-2.ts';
import { systemBusClock as clock, delay } from '../transport/bus-clock.ts';
import { serveTcpPeer } from '../transport/tcp-peer.ts';
import { createTcpTransport } from '../transport/tcp-transport.ts';
import { Bus } from './bus/bus.ts';
import { WireFaults } from './emulator/wire-faults.ts';
import { armOn } from './servo-arm.cases.ts';

function block(duration_ms: number): void {
  const end_ms = clock.now_ms() + duration_ms;
  while (clock.now_ms() < end_ms);
}

async function overTcp() {
  const faults = new WireFaults(new ServoEmulator({ clock, supported: true }), clock);
  const served = await serveTcpPeer(faults, 0);
  const bus = new Bus(createTcpTransport({ host: '127.0.0.1', port: served.port }), clock, {
    format: PROTOCOL_2,
  });
  const arm = armOn(bus, clock);
  await arm.start();
  /** Runs ticks in a process that blocks in each turn of its event loop. */
  const busyFor = async (turns: number, busy_ms: number) => {
    let feedback = arm.exchange(stationarySetpoint('hold'), TICK_S);
    for (let i = 0; i < turns && !feedback.fault; i++) {
      await delay(clock, 1);
      block(busy_ms);
      for (let k = 0; k < busy_ms / 4; k++)
        feedback = arm.exchange(stationarySetpoint('hold'), TICK_S);
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
  let fixture: Awaited<ReturnType<typeof overTcp>>;
  beforeEach(async () => {
    fixture = await overTcp();
  });
  afterEach(() => fixture.close());

  // Each is longer than the timeout of a request; the last is longer than the maximum sample age.
  it.each([35, 80, 180])('%i ms a turn: continues, and detects a dead bus', async (ms) => {
    expect((await fixture.busyFor(700 / ms, ms)).fault).toBeNull();
    fixture.faults.cut = true;
    expect((await fixture.busyFor(20, ms)).fault).toMatchObject({ joint: null });
  });
});
