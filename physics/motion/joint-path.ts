/**
 * Geometric joint path q(s), s in [0, 1], as plain data: it crosses worker boundaries, is part of
 * recordings and snapshots, and is sampled without allocation. Timing chooses only s(t)
 * (jerk-phases.ts), so timing, pause and speed caps never leave the path.
 */

/** Straight line in joint space. */
export interface JointLine {
  readonly kind: 'line';
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/**
 * Path tracked through Cartesian space: joints and their derivatives by s at each node s[i],
 * quintic Hermite through (q, q', q'') between nodes. Joint arrays hold six numbers a node. q'''
 * may jump at a node, so it has a value on each side.
 */
export interface PathTable {
  readonly kind: 'table';
  readonly s: Float64Array;
  readonly q: Float64Array;
  readonly q1: Float64Array;
  readonly q2: Float64Array;
  readonly q3_left: Float64Array;
  readonly q3_right: Float64Array;
}

export type JointPath = JointLine | PathTable;

/** q and its first three derivatives with respect to s at one s; rad per unit of s. */
export interface PathSample {
  readonly q: Float64Array;
  readonly q1: Float64Array;
  readonly q2: Float64Array;
  readonly q3: Float64Array;
}

export function createPathSample(): PathSample {
  return {
    q: new Float64Array(6),
    q1: new Float64Array(6),
    q2: new Float64Array(6),
    q3: new Float64Array(6),
  };
}

/** Writes q(s) and its derivatives to `out`; clamps s to [0, 1]. No allocation. */
export function samplePath(path: JointPath, s: number, out: PathSample): void {
  position.s = s;
  samplePathAt(path, position, out);
}

const position = { s: 0 };

/**
 * As `samplePath`, with s in a record such as a profile's point: V8 puts a number that is passed to
 * a call on the heap unless it inlines the call.
 */
export function samplePathAt(path: JointPath, at: { readonly s: number }, out: PathSample): void {
  if (path.kind === 'line') sampleLine(path, at, out);
  else sampleTable(path, at, out);
}

function sampleLine(path: JointLine, at: { readonly s: number }, out: PathSample): void {
  const s = at.s < 0 ? 0 : at.s > 1 ? 1 : at.s;
  for (let j = 0; j < 6; j++) {
    const travel = path.end[j]! - path.start[j]!;
    out.q[j] = s === 1 ? path.end[j]! : path.start[j]! + travel * s;
    out.q1[j] = travel;
    out.q2[j] = 0;
    out.q3[j] = 0;
  }
}

/** Index of the table interval that contains s. */
export function intervalOf(nodes: Float64Array, s: number): number {
  let low = 0;
  let high = nodes.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (nodes[middle]! <= s) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Evaluates the quintic Hermite of the interval that contains s, in powers of its share t. */
function sampleTable(path: PathTable, at: { readonly s: number }, out: PathSample): void {
  const s = at.s < 0 ? 0 : at.s > 1 ? 1 : at.s;
  const i = intervalOf(path.s, s);
  const width = path.s[i + 1]! - path.s[i]!;
  const t = (s - path.s[i]!) / width;
  for (let j = 0; j < 6; j++) {
    const node = 6 * i + j;
    const p0 = path.q[node]!;
    const v0 = path.q1[node]! * width;
    const a0 = path.q2[node]! * width * width;
    const dp = path.q[node + 6]! - p0;
    const v1 = path.q1[node + 6]! * width;
    const a1 = path.q2[node + 6]! * width * width;
    const c2 = a0 / 2;
    const c3 = 10 * dp - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1;
    const c4 = -15 * dp + 8 * v0 + 7 * v1 + 1.5 * a0 - a1;
    const c5 = 6 * dp - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1;
    out.q[j] = p0 + t * (v0 + t * (c2 + t * (c3 + t * (c4 + t * c5))));
    out.q1[j] = (v0 + t * (2 * c2 + t * (3 * c3 + t * (4 * c4 + t * 5 * c5)))) / width;
    out.q2[j] = (2 * c2 + t * (6 * c3 + t * (12 * c4 + t * 20 * c5))) / (width * width);
    out.q3[j] = (6 * c3 + t * (24 * c4 + t * 60 * c5)) / (width * width * width);
  }
}
