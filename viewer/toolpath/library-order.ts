/** The order of the list of toolpaths, and the search in it. Pure. */

import type { ToolpathHead } from '../../contract/types.generated.ts';
import type { ArmView } from '../link/arm-view.ts';
import type { ToolpathDetails } from './toolpath-details.ts';

export type ToolpathOrder =
  | 'added'
  | 'newest'
  | 'modified'
  | 'name'
  | 'duration'
  | 'errors'
  | 'size';

/** When each toolpath was saved last, by id; or why that is not known. */
export type Modified = ReadonlyMap<number, string> | string;

/** The times of the last saves: a twin reports them to its admins, the API of an arm has none. */
export function modifiedIn({ sim, driver }: Pick<ArmView, 'sim' | 'driver'>): Modified {
  if (driver === null || driver === 'upstream') return 'not reported by this arm';
  return sim?.modified ?? 'reported to admins only';
}

/** Orders and their names; `added` is the order of the arm. */
export const ORDERS: readonly (readonly [ToolpathOrder, string])[] = [
  ['added', 'Oldest first'],
  ['newest', 'Newest first'],
  ['modified', 'Last saved first'],
  ['name', 'Name'],
  ['duration', 'Duration'],
  ['errors', 'Errors first'],
  ['size', 'Size'],
];

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export interface Arrangement {
  readonly query: string;
  readonly order: ToolpathOrder;
  readonly modified?: Modified;
}

/** The toolpaths whose name contains a text, in an order; those without details come last. */
export function arrange(
  heads: readonly ToolpathHead[],
  { query, order, modified = '' }: Arrangement,
  detailsOf: (hash: string) => ToolpathDetails | undefined,
): ToolpathHead[] {
  const wanted = query.trim().toLowerCase();
  const found = heads.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (order === 'added') return found;
  if (order === 'newest') return found.sort((a, b) => b.id - a.id);
  if (order === 'modified') {
    const times = typeof modified === 'string' ? new Map<number, string>() : modified;
    const time = ({ id }: ToolpathHead): string => times.get(id) ?? '';
    return found.sort((a, b) => time(b).localeCompare(time(a)) || b.id - a.id);
  }
  if (order === 'name') return found.sort((a, b) => byName.compare(a.name, b.name));
  const rank = ({ hash }: ToolpathHead): number => {
    const details = detailsOf(hash);
    if (!details) return Number.POSITIVE_INFINITY;
    if (order === 'errors') return -details.errors;
    return order === 'duration' ? details.duration_s : details.bytes;
  };
  const ranked = found.map((head) => ({ head, rank: rank(head) }));
  ranked.sort((a, b) =>
    a.rank === b.rank ? byName.compare(a.head.name, b.head.name) : a.rank - b.rank,
  );
  return ranked.map(({ head }) => head);
}
