/** A job of the single-machine problem with heads and tails. */
export interface MachineJob {
  /** Earliest start (s). */
  readonly head_s: number;
  readonly work_s: number;
  /** Time that must follow its end (s). */
  readonly tail_s: number;
}

interface OpenJob {
  left_s: number;
  readonly tail_s: number;
}

/** Inserts into a list sorted by tail, longest last. */
function insert(open: OpenJob[], job: OpenJob): void {
  let low = 0;
  for (let high = open.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (open[middle]!.tail_s < job.tail_s) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, job);
}

/**
 * Lower bound of a single machine: the makespan of Jackson's preemptive schedule, which always runs
 * the ready job with the longest tail. Without preemption no order ends earlier (s).
 */
export function singleMachineBound_s(jobs: readonly MachineJob[]): number {
  const waiting = [...jobs].sort((a, b) => b.head_s - a.head_s);
  const open: OpenJob[] = [];
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
