/** The suggestion for a misspelled word. */

/** The Levenshtein distance between two words. */
function editDistance(from: string, to: string): number {
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

/** The most similar word, or null if none is similar enough to suggest. */
export function nearestWord(word: string, words: readonly string[]): string | null {
  const [best] = words
    .map((known) => ({ known, far: editDistance(word, known) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far <= Math.max(1, Math.floor(best.known.length / 2)) ? best.known : null;
}
