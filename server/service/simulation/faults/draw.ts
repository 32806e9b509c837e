import { createPrng } from '../../../../physics/math/prng.ts';

/** Draws true with a probability, reproducibly by the seed. */
export function createDraw(probability: number, seed: number): () => boolean {
  const random = createPrng(seed);
  return () => probability >= 1 || random() < probability;
}
