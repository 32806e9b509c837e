/** The nodes of a path table that its speed bound needs; six numbers a node except for s. */
interface HermiteTable {
  readonly s: Float64Array;
  readonly q: Float64Array;
  readonly q1: Float64Array;
  readonly q2: Float64Array;
}

/**
 * Raises the joint speed bounds to cover one interval of a table: the derivative of a polynomial
 * stays within the differences of its Bézier points.
 */
export function raiseSpeedBounds(path: HermiteTable, i: number, speeds: Float64Array): void {
  const width = path.s[i + 1]! - path.s[i]!;
  for (let j = 0; j < 6; j++) {
    const at = 6 * i + j;
    const p0 = path.q[at]!;
    const p5 = path.q[at + 6]!;
    const v0 = (path.q1[at]! * width) / 5;
    const v5 = (path.q1[at + 6]! * width) / 5;
    const p2 = p0 + 2 * v0 + (path.q2[at]! * width * width) / 20;
    const p3 = p5 - 2 * v5 + (path.q2[at + 6]! * width * width) / 20;
    const p1 = p0 + v0;
    const p4 = p5 - v5;
    const largest = Math.max(
      Math.abs(v0),
      Math.abs(p2 - p1),
      Math.abs(p3 - p2),
      Math.abs(p4 - p3),
      Math.abs(v5),
    );
    speeds[j] = Math.max(speeds[j]!, (5 * largest) / width);
  }
}
