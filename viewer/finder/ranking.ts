/** Which entries of the finder a query means, best first. Pure. */

export interface Named {
  readonly words: string;
  readonly group: string;
}

/** How far a word of the query is from an entry: 0 begins it, 1 begins a word, 2 lies inside. */
function distance({ words, group }: Named, part: string): number {
  const at = words.toLowerCase().indexOf(part);
  if (at === 0) return 0;
  if (at > 0) return /[\p{L}\p{N}]/u.test(words[at - 1]!) ? 2 : 1;
  return group.toLowerCase().startsWith(part) ? 3 : Number.POSITIVE_INFINITY;
}

/** The entries that hold every word of the query, the best fitting first, else as they were. */
export function ranked<Entry extends Named>(
  entries: readonly Entry[],
  query: string,
): readonly Entry[] {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .map((entry) => ({ entry, worth: parts.reduce((sum, part) => sum + distance(entry, part), 0) }))
    .filter(({ worth }) => Number.isFinite(worth))
    .sort((a, b) => a.worth - b.worth)
    .map(({ entry }) => entry);
}
