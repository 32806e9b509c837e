/** The time that a path spends in each row of the program. Pure. */
import type { TimedPath } from './timed-path.ts';

export interface RowTime {
  /** First time that the path reaches the row (s). */
  readonly reached_s: number;
  /** Duration of the first visit, and of all visits (s). */
  readonly once_s: number;
  readonly total_s: number;
}

/** A pointer and all its ancestors. */
function ancestors(pointer: string): string[] {
  const found: string[] = [];
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    found.push(pointer.slice(0, end));
  }
  return found;
}

/** Times of all pointers on the path: actions, branches and routines. */
export function rowTimes({ segments }: TimedPath): ReadonlyMap<string, RowTime> {
  const times = new Map<string, RowTime>();
  for (const { at, calls, start_s, duration_s } of segments) {
    for (const pointer of new Set([at, ...calls].flatMap(ancestors))) {
      const known = times.get(pointer);
      if (known) times.set(pointer, { ...known, total_s: known.total_s + duration_s });
      else times.set(pointer, { reached_s: start_s, once_s: duration_s, total_s: duration_s });
    }
  }
  return times;
}
