/** The word that somebody meant: the command line's own parser does this for options alone. */

/** How many letters must be added, lost or changed to come from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}

/** The nearest of the words, or null where none is near enough to be meant. */
export function nearestWord(word: string, words: readonly string[]): string | null {
  const [best] = words
    .map((known) => ({ known, far: distance(word, known) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far <= Math.max(1, Math.floor(best.known.length / 2)) ? best.known : null;
}
