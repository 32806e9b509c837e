/** How far two times may differ and still be the same: what sums of them round. */

/** Times on the clock of a run (s). */
export const EPSILON_S = 1e-6;

/** Times within one plan (s), which are sums of fewer terms; limits between tasks bind this far. */
export const TOLERANCE_S = 1e-9;

/** Whether two times are the same. */
export function isSameTime(a_s: number, b_s: number, within_s = EPSILON_S): boolean {
  return Math.abs(a_s - b_s) < within_s;
}
