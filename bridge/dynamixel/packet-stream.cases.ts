/**
 * Random packet streams with mutations, and what a reader may accept of them; shared by the quick
 * and the slow test of the reader.
 */

import fc from 'fast-check';
import { expect } from 'vitest';
import { createUint32Prng } from '../../physics/math/prng.ts';
import type { Packet } from '../servo/bus/packet.ts';
import { packetBytes } from './packet-encoding.ts';
import { PacketReader } from './packet-reader.ts';

/** A checksum bit by bit, without the table. */
function plainChecksum(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1;
    crc &= 0xffff;
  }
  return crc;
}

/** Draws integers below a limit, from a seed. */
export function randomPicker(seed: number): (below: number) => number {
  const next = createUint32Prng(seed);
  return (below) => next() % below;
}

const NASTY = [0xff, 0xff, 0xfd, 0x00, 0xfe, 0x55];

function randomPacket(pick: (below: number) => number): Packet {
  const length = pick(20);
  const params = Uint8Array.from({ length }, () =>
    pick(3) === 0 ? pick(256) : NASTY[pick(NASTY.length)]!,
  );
  return { id: 1 + pick(6), instruction: [1, 2, 3, 0x55, 0x83][pick(5)]!, params };
}

type Mutation = (bytes: number[], pick: (below: number) => number) => void;

const MUTATIONS: readonly Mutation[] = [
  (bytes, pick) => {
    bytes[pick(bytes.length)]! ^= 1 << pick(8);
  },
  (bytes, pick) => {
    bytes.splice(pick(bytes.length), 1 + pick(3));
  },
  (bytes, pick) => {
    bytes.splice(pick(bytes.length), 0, ...NASTY.slice(0, 1 + pick(NASTY.length)));
  },
  (bytes, pick) => {
    const from = pick(bytes.length);
    bytes.splice(from, 0, ...bytes.slice(from, from + pick(12)));
  },
  (bytes, pick) => {
    bytes[pick(bytes.length)] = pick(256);
  },
];

function hexOf(bytes: ArrayLike<number>): string {
  return Buffer.from(Array.from(bytes)).toString('hex');
}

/** Mutates one stream and compares the accepted packets with its bytes. */
export function checkMutatedStream(pick: (below: number) => number): number {
  const packets = Array.from({ length: 1 + pick(3) }, () => randomPacket(pick));
  const bytes = packets.flatMap((packet) => Array.from(packetBytes(packet)!));
  for (let count = 1 + pick(4); count > 0 && bytes.length > 0; count--) {
    MUTATIONS[pick(MUTATIONS.length)]!(bytes, pick);
  }
  const stream = hexOf(bytes);
  const found: Uint8Array[] = [];
  const reader = new PacketReader((packet) => found.push(packetBytes(packet)!));
  feed(reader, Uint8Array.from(bytes), pick);
  let from = 0;
  for (const raw of found) from = checkAccepted(raw, stream, from);
  checkRecovery(reader, found, randomPacket(pick));
  return found.length - 1;
}

/** Expects an accepted packet in the stream after the previous one, with a valid checksum. */
function checkAccepted(raw: Uint8Array, stream: string, from: number): number {
  const text = hexOf(raw);
  let at = stream.indexOf(text, from);
  while (at % 2 === 1) at = stream.indexOf(text, at + 1);
  if (at < 0) expect.unreachable(`accepted ${text} of ${stream}`);
  const end = raw.length - 2;
  const expected = raw[end]! | (raw[end + 1]! << 8);
  if (plainChecksum(raw.subarray(0, end)) !== expected) expect.unreachable(`${text} is corrupt`);
  return at + text.length;
}

function feed(reader: PacketReader, bytes: Uint8Array, pick: (below: number) => number): void {
  for (let at = 0; at < bytes.length; ) {
    const next = at + 1 + pick(bytes.length);
    reader.push(bytes.subarray(at, next));
    at = next;
  }
}

/** Expects that a valid packet is read after discardPartial. */
function checkRecovery(reader: PacketReader, found: Uint8Array[], sound: Packet): void {
  const before = found.length;
  const bytes = packetBytes(sound)!;
  reader.discardPartial();
  reader.push(bytes);
  if (found.length !== before + 1 || hexOf(found[before]!) !== hexOf(bytes)) {
    expect.unreachable(`${hexOf(bytes)} was not read after discardPartial`);
  }
}

/** A packet with one to three flipped bits; the checksum must detect every such error. */
export const flippedPacket = fc
  .tuple(
    fc.uint8Array({ maxLength: 60 }),
    fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 3, selector: (n) => n % 520 }),
  )
  .map(([params, places]) => {
    const packet = { id: 3, instruction: 0x55, params };
    const bytes = packetBytes(packet)!;
    const flips = new Set(places.map((place) => place % (8 * bytes.length)));
    for (const flip of flips) bytes[flip >> 3]! ^= 1 << (flip & 7);
    return bytes;
  });
