/** What a toolpath was checked against, in words: a green sign says what was looked at. */

import type { Cell, Toolpath } from '../../../contract/types.generated.ts';
import type { CellCheck } from './cell-check.ts';

/** How many fixtures, conveyors and objects a cell has. */
export function bodyCount({ fixtures = [], conveyors = [], objects = [] }: Cell): number {
  return fixtures.length + conveyors.length + objects.length;
}

/** A cell as something that was looked at. */
export const cellText = (bodies: number): string =>
  `the cell of ${counted(bodies, 'body', 'bodies')}`;

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/**
 * What the motions of a built toolpath were checked against, by part; `remedy` says how to check
 * them against a cell where there was none.
 */
export function checkedAgainst(
  { metadata }: Pick<Toolpath, 'metadata'>,
  check: Pick<CellCheck, 'parts' | 'unknown'> | null,
  remedy: string,
): readonly string[] {
  const zones = counted(metadata.avoidance_zones?.length ?? 0, 'zone', 'zones');
  if (!check) return ['the floor', 'itself', zones, `no cell (${remedy})`];
  const { parts, unknown } = check;
  const without = unknown.length > 0 ? [`not ${unknown.join(', ')}`] : [];
  return ['the floor', 'itself', zones, cellText(parts), ...without];
}
