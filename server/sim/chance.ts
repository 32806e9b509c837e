/** Chosen chance: a seed gives the same course of yes and no every time. */

/** Answers true in a share of the calls, which a seed chooses. */
export function createChance(share: number, seed: number): () => boolean {
  let state = seed >>> 0;
  return () => {
    if (share >= 1) return true;
    state = (state + 0x6d2b79f5) >>> 0;
    let h = Math.imul(state ^ (state >>> 15), state | 1);
    h ^= h + Math.imul(h ^ (h >>> 7), h | 61);
    return ((h ^ (h >>> 14)) >>> 0) / 4294967296 < share;
  };
}
