/**
 * When an operation that runs is late, and when it is expected to end then. A late operation is
 * expected to take as long again as it is late already, and is looked at again after that time: an
 * instrument that takes an hour too long causes a dozen new plans, not thousands. Times in seconds
 * since the start of the run.
 */

import { EPSILON_S } from '../plan/time-tolerance.ts';

/** An operation is late once it takes longer than planned by so much (s), ... */
const LATE_S = 2;
/** ... or by this share of its planned duration, whichever is more. */
const LATE_SHARE = 0.05;

/** An operation that runs, by its plan. */
export interface RunningTimes {
  readonly planned_end_s: number;
  readonly duration_s: number;
}

/** An instrument that goes down is expected back after so much time (s). */
const OUTAGE_S = 60;

function tolerance_s({ duration_s }: RunningTimes): number {
  return Math.max(LATE_S, LATE_SHARE * duration_s);
}

/** Whether an operation that runs takes longer than planned by more than its tolerance. */
export function isLate(one: RunningTimes, now_s: number): boolean {
  return now_s - one.planned_end_s >= tolerance_s(one) - EPSILON_S;
}

/** When an operation that runs is expected to end. */
export function expectedEnd_s(one: RunningTimes, now_s: number): number {
  const late_s = isLate(one, now_s) ? now_s - one.planned_end_s : 0;
  return Math.max(now_s, one.planned_end_s) + late_s;
}

/** The first of `from_s + least_s`, then twice as long after `from_s` each time, that is to come. */
function nextDoubling_s(from_s: number, least_s: number, now_s: number): number {
  const passed_s = now_s - from_s + EPSILON_S;
  if (passed_s < least_s) return from_s + least_s;
  return from_s + least_s * 2 ** (1 + Math.floor(Math.log2(passed_s / least_s)));
}

/** When an operation that runs becomes late, or has been late for twice as long. */
export function nextMark_s(one: RunningTimes, now_s: number): number {
  return nextDoubling_s(one.planned_end_s, tolerance_s(one), now_s);
}

/** When an instrument that is down is expected back: after as long again as it is down already. */
export function expectedReturn_s(since_s: number, now_s: number): number {
  return now_s + Math.max(OUTAGE_S, now_s - since_s);
}

/** When an instrument that is down has been down longer than it was expected to be. */
export function nextOutageMark_s(since_s: number, now_s: number): number {
  return nextDoubling_s(since_s, OUTAGE_S, now_s);
}
