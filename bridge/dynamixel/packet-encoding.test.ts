/**
 * Encoding and decoding against the published example packets and the requests of the official SDK.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PACKET_MAX, type Packet } from '../servo/bus/packet.ts';
import { splitFastStatus } from './fast-status.ts';
import * as request from './instructions.ts';
import { INSTRUCTION } from './instructions.ts';
import { checksum, packetBytes } from './packet-encoding.ts';
import { PacketReader } from './packet-reader.ts';

function fixture<Type>(name: string): Type {
  const url = new URL(`../../fixtures/bus-captures/${name}`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Type;
}

interface Published {
  readonly vectors: readonly {
    readonly name: string;
    readonly hex: string;
    readonly crc_ok: boolean;
    readonly corrected?: string;
  }[];
}

const { vectors } = fixture<Published>('published-packets.json');
const { tx } = fixture<{ tx: { cmd: string; tx: string }[] }>('request-packets.json');

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Everything that a reader finds in bytes. */
function readAll(bytes: Uint8Array): Packet[] {
  const found: Packet[] = [];
  const reader = new PacketReader((packet) => {
    found.push({ ...packet, params: packet.params.slice() });
  });
  reader.push(bytes);
  return found;
}

/** The request of a line of the SDK log. */
function requestOf(line: string): Packet {
  const [name, ...words] = line.split(' ');
  const number = (i: number) => Number(words[i]);
  const data = (i: number) => bytesOf(words[i]!);
  const span = { address: number(0), length: number(1) };
  const wordAt = (bytes: Uint8Array, at: number) => bytes[at]! | (bytes[at + 1]! << 8);
  const spans = () => {
    const bytes = data(0);
    return Array.from({ length: bytes.length / 5 }, (_, i) => ({
      id: bytes[5 * i]!,
      address: wordAt(bytes, 5 * i + 1),
      length: wordAt(bytes, 5 * i + 3),
    }));
  };
  const makers: Record<string, () => Packet> = {
    ping: () => request.ping(number(0)),
    read: () => request.read(number(0), { address: number(1), length: number(2) }),
    write: () => request.write(number(0), number(1), data(2)),
    regwrite: () => request.regWrite(number(0), number(1), data(2)),
    action: () => request.action(number(0)),
    reboot: () => request.reboot(number(0)),
    clearmt: () => request.clearTurns(number(0)),
    factory: () => request.factoryReset(number(0), 'all_but_id'),
    syncread: () => request.syncRead(Array.from(data(2)), span),
    fastsyncread: () => request.fastSyncRead(Array.from(data(2)), span),
    syncwrite: () => {
      const [bytes, size] = [data(2), span.length + 1];
      const rows = Array.from({ length: bytes.length / size }, (_, i) => ({
        id: bytes[i * size]!,
        data: bytes.subarray(i * size + 1, (i + 1) * size),
      }));
      return request.syncWrite(span, rows);
    },
    bulkread: () => request.bulkRead(spans()),
    fastbulkread: () => request.fastBulkRead(spans()),
    bulkwrite: () => {
      const bytes = data(0);
      const rows = [];
      for (let at = 0; at < bytes.length; ) {
        const length = wordAt(bytes, at + 3);
        const from = at + 5;
        rows.push({
          id: bytes[at]!,
          address: wordAt(bytes, at + 1),
          data: bytes.subarray(from, from + length),
        });
        at = from + length;
      }
      return request.bulkWrite(rows);
    },
  };
  return makers[name!]!();
}

describe('the checksum', () => {
  it('has the published check value', () => {
    expect(checksum(new TextEncoder().encode('123456789'), 0, 9)).toBe(0xfee8);
  });
});

describe('requests', () => {
  it.each(tx)('$cmd is what the SDK sends', ({ cmd, tx: expected }) => {
    expect(hexOf(packetBytes(requestOf(cmd))!)).toBe(expected);
  });

  it('include the two missing in the SDK log', () => {
    expect(hexOf(packetBytes(request.backup(1, 'store'))!)).toMatch(/^fffffd000108002001435452/);
    expect(request.factoryReset(3, 'all').params).toEqual(Uint8Array.of(0xff));
  });

  it('are rejected when too long', () => {
    const long = { id: 1, instruction: INSTRUCTION.write, params: new Uint8Array(PACKET_MAX) };
    expect(packetBytes(long)).toBeNull();
    const stuffed = new Uint8Array(900).map((_, i) => [0xff, 0xff, 0xfd][i % 3]!);
    expect(packetBytes({ ...long, params: stuffed })).toBeNull();
  });
});

