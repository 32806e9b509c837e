/**
 * The oldest segment that is needed, as a counter of the store: a compaction states it before it
 * removes the ones before.
 */
import type { Line } from './journal-line.ts';

/** The counter that names the oldest segment that is needed; older ones may be absent. */
export const FIRST_SEGMENT = 'journal_first_segment';

/** The new value of FIRST_SEGMENT in a transaction; 0 without one. */
export function firstSegmentIn({ head }: Pick<Line, 'head'>): number {
  const found = head.o.find(([, table, key]) => table === 'counters' && key === FIRST_SEGMENT);
  return Number(found?.[3] ?? 0);
}
