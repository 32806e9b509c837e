/**
 * An oracle for the kinematics of any arm, independent of them: forward kinematics as a product of
 * matrices, and a search for all joint angles of a pose by Newton's method from many random starts.
 */
import type { Arm, JointAxis } from '../../arms/arm.ts';

/** A 4 x 4 matrix by rows. */
type Matrix = readonly number[];

const TURN = 2 * Math.PI;
const wrap = (angle: number) => angle - TURN * Math.round(angle / TURN);

function product(a: Matrix, b: Matrix): number[] {
  return Array.from({ length: 16 }, (_, i) => {
    const row = i - (i % 4);
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[row + k]! * b[4 * k + (i % 4)]!, 0);
  });
}

const shift = ([x = 0, y = 0, z = 0]: readonly number[]): Matrix =>
  // biome-ignore format: rows
  [1, 0, 0, x,  0, 1, 0, y,  0, 0, 1, z,  0, 0, 0, 1];

function turn(axis: JointAxis, angle: number): Matrix {
  const s = Math.sin(angle) * (axis.startsWith('-') ? -1 : 1);
  const c = Math.cos(angle);
  return axis.endsWith('z')
    ? [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    : [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0, 0, 0, 0, 1];
}

/** The frames of the joints and the flange at joint angles `q` (rad), as `arm.ts` describes them. */
function framesOf(arm: Arm, q: ArrayLike<number>): number[][] {
  let at = [...shift([0, 0, 0])];
  const frames = arm.chain.joints.map(({ offset_m, axis, zero_rad = 0 }, j) => {
    at = product(product(at, shift(offset_m)), turn(axis, q[j]! + zero_rad));
    return at;
  });
  return [...frames, product(at, shift(arm.flange.offset_m))];
}

/** The flange at joint angles `q` (rad): rotation by rows, then position (m). */
export function flangeAt(arm: Arm, q: ArrayLike<number>): Float64Array {
  const flange = framesOf(arm, q)[6]!;
  const rotation = [0, 1, 2].flatMap((row) => flange.slice(4 * row, 4 * row + 3));
  return Float64Array.from([...rotation, flange[3]!, flange[7]!, flange[11]!]);
}

/** Length to which positions are compared with angles (m). */
const LENGTH_M = 0.3;

const cross = (a: readonly number[], b: readonly number[]) =>
  [0, 1, 2].map((k) => a[(k + 1) % 3]! * b[(k + 2) % 3]! - a[(k + 2) % 3]! * b[(k + 1) % 3]!);

/** Residual of a pose (rotation vector for small errors, position), and its Jacobian by columns. */
function residual(arm: Arm, q: ArrayLike<number>, pose: Float64Array) {
  const frames = framesOf(arm, q);
  const flange = frames[6]!;
  const position = (frame: readonly number[]) => [frame[3]!, frame[7]!, frame[11]!];
  const error = [0, 0, 0];
  for (let column = 0; column < 3; column++) {
    const is = [flange[column]!, flange[4 + column]!, flange[8 + column]!];
    const wanted = [pose[column]!, pose[3 + column]!, pose[6 + column]!];
    cross(is, wanted).forEach((value, k) => {
      error[k]! += 0.5 * value;
    });
  }
  const trace = [0, 1, 2].reduce(
    (sum, r) => sum + [0, 1, 2].reduce((s, c) => s + flange[4 * r + c]! * pose[3 * r + c]!, 0),
    0,
  );
  const away = [0, 1, 2].map((k) => (pose[9 + k]! - position(flange)[k]!) / LENGTH_M);
  const columns = arm.chain.joints.map(({ axis }, j) => {
    const frame = frames[j]!;
    const column = axis.endsWith('z') ? 2 : 1;
    const sign = axis.startsWith('-') ? -1 : 1;
    const along = [0, 1, 2].map((row) => sign * frame[4 * row + column]!);
    const lever = [0, 1, 2].map((k) => position(flange)[k]! - position(frame)[k]!);
    return [...along, ...cross(along, lever).map((value) => value / LENGTH_M)];
  });
  // At a half turn the error of the rotation vanishes too.
  return { error: [...error, ...away], columns, isOpposite: trace < 0 };
}

/** Solves a linear system given by columns, with damping; null where a pivot vanishes. */
function solve(columns: readonly number[][], right: readonly number[], damping: number) {
  const normal = columns.map((a, i) => [
    ...columns.map((b, j) => a.reduce((sum, x, k) => sum + x * b[k]!, i === j ? damping : 0)),
    a.reduce((sum, x, k) => sum + x * right[k]!, 0),
  ]);
  for (let i = 0; i < 6; i++) {
    let best = i;
    for (let r = i + 1; r < 6; r++) {
      if (Math.abs(normal[r]![i]!) > Math.abs(normal[best]![i]!)) best = r;
    }
    [normal[i], normal[best]] = [normal[best]!, normal[i]!];
    const pivot = normal[i]![i]!;
    if (!(Math.abs(pivot) > 1e-14)) return null;
    for (let r = 0; r < 6; r++) {
      if (r === i) continue;
      const share = normal[r]![i]! / pivot;
      for (let k = i; k < 7; k++) normal[r]![k]! -= share * normal[i]![k]!;
    }
  }
  return normal.map((row, i) => row[6]! / row[i]!);
}

const STEPS = 40;
const EXACT = 1e-10;

/** A solution of a pose near a start, or null; only those at which Newton's method is regular. */
function solutionFrom(arm: Arm, start: readonly number[], pose: Float64Array): number[] | null {
  let q = [...start];
  for (let step = 0; step < STEPS; step++) {
    const { error, columns, isOpposite } = residual(arm, q, pose);
    const size = Math.hypot(...error);
    if (size < EXACT && !isOpposite) return q.map(wrap);
    const move = solve(columns, error, 1e-3 * size * size);
    if (move === null) return null;
    const most = Math.max(...move.map(Math.abs));
    const share = Math.min(1, 0.5 / most);
    q = q.map((angle, j) => angle + share * move[j]!);
  }
  return null;
}

/** Whether two solutions are one, up to whole turns. */
export function isSameSolution(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return Array.from(a).every((angle, j) => Math.abs(wrap(angle - b[j]!)) < 1e-5);
}

/** All solutions of a pose that Newton's method finds from `starts` random joint angles. */
export function searchDensely(
  arm: Arm,
  pose: Float64Array,
  { starts, random }: { readonly starts: number; readonly random: () => number },
): number[][] {
  const found: number[][] = [];
  for (let i = 0; i < starts; i++) {
    const start = Array.from({ length: 6 }, () => TURN * (random() - 0.5));
    const q = solutionFrom(arm, start, pose);
    if (q && !found.some((known) => isSameSolution(known, q))) found.push(q);
  }
  return found;
}
