/** No emitted setpoint of any kind of move exceeds the limits of the arm (§2.4). */
import { expect, test } from 'vitest';
import { emittedLimitCases, movesOverSpeed } from './emitted-limits.cases.ts';

emittedLimitCases(6);

test('no move exceeds its tool speed cap between its setpoints', () => {
  expect(movesOverSpeed(16, 19, 1500)).toEqual([]);
});
