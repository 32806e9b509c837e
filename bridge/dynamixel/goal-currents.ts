import type { Packet } from '../servo/bus/packet.ts';
import { syncWrite } from './instructions.ts';
import { encodeValue, REGISTER } from './registers.ts';

/**
 * The goal currents of the current-based joints, as packets for their leaders; `limits` are those
 * in the servos, null for other joints, and `goals` what the joints may need (both in their unit).
 */
export function goalCurrents(
  leaders: readonly number[],
  limits: readonly (number | null)[],
  goals: (joint: number) => number,
): Packet[] {
  const register = REGISTER.goal_current;
  const rows = leaders.flatMap((id, j) => {
    const limit = limits[j] ?? null;
    return limit === null ? [] : [{ id, data: encodeValue(register, Math.min(limit, goals(j))) }];
  });
  return rows.length === 0 ? [] : [syncWrite(register, rows)];
}
