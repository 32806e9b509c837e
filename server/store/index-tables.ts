/** The tables whose loss no start accepts by itself: users, tokens and settings. */
import type { LineHead } from './journal-line.ts';

/** Table names whose changes count as changes of the index. */
export const INDEX_TABLES: ReadonlySet<string> = new Set(['users', 'tokens', 'settings']);

/** Whether a line changes the index. */
export function changesIndex({ o }: Pick<LineHead, 'o'>): boolean {
  return o.some(([, table]) => INDEX_TABLES.has(table));
}
