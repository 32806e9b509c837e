/** How far the clock of an arm is ahead of that of the host. */
import type { ClockSync, Probe } from './capture-format.ts';

/** Resolution of the date in a reply (s). */
const DATE_STEP_S = 1;
/**
 * Time between two measurements of the clocks (ms): the golden section of the step of dates, so
 * that each one falls into the largest gap between the phases of those before.
 */
export const PROBE_MS = 618;

/**
 * Bounds of the difference of the clocks that agree with every probe: the arm read its clock, which
 * shows whole seconds, between the sending of the call and its answer. No bounds when a clock was
 * set meanwhile.
 */
export function synchronise(probes: readonly Probe[], started_ms: number): ClockSync {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let round_trip_s = Number.POSITIVE_INFINITY;
  for (const { t, back, date } of probes) {
    const shown_s = (date - started_ms) / 1000;
    low = Math.max(low, shown_s - back);
    high = Math.min(high, shown_s + DATE_STEP_S - t);
    round_trip_s = Math.min(round_trip_s, back - t);
  }
  const ahead_s = low <= high && probes.length > 0 ? ([low, high] as const) : null;
  return { round_trip_s: probes.length > 0 ? round_trip_s : 0, ahead_s, probes: probes.length };
}
