/** Seeded random numbers: fixed bits, because recordings and seeded tests depend on them. */
import { describe, expect, it } from 'vitest';
import { channelNoiseAt, createPrng, createUint32Prng, noiseAt } from './prng.ts';

describe('random numbers of a seed', () => {
  it('have fixed bits', () => {
    const integer = createUint32Prng(42);
    expect([integer(), integer(), integer()]).toEqual([2581720956, 1925393290, 3661312704]);
    const random = createPrng(42);
    expect([random(), random()]).toEqual([0.6011037519201636, 0.44829055899754167]);
    expect(noiseAt(7, 3)).toBe(0.366560872644186);
    expect(channelNoiseAt(7, 1000, 12)).toBe(-0.12384989112615585);
  });
});
