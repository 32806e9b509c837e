/** A million mutated streams: nothing wrong is accepted and nothing hangs. */
import { expect, it } from 'vitest';
import { chance, checkMutatedStream } from './packet-stream.cases.ts';

it('accepts of a million mutated streams what is in them', () => {
  const seed = 7041;
  const pick = chance(seed);
  let accepted = 0;
  for (let i = 0; i < 1e6; i++) accepted += checkMutatedStream(pick);
  expect(accepted, `seed ${seed}`).toBeGreaterThan(100_000);
});
