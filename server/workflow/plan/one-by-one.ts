/**
 * When work that is done one piece at a time ends at the earliest, if it could be interrupted: the
 * most urgent of what is ready first (Jackson's preemptive schedule). Whatever is not interrupted
 * ends no sooner.
 */

/** A piece of work. */
export interface Job {
  /** It cannot begin before (s). */
  readonly head_s: number;
  readonly work_s: number;
  /** What must follow once it is done (s). */
  readonly tail_s: number;
}

interface Open {
  left_s: number;
  readonly tail_s: number;
}

/** Adds to a list that is kept in the order of tails, the longest last. */
function insert(open: Open[], job: Open): void {
  let low = 0;
  for (let high = open.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (open[middle]!.tail_s < job.tail_s) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, job);
}

/** No order of the jobs, and of what follows each, ends before (s). */
export function oneByOneEnd_s(jobs: readonly Job[]): number {
  const waiting = [...jobs].sort((a, b) => b.head_s - a.head_s);
  const open: Open[] = [];
  let now_s = 0;
  let end_s = 0;
  while (waiting.length > 0 || open.length > 0) {
    if (open.length === 0) now_s = Math.max(now_s, waiting.at(-1)!.head_s);
    while (waiting.length > 0 && waiting.at(-1)!.head_s <= now_s) {
      const { work_s, tail_s } = waiting.pop()!;
      insert(open, { left_s: work_s, tail_s });
    }
    const urgent = open.at(-1)!;
    const next_s = waiting.at(-1)?.head_s ?? Number.POSITIVE_INFINITY;
    const done_s = Math.min(urgent.left_s, next_s - now_s);
    now_s += done_s;
    urgent.left_s -= done_s;
    if (urgent.left_s > 0) continue;
    open.pop();
    end_s = Math.max(end_s, now_s + urgent.tail_s);
  }
  return end_s;
}
