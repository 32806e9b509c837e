/**
 * A path beside the open one, which a second arm follows: the plan of a replayed run, or the run
 * that a "what if" has changed.
 */
import type { Toolpath } from '../../contract/types.generated.ts';
import type { Deviation, RunDeviation } from './deviation.ts';
import type { TimedPath } from './timed-path.ts';

export interface BesidePath {
  /** What it is, in a word or two. */
  readonly name: string;
  readonly path: TimedPath;
  readonly metadata: Toolpath['metadata'] | null;
  /** Its time at a time of the open path (s). */
  readonly timeAt: (at_s: number) => number;
}

/** Between moments farther apart the arm has not been followed (s). */
const FOLLOWED_S = 0.1;

/** Index of the last moment that is not after a time; -1 before the first. */
function lastAt(deviations: readonly Deviation[], at_s: number): number {
  let [low, high] = [-1, deviations.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (deviations[middle]!.at_s <= at_s) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Time on the plan at a time of its run (s). Where the arm is not on its plan, it is the time at
 * which it left it; before the first, the plan waits for the arm.
 */
export function plannedTime({ deviations }: RunDeviation, at_s: number): number {
  const i = lastAt(deviations, at_s);
  const [before, after] = [deviations[i], deviations[i + 1]];
  if (!before) return after ? Math.max(after.time_s - (after.at_s - at_s), 0) : 0;
  const span_s = (after?.at_s ?? Number.POSITIVE_INFINITY) - before.at_s;
  // Another loop begins the plan again.
  if (!after || span_s > FOLLOWED_S || after.time_s < before.time_s) return before.time_s;
  return before.time_s + ((at_s - before.at_s) / span_s) * (after.time_s - before.time_s);
}
