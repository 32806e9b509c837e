/**
 * The share of a long list that one machine of several works on. Apart from the verb, which loads
 * what plans, because the command line reads it at every start.
 */

/** A share of the work of many machines: the `index`-th of `count`, from 1 on. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** A shard as the command line says it, `2/8`; null for anything else. */
export function shardOf(text: string): Shard | null {
  const [, index, count] = (/^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? []).map(Number);
  return index !== undefined && count !== undefined && index <= count ? { index, count } : null;
}

/** The shard's files: every n-th, so that large ones beside each other are spread. */
export function shareOf(files: readonly string[], { index, count }: Shard): readonly string[] {
  return files.filter((_, at) => at % count === index - 1);
}
