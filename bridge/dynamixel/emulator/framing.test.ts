/** The framing of the emulator against the published packets, without the driver's codec. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FrameCollector, fastStatusBytes, frameBytes, statusBytes } from './framing.ts';

function fixture<Type>(name: string): Type {
  const url = new URL(`../../../fixtures/bus-captures/${name}`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Type;
}

interface Vector {
  readonly name: string;
  readonly hex: string;
  readonly corrected?: string;
}

const { vectors } = fixture<{ vectors: Vector[] }>('published-packets.json');
const { tx } = fixture<{ tx: { cmd: string; tx: string }[] }>('request-packets.json');
const hexOf = (bytes: readonly number[]) => Buffer.from(bytes).toString('hex');
const framesOf = (hex: string) => new FrameCollector().take(Buffer.from(hex, 'hex'));
const isFast = ({ name }: Vector) => / (status )?(part|\.\.)|st1|st2/.test(name);

describe('emulator framing', () => {
  it.each(vectors.filter((vector) => !isFast(vector)))('reads and writes $name', (vector) => {
    const hex = vector.corrected ?? vector.hex;
    const [frame] = framesOf(hex);
    expect(frame!.valid).toBe(true);
    expect(hexOf(frameBytes(frame!.id, [frame!.code, ...frame!.payload]))).toBe(hex);
  });

  it.each(tx)('reads and writes the request $cmd', ({ tx: hex }) => {
    const [frame] = framesOf(hex);
    expect(frame!.valid).toBe(true);
    expect(hexOf(frameBytes(frame!.id, [frame!.code, ...frame!.payload]))).toBe(hex);
  });

  it('detects the wrong published checksum', () => {
    const wrong = vectors.find(({ corrected }) => corrected)!;
    expect(framesOf(wrong.hex)[0]!.valid).toBe(false);
  });

  it('writes fast-read statuses as published, complete and truncated', () => {
    const parts = [
      { id: 3, error: 0, data: [0xa6, 0, 0, 0] },
      { id: 7, error: 0, data: [0x1f, 0x08, 0, 0] },
      { id: 4, error: 0, data: [0xff, 0x03, 0, 0] },
    ];
    const hex = (name: string) => vectors.find((vector) => vector.name === name)!.hex;
    expect(hexOf(fastStatusBytes(parts, [4, 4, 4]))).toBe(hex('fast sync status ..4'));
    const broken = [parts[0]!, null, parts[2]!];
    expect(hexOf(fastStatusBytes(broken, [4, 4, 4]))).toBe(hex('fast sync status part3'));
  });

  it('writes a status as published', () => {
    expect(hexOf(statusBytes(1, 0, [0xa6, 0, 0, 0]))).toBe('fffffd000108005500a60000008cc0');
  });

  it('reads after noise and in pieces', () => {
    const collector = new FrameCollector();
    const bytes = [0xff, 0x01, ...Buffer.from('fffffd00010300082f4e', 'hex')];
    const frames = bytes.flatMap((byte) => collector.take([byte]));
    expect(frames).toMatchObject([{ id: 1, code: 8, valid: true }]);
  });

  it('accepts data without stuffing, as one official library sends them', () => {
    const plain = frameBytes(1, [3, 0xe0, 0, 0xff, 0xff, 0xfe]);
    expect(framesOf(hexOf(plain))[0]!.payload).toEqual([0xe0, 0, 0xff, 0xff, 0xfe]);
  });
});
