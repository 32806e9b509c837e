/** Measures what repeated work leaves on the heap (test code). */

const ROUNDS_MAX = 500;
/** Below this the result is measurement noise (bytes). */
const NOTHING_BYTES = 32_000;

/**
 * True when a call of `body` leaves nothing on the heap. The first calls run before the code is
 * optimised, later on a busy machine, so it repeats until three in a row are clean: a single clean
 * call may coincide with a collection. `body` must do enough for one number per iteration to show.
 */
export function leavesNothing(body: () => void): boolean {
  let clean = 0;
  for (let round = 0; round < ROUNDS_MAX && clean < 3; round++) {
    const before = process.memoryUsage().heapUsed;
    body();
    const growth = process.memoryUsage().heapUsed - before;
    clean = growth >= 0 && growth < NOTHING_BYTES ? clean + 1 : 0;
  }
  return clean === 3;
}
