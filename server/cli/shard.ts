/** Shares of a list of files, for several commands that work on it at once. */

/** One of `count` shares of a list of files; `index` starts at 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Parses a shard such as `2/8`; null for anything else. */
export function shardOf(text: string): Shard | null {
  const [, index, count] = (/^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? []).map(Number);
  return index !== undefined && count !== undefined && index <= count ? { index, count } : null;
}

/** The items of a shard: every n-th, so that neighbouring large ones are spread. */
export function shareOf<Item>(items: readonly Item[], { index, count }: Shard): readonly Item[] {
  return items.filter((_, at) => at % count === index - 1);
}
