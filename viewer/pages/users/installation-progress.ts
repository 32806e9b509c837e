import { limits } from '../../../contract/limits.ts';

/**
 * Share of an installation completed after `passed_s` of wall time, at the pace of a clock; null if
 * unknown.
 */
export function installationProgress(clock: string | null, passed_s: number): number | null {
  const factor = clock === null ? 1 : Number(clock);
  if (!Number.isFinite(factor) || factor <= 0) return null;
  return Math.min((passed_s * factor) / limits.update_duration_s, 1);
}
