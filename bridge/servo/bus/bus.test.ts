/** The bus: one transaction at a time, replies in order, computed timeouts. */

import { describe, expect, it } from 'vitest';
import { ServoEmulator } from '../../dynamixel/emulator/servo-emulator.ts';
import * as request from '../../dynamixel/instructions.ts';
import { PROTOCOL_2 } from '../../dynamixel/protocol-2.ts';
import { REGISTER } from '../../dynamixel/registers.ts';
import {
  pingServo,
  readRegister,
  scanServos,
  writeRegister,
} from '../../dynamixel/servo-requests.ts';
import { createMemoryTransport } from '../../transport/memory-transport.ts';
import { SteppedBusClock } from '../../transport/stepped-clock.cases.ts';
import { WireFaults } from '../emulator/wire-faults.ts';
import { Bus, type BusSettings } from './bus.ts';

async function opened(settings: Partial<BusSettings> = {}) {
  const clock = new SteppedBusClock();
  const emulator = new ServoEmulator({ clock });
  const faults = new WireFaults(emulator, clock);
  const bus = new Bus(createMemoryTransport(faults), clock, { format: PROTOCOL_2, ...settings });
  await bus.open();
  return { bus, clock, emulator, faults };
}

const POSITIONS = REGISTER.present_position;
const ids = [1, 2, 3, 4, 5, 6];
const sync = { packet: request.syncRead(ids, POSITIONS), ids, length: 4 };
const fast = { packet: request.fastSyncRead(ids, POSITIONS), ids, length: 4, fast: true };

