/** No emitted setpoint of any kind of move exceeds the limits of the arm (§2.4). */
import { expect, test } from 'vitest';
import {
  DEFAULT_CAPS,
  expectLimitsKept,
  FAST_CAPS,
  MOVE_KINDS,
  movesOverSpeed,
} from './emitted-limits.cases.ts';

for (const kind of MOVE_KINDS) {
  for (const caps of [DEFAULT_CAPS, FAST_CAPS]) {
    test(`${kind.name} at ${caps.tool_speed_m_s} m/s keep every limit and come near one`, () => {
      expectLimitsKept(kind, 6, caps);
    });
  }
}

test('no move exceeds its tool speed cap between its setpoints', () => {
  expect(movesOverSpeed(16, 19, 1500)).toEqual([]);
});
