/** Encoding and decoding of plain data is lossless. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePlainData, encodePlainData } from './plain-data.ts';

describe('plain data', () => {
  it('preserves every bit of numbers and arrays', () => {
    const array = fc.oneof(
      fc.float64Array().map((values) => Float64Array.from(values)),
      fc.uint8Array().map((values) => Uint8Array.from(values)),
      fc.int32Array().map((values) => Int32Array.from(values)),
    );
    const leaf = fc.oneof(fc.double(), fc.string(), fc.boolean(), fc.constant(null), array);
    const key = fc.string().filter((text) => text !== '$' && text !== '__proto__');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('tree')), fc.dictionary(key, tie('tree'))),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(decodePlainData(encodePlainData({ value }))).toStrictEqual({
          value: plainPrototypes(value),
        });
      }),
      { numRuns: 200 },
    );
  });

  it('writes only the part of a buffer that an array covers', () => {
    const part = new Float64Array([1, 2, 3]).subarray(1, 2);
    expect(decodePlainData(encodePlainData(part))).toEqual(new Float64Array([2]));
  });
});

/** The value with the prototypes of a parsed one. */
function plainPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainPrototypes);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, plainPrototypes(part)]),
  );
}
