import { limits } from '../../contract/limits.ts';
import type { RunMode } from '../../contract/types.generated.ts';

/** Speed cap of the tool in a mode (m/s; §8): teach mode is slow, because people stand beside the arm. */
export function speedCap_m_s(mode: RunMode): number {
  return mode === 'teach' ? limits.speed_teach_m_per_s : limits.speed_automatic_m_per_s;
}
