/** The reader accepts the valid packets of broken streams, and only those. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PACKET_MAX } from '../servo/bus/packet.ts';
import { ping, read } from './instructions.ts';
import { packetBytes } from './packet-encoding.ts';
import { PacketReader } from './packet-reader.ts';
import { checkMutatedStream, flippedPacket, randomPicker } from './packet-stream.cases.ts';

function idsIn(...chunks: readonly Uint8Array[]): { ids: number[]; reader: PacketReader } {
  const ids: number[] = [];
  const reader = new PacketReader((packet) => ids.push(packet.id));
  for (const chunk of chunks) reader.push(chunk);
  return { ids, reader };
}

const one = packetBytes(ping(1))!;
const two = packetBytes(read(2, { address: 132, length: 4 }))!;

describe('the packet reader', () => {
  it('reads packets byte by byte', () => {
    const all = [...one, ...two].map((byte) => Uint8Array.of(byte));
    expect(idsIn(...all).ids).toEqual([1, 2]);
  });

  it('finds a packet after noise and counts the dropped bytes', () => {
    const { ids, reader } = idsIn(Uint8Array.of(0x12, 0xff, 0xff, 0xfd, 0x07, ...two));
    expect(ids).toEqual([2]);
    expect(reader.counts.dropped_bytes).toBe(5);
  });

  it('finds a packet that begins inside another header', () => {
    expect(idsIn(Uint8Array.of(0xff, 0xff, ...one)).ids).toEqual([1]);
  });

  it('does not take stuffing for a header', () => {
    expect(idsIn(Uint8Array.of(0xff, 0xff, 0xfd, 0xfd, ...one)).ids).toEqual([1]);
  });

  it('rejects reserved ids and impossible lengths', () => {
    for (const [at, value] of [
      [4, 253],
      [4, 255],
      [5, 2],
      [6, 0x10],
    ] as const) {
      const broken = one.slice();
      broken[at] = value;
      expect(idsIn(broken, two).ids).toEqual([2]);
    }
  });

  it('waits for no more than the longest packet', () => {
    const long = one.slice();
    long[5] = 0xf0;
    long[6] = 0x03;
    const noise = new Uint8Array(PACKET_MAX);
    expect(idsIn(long, noise, two).ids).toEqual([2]);
  });

  it('discards a partial packet on request', () => {
    const { ids, reader } = idsIn(one.subarray(0, 6));
    reader.discardPartial();
    reader.push(two);
    expect(ids).toEqual([2]);
  });

  it('rejects every packet with up to three wrong bits', () => {
    fc.assert(
      fc.property(flippedPacket, (bytes) => {
        expect(idsIn(bytes).ids).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts only the packets of mutated streams', () => {
    const seed = 20260;
    const pick = randomPicker(seed);
    let accepted = 0;
    for (let i = 0; i < 1e4; i++) accepted += checkMutatedStream(pick);
    expect(accepted, `seed ${seed}`).toBeGreaterThan(1000);
  });
});
