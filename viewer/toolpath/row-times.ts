/** How long the way spends in each row of the program. Pure. */
import type { Way } from './way.ts';

export interface RowTime {
  /** The first time the way comes by (s). */
  readonly first_s: number;
  /** How long it stays that first time, and in all (s). */
  readonly once_s: number;
  readonly total_s: number;
}

/** A pointer and everything it lies in, down to the top. */
function ancestors(pointer: string): string[] {
  const found: string[] = [];
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    found.push(pointer.slice(0, end));
  }
  return found;
}

/** Times of all pointers that the way comes by: actions, branches and routines. */
export function rowTimes({ stretches }: Way): ReadonlyMap<string, RowTime> {
  const times = new Map<string, RowTime>();
  for (const { at, calls, start_s, duration_s } of stretches) {
    for (const pointer of new Set([at, ...calls].flatMap(ancestors))) {
      const known = times.get(pointer);
      if (known) times.set(pointer, { ...known, total_s: known.total_s + duration_s });
      else times.set(pointer, { first_s: start_s, once_s: duration_s, total_s: duration_s });
    }
  }
  return times;
}