describe('published packets', () => {
  const whole = vectors.filter(({ hex }) => bytesOf(hex).length === sizeInHeader(hex));
  const fragments = vectors.filter((vector) => !whole.includes(vector));

  function sizeInHeader(hex: string): number {
    const bytes = bytesOf(hex);
    return bytes[5]! + bytes[6]! * 256 + 7;
  }

  it('are 31, of which five are fragments and one has a wrong checksum', () => {
    expect(vectors).toHaveLength(31);
    expect(fragments).toHaveLength(5);
    expect(vectors.filter(({ crc_ok }) => !crc_ok).map(({ name }) => name)).toEqual([
      'fast bulk read 3,7,4',
    ]);
  });

  it.each(whole)('$name is read and written back byte for byte', (vector) => {
    const right = vector.corrected ?? vector.hex;
    if (vector.corrected) expect(readAll(bytesOf(vector.hex))).toEqual([]);
    const [packet] = readAll(bytesOf(right));
    expect(hexOf(packetBytes(packet!)!)).toBe(right);
  });

  it.each(fragments)('$name ends in the running checksum', ({ hex }) => {
    const bytes = bytesOf(hex);
    const end = bytes.length - 2;
    expect(checksum(bytes, 0, end)).toBe(bytes[end]! | (bytes[end + 1]! << 8));
    expect(readAll(bytes)).toEqual([]);
  });

  it('of fast reads are split', () => {
    const reply = vectors.find(({ name }) => name === 'fast sync status ..4')!;
    const [packet] = readAll(bytesOf(reply.hex));
    const values = splitFastStatus(packet!.params, [4, 4, 4])!.map(({ id, error, data }) => [
      id,
      error,
      new DataView(data.buffer).getInt32(0, true),
    ]);
    expect(values).toEqual([
      [3, 0, 166],
      [7, 0, 2079],
      [4, 0, 1023],
    ]);
    expect(splitFastStatus(packet!.params, [4, 4])).toBeNull();
    const bulk = vectors.find(({ name }) => name === 'fast bulk ..4')!;
    const [fast] = readAll(bytesOf(bulk.hex));
    expect(splitFastStatus(fast!.params, [4, 2, 1])!.map(({ id }) => id)).toEqual([3, 7, 4]);
  });
});

describe('stuffing', () => {
  const byte = fc.constantFrom(0xff, 0xfd, 0x00, 0x55);

  it('round-trips for all data', () => {
    const anything = fc.uint8Array({ maxLength: 300 });
    const headers = fc.array(byte, { maxLength: 40 }).map((list) => Uint8Array.from(list));
    fc.assert(
      fc.property(fc.oneof(headers, anything), (params) => {
        const bytes = packetBytes({ id: 1, instruction: INSTRUCTION.write, params })!;
        expect(readAll(bytes)).toEqual([{ id: 1, instruction: INSTRUCTION.write, params }]);
      }),
    );
  });

  it('leaves no header inside a packet', () => {
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), (list) => {
        const params = Uint8Array.from(list);
        const bytes = packetBytes({ id: 1, instruction: INSTRUCTION.write, params })!;
        const inside = hexOf(bytes.subarray(7, bytes.length - 2));
        for (let at = 0; at < inside.length; at += 2) {
          if (inside.startsWith('fffffd', at)) expect(inside.slice(at + 6, at + 8)).toBe('fd');
        }
      }),
    );
  });

  it('that is missing makes a packet malformed', () => {
    const bare = Uint8Array.of(0xff, 0xff, 0xfd, 0, 1, 8, 0, 3, 0xff, 0xff, 0xfd, 0, 7);
    const crc = checksum(bare, 0, bare.length);
    const reader = new PacketReader(() => expect.unreachable());
    reader.push(Uint8Array.of(...bare, crc & 0xff, crc >> 8));
    expect(reader.counts.malformed).toBe(1);
  });
});
