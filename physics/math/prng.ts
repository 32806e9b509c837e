/**
 * Seeded pseudo-random numbers. The same seed gives the same bits on every machine and at every
 * pace; nothing here is cryptographically secure.
 */

/** A generator of uniform numbers in [0, 1). */
export type Prng = () => number;

/** Creates a generator of uniform 32-bit integers (mulberry32, public domain). */
export function createUint32Prng(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Creates a generator of uniform numbers in [0, 1). */
export function createPrng(seed: number): Prng {
  const next = createUint32Prng(seed);
  return () => next() / 4294967296;
}

function mixIndex(seed: number, index: number): number {
  const mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  return mixed ^ (mixed >>> 15);
}

function signedUnit(hash: number): number {
  return ((hash ^ (hash >>> 13)) >>> 0) / 0x80000000 - 1;
}

/** Noise in [-1, 1) as a function of a seed and an index, without state. */
export function noiseAt(seed: number, index: number): number {
  return signedUnit(Math.imul(mixIndex(seed, index), 0x27d4eb2f));
}

/** Noise in [-1, 1) as a function of a seed, a tick and a channel, without state. */
export function channelNoiseAt(seed: number, tick: number, channel: number): number {
  const mixed = mixIndex(seed, tick) ^ Math.imul(channel + 1, 0x27d4eb2f);
  return signedUnit(Math.imul(mixed, 0x165667b1));
}
