/** Normal quantile of a two-sided interval of 95 %. */
const QUANTILE_95 = 1.96;

/** The interval (Wilson, 95 %) of a share that was found `count` times of `total`. */
export function shareInterval(count: number, total: number): readonly [number, number] {
  const z = QUANTILE_95;
  const share = count / total;
  const scale = 1 + (z * z) / total;
  const middle = (share + (z * z) / (2 * total)) / scale;
  const spread = (share * (1 - share)) / total + (z * z) / (4 * total * total);
  const half = (z * Math.sqrt(spread)) / scale;
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
