/** No emitted setpoint of any kind of move exceeds the limits of the arm (§2.4). */
import { expect, test } from 'vitest';
import { emittedLimitCases, movesOverSpeed } from './emitted-limits.cases.ts';

emittedLimitCases(150);

test.each([991, 20261, 31337])('no move exceeds its tool speed cap, seed %i', (seed) => {
  expect(movesOverSpeed(400, seed, 5000)).toEqual([]);
});
