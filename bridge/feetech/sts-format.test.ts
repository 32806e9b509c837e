/** The packets of STS servos: the vendor's published examples, round trips, and damaged streams. */

import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { Bus } from '../servo/bus/bus.ts';
import type { Status } from '../servo/bus/packet.ts';
import { createMemoryTransport } from '../transport/memory-transport.ts';
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import { StsFrames, stsBytes } from './emulator/framing.ts';
import { StsEmulator } from './emulator/servo-emulator.ts';
import { stsSyncRead, stsSyncWrite } from './instructions.ts';
import { STS_REGISTER, stsData, stsValue } from './registers.ts';
import { readSts, scanSts, writeSts } from './servo-requests.ts';
import { STS_FORMAT } from './sts-format.ts';

/** Examples of the vendor's memory table, version 3.6: id, instruction, parameters, bytes. */
const PUBLISHED: readonly (readonly [number, number, readonly number[], string])[] = [
  [254, 3, [0x37, 0], 'ff ff fe 04 03 37 00 c3'],
  [1, 3, [0x05, 2], 'ff ff 01 04 03 05 02 f0'],
  [1, 3, [0x13, 32], 'ff ff 01 04 03 13 20 c4'],
  [2, 3, [0x2a, 0xe8, 3, 0, 0, 0, 0], 'ff ff 02 09 03 2a e8 03 00 00 00 00 dc'],
  [1, 3, [0x29, 50, 0xe8, 3, 0, 0, 0xe8, 3], 'ff ff 01 0a 03 29 32 e8 03 00 00 e8 03 c0'],
  [1, 2, [0x38, 2], 'ff ff 01 04 02 38 02 be'],
];

function hex(bytes: ArrayLike<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

function encoded(id: number, instruction: number, params: readonly number[]): Uint8Array {
  const out = new Uint8Array(260);
  return out.slice(0, STS_FORMAT.encode({ id, instruction, params: Uint8Array.from(params) }, out));
}

function emulated() {
  const clock = new SteppedBusClock();
  const emulator = new StsEmulator({ clock });
  const bus = new Bus(createMemoryTransport(emulator), clock, { format: STS_FORMAT });
  return { clock, emulator, bus };
}

describe('packets of STS servos', () => {
  it.each(PUBLISHED)('servo %i, instruction %i: as published', (...example) => {
    const [id, instruction, params, bytes] = example;
    expect(hex(encoded(id, instruction, params))).toBe(bytes);
    expect(hex(stsBytes(id, instruction, params))).toBe(bytes);
    expect(new StsFrames().take(encoded(id, instruction, params))).toEqual([
      { id, code: instruction, payload: params },
    ]);
  });

  it('refuses a packet that is too long', () => {
    expect(encoded(1, 3, new Array(245).fill(0))).toHaveLength(0);
  });

  it('finds each status in a stream with noise, cut anywhere', () => {
    const random = createPrng(5);
    for (let round = 0; round < 200; round++) {
      const sent: string[] = [];
      const stream: number[] = [];
      for (let i = 0; i < 5; i++) {
        const noise = Array.from({ length: Math.floor(3 * random()) }, () =>
          Math.floor(255 * random()),
        );
        const data = Array.from({ length: Math.floor(20 * random()) }, () =>
          Math.floor(256 * random()),
        );
        const id = Math.floor(254 * random());
        sent.push(hex([id, 0, ...data]));
        stream.push(...noise, ...stsBytes(id, 0, data));
      }
      const found: string[] = [];
      const take = ({ id, params }: Status) => found.push(hex([id, ...params]));
      const reader = STS_FORMAT.createReader(take);
      for (let at = 0; at < stream.length; ) {
        const size = 1 + Math.floor(9 * random());
        reader.push(Uint8Array.from(stream.slice(at, at + size)));
        at += size;
      }
      // Noise may look like the head of a packet, whose length then waits for more bytes.
      reader.push(new Uint8Array(260));
      expect(found).toEqual(expect.arrayContaining(sent));
    }
  });

  it('rejects a status with any one bit changed', () => {
    const bytes = stsBytes(3, 0, [0x12, 0x08]);
    for (let bit = 8 * 2; bit < 8 * bytes.length; bit++) {
      const damaged = Uint8Array.from(bytes);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      const reader = STS_FORMAT.createReader(() => expect.unreachable());
      reader.push(damaged);
    }
  });

  it.each([
    ['homing_offset', -100, [0x64, 0x08]],
    ['present_load', -104, [0x68, 0x04]],
    ['present_speed', -3400, [0x48, 0x8d]],
    ['goal_position', 2048, [0x00, 0x08]],
    ['torque', 1, [1]],
  ] as const)('%s = %i is %j', (name, value, data) => {
    const register = STS_REGISTER[name];
    expect(stsData(register, value)).toEqual(data);
    expect(stsValue(data, register.address, register)).toBe(value);
  });
});

describe('requests to emulated STS servos', () => {
  it('scan, read and write', async () => {
    const { clock, emulator, bus } = emulated();
    await bus.open();
    expect(await clock.until(scanSts(bus))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await clock.until(readSts(bus, 1, 'model'))).toBe(777);
    expect(await clock.until(writeSts(bus, 2, ['homing_offset', -20]))).toBe(true);
    expect(emulator.servo(2).memory.get('offset')).toBe(-20);
    expect(await clock.until(readSts(bus, 2, 'present_position'))).toBe(2068);
    expect(await clock.until(readSts(bus, 9, 'model'))).toBeNull();
  });

  it('write and read many at once; a missing one breaks the chain', async () => {
    const { clock, emulator, bus } = emulated();
    await bus.open();
    const goal = STS_REGISTER.goal_position;
    const ids = [1, 2, 3, 4, 5, 6];
    bus.send(
      stsSyncWrite(
        goal,
        ids.map((id) => ({ id, data: stsData(goal, 2000 + id) })),
      ),
    );
    const read = () => bus.request({ packet: stsSyncRead(ids, goal), ids, length: 2 });
    const goals = (await clock.until(read())).map(({ data }) => stsValue(data, 42, goal));
    expect(goals).toEqual([2001, 2002, 2003, 2004, 2005, 2006]);
    emulator.servo(3).dead = true;
    expect(await clock.until(read())).toHaveLength(2);
    emulator.chainBreaks = false;
    expect(await clock.until(read())).toHaveLength(5);
  });
});
