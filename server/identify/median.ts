/** The median of values, which a few wrong ones do not move. */

/** Deviation of normal noise over the median of its size. */
export const MEDIAN_SCALE = 1.4826;

export function medianOf(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
