/** What repeated work leaves on the heap (test code). */

const ROUNDS = 12;

/**
 * Least growth of the heap over one of several calls of `body` (bytes). A call during which memory
 * was collected says nothing and does not count; the first ones run before the code is optimised.
 */
export function heapGrowth(body: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.memoryUsage().heapUsed;
    body();
    const growth = process.memoryUsage().heapUsed - before;
    if (growth >= 0) least = Math.min(least, growth);
  }
  return least;
}
