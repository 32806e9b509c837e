/** Ranks the entries of the finder for a query. Pure. */

/** What the ranking reads of an entry. */
export interface Searchable {
  readonly label: string;
  readonly group: string;
}

/**
 * Match of a query word: 0 label prefix, 1 word prefix, 2 inside, 3 group prefix, else infinite.
 */
function matchCost({ label, group }: Searchable, part: string): number {
  const at = label.toLowerCase().indexOf(part);
  if (at === 0) return 0;
  if (at > 0) return /[\p{L}\p{N}]/u.test(label[at - 1]!) ? 2 : 1;
  return group.toLowerCase().startsWith(part) ? 3 : Number.POSITIVE_INFINITY;
}

/**
 * The entries that match every word of the query, best match first; ties keep their order. Pure.
 */
export function rankEntries<Entry extends Searchable>(
  entries: readonly Entry[],
  query: string,
): readonly Entry[] {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .map((entry) => ({ entry, cost: parts.reduce((sum, part) => sum + matchCost(entry, part), 0) }))
    .filter(({ cost }) => Number.isFinite(cost))
    .sort((a, b) => a.cost - b.cost)
    .map(({ entry }) => entry);
}
