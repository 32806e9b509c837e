/** No emitted setpoint of any kind of move is beyond the limits of the arm (spec §2.4). */
import { test } from 'vitest';
import { CAPS, expectLimitsKept, FAST, MOVE_KINDS } from './emitted-limits.cases.ts';

for (const kind of MOVE_KINDS) {
  for (const caps of [CAPS, FAST]) {
    test(`${kind.name} at ${caps.tool_speed_m_s} m/s keep every limit and come near one`, () => {
      expectLimitsKept(kind, 150, caps);
    });
  }
}