describe('the bus', () => {
  it('sends requests and returns replies', async () => {
    const { bus, clock } = await opened();
    expect(await pingServo(bus, 4)).toEqual({ id: 4, model: 1020, firmware: 47 });
    expect(await readRegister(bus, 2, 'present_position')).toBe(2048);
    expect(await writeRegister(bus, 2, ['operating_mode', 2])).toBe(4);
    expect((await clock.until(scanServos(bus))).map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['in sequence', sync],
    ['by fast read', fast],
  ])('reads all servos %s', async (_, transaction) => {
    const { bus } = await opened();
    const replies = await bus.request(transaction);
    expect(replies.map(({ id, error, data }) => [id, error, data.length])).toEqual(
      ids.map((id) => [id, 0, 4]),
    );
  });

  it('runs one transaction at a time and queues the others', async () => {
    const { bus, clock, faults } = await opened();
    faults.delay_ms = 5;
    const first = bus.request(sync);
    const second = bus.request({ packet: request.ping(3), ids: [3], length: 3 });
    expect(bus.tryStart(sync, () => {})).toBe(false);
    expect(bus.counts.transactions).toBe(1);
    expect(await clock.until(first)).toHaveLength(6);
    expect(await clock.until(second)).toHaveLength(1);
    expect(bus.idle).toBe(true);
  });

  it('computes timeouts from wire time, latencies and margin', async () => {
    const { bus } = await opened({
      baud: 57_600,
      return_delay_us: 500,
      latency_ms: 2,
      slack_ms: 7,
    });
    // 20 bytes out, 6 x 15 back, ten bits each.
    const wire_ms = ((20 + 90) * 10_000) / 57_600;
    expect(bus.timeout_ms(sync)).toBeCloseTo(wire_ms + 3 + 4 + 7, 9);
    expect(bus.timeout_ms(fast)).toBeCloseTo(((20 + 56) * 10_000) / 57_600 + 14, 9);
  });

  it('sends prepended packets in the same write, and extends the timeout', async () => {
    const clock = new SteppedBusClock();
    const line = createMemoryTransport(new ServoEmulator({ clock }));
    const pieces: number[] = [];
    const write = (bytes: Uint8Array) => pieces.push(bytes.length) > 0 && line.write(bytes);
    const bus = new Bus({ ...line, write }, clock, { format: PROTOCOL_2 });
    await bus.open();
    const prepended = [
      request.write(3, REGISTER.profile_velocity.address, Uint8Array.of(7, 0, 0, 0)),
    ];
    const transaction = { packet: request.ping(3), ids: [3], length: 3 };
    const more_ms = bus.timeout_ms({ ...transaction, prepended }) - bus.timeout_ms(transaction);
    expect(more_ms).toBeCloseTo((16 * 10_000) / 1_000_000, 9);
    expect(bus.tryStart({ ...transaction, prepended }, () => {})).toBe(true);
    expect(pieces).toEqual([16 + 10]);
    expect(await clock.until(readRegister(bus, 3, 'profile_velocity'))).toBe(7);
  });

  it('returns partial replies on timeout', async () => {
    const { bus, clock, emulator } = await opened();
    emulator.servo(3).dead = true;
    const replies = await clock.until(bus.request(sync));
    expect(replies.map(({ id }) => id)).toEqual([1, 2]);
    emulator.chainBreaks = false;
    const others = await clock.until(bus.request(sync));
    expect(others.map(({ id }) => id)).toEqual([1, 2, 4, 5, 6]);
    expect(await clock.until(bus.request(fast))).toEqual([]);
    expect(bus.counts.timeouts).toBe(3);
  });

  it('drops a corrupt reply and counts it', async () => {
    const { bus, clock, faults } = await opened();
    faults.corrupt = 1;
    expect(await clock.until(bus.request(fast))).toEqual([]);
    expect(bus.readerCounts.checksum_errors).toBeGreaterThan(0);
    expect(await bus.request(fast)).toHaveLength(6);
  });

  it('reads through noise', async () => {
    const { bus, faults } = await opened();
    faults.garbage = [0xff, 0xff, 0xfd, 0x00, 0x12];
    expect(await bus.request(sync)).toHaveLength(6);
    expect(bus.readerCounts.dropped_bytes).toBeGreaterThan(0);
  });

  it('drops a reply after its timeout', async () => {
    const { bus, clock, faults } = await opened();
    faults.delay_ms = 40;
    expect(
      await clock.until(bus.request({ packet: request.ping(1), ids: [1], length: 3 })),
    ).toEqual([]);
    const second = bus.request({ packet: request.ping(2), ids: [2], length: 3 });
    expect(await clock.until(second)).toEqual([]);
    clock.advance(100);
    expect(bus.counts.unexpected).toBe(2);
  });

  it.each([
    [true, 6],
    [false, 0],
  ])('rechecks when its timer fires late (replies in the socket: %s)', async (there, count) => {
    const stepped = new SteppedBusClock();
    let late_ms = 0;
    const clock = {
      now_ms: () => stepped.now_ms() + late_ms,
      after: (delay_ms: number, callback: () => void) => stepped.after(delay_ms, callback),
    };
    const faults = new WireFaults(new ServoEmulator({ clock: stepped }), stepped);
    const bus = new Bus(createMemoryTransport(faults), clock, { format: PROTOCOL_2 });
    await bus.open();
    faults.hold();
    const replies = bus.request(sync);
    // The process resumes: its timer fires first, then the socket is read.
    late_ms = 50;
    stepped.advance(bus.timeout_ms(sync));
    expect(bus.idle).toBe(false);
    if (there) faults.release();
    stepped.advance(20);
    expect(await replies).toHaveLength(count);
    expect(bus.counts.timeouts).toBe(there ? 0 : 1);
  });

  it('ignores repeated replies', async () => {
    const { bus, faults } = await opened();
    faults.duplicate = true;
    expect(await bus.request(sync)).toHaveLength(6);
    expect((await bus.request(sync)).map(({ id }) => id)).toEqual(ids);
    expect(bus.counts.unexpected).toBeGreaterThanOrEqual(6);
  });

  it('retries a single request', async () => {
    const { bus, clock, faults } = await opened();
    faults.drop = 2;
    expect(await clock.until(pingServo(bus, 1))).not.toBeNull();
    faults.drop = 3;
    expect(await clock.until(pingServo(bus, 1))).toBeNull();
  });

  it('counts packets that a closed transport rejects', async () => {
    const { bus, clock } = await opened();
    await bus.close();
    expect(await clock.until(bus.request(sync))).toEqual([]);
    expect(bus.counts.unsent).toBe(1);
  });
});
