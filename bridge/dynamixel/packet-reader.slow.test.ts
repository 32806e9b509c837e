/** A million mutated streams: the reader accepts nothing invalid and never hangs. */
import { expect, it } from 'vitest';
import { checkMutatedStream, randomPicker } from './packet-stream.cases.ts';

it('accepts only the packets of a million mutated streams', () => {
  const seed = 7041;
  const pick = randomPicker(seed);
  let accepted = 0;
  for (let i = 0; i < 1e6; i++) accepted += checkMutatedStream(pick);
  expect(accepted, `seed ${seed}`).toBeGreaterThan(100_000);
});
