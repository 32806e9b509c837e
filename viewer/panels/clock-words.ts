/** How fast the twin's time passes, in words. Pure. */
import type { SimClock } from '../../contract/types.ts';

/** A measured pace this near to the one that was set counts as kept. */
const KEPT_WITHIN = 0.03;

/** The pace that a server names, as `1`, `max` or `stepped`. */
export function paceWords(pace: string): string {
  const factor = Number(pace);
  return Number.isFinite(factor) ? `${factor.toFixed(2)}× real time` : `${pace} clock`;
}

/** The pace of a clock, as measured where it is not the one that was set. */
export function clockWords({ pace, paused, real_time_factor }: SimClock): string {
  if (paused) return 'time paused';
  const measured = `${real_time_factor.toFixed(2)}× real time`;
  if (pace === 'stepped') return 'stepped clock';
  if (pace === 'max') return `max clock, ${measured}`;
  const kept = Math.abs(real_time_factor / pace - 1) < KEPT_WITHIN;
  return kept ? paceWords(String(pace)) : `${measured}, set to ${pace}×`;
}
