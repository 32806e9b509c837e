/**
 * Baseline of inverse kinematics from the textbook: 4 x 4 matrices as nested arrays, a numerical
 * Jacobian, damped least squares with constant damping, and random restarts until a solution is
 * within the limits. Deliberately simple.
 */

type Matrix = number[][];

const CHAIN = [
  { x: 0, z: 0.151, axis: 'z' },
  { x: 0.056, z: 0.1323, axis: '-y' },
  { x: 0, z: 0.205, axis: '-y' },
  { x: -0.056, z: 0.09401, axis: 'z' },
  { x: 0, z: 0.1966, axis: '-y' },
  { x: -0.065, z: 0.0741, axis: 'z' },
];
const FLANGE_M = 0.02539;

function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => b[0]!.map((_, j) => row.reduce((sum, x, k) => sum + x * b[k]![j]!, 0)));
}

function shift(x: number, z: number): Matrix {
  return [
    [1, 0, 0, x],
    [0, 1, 0, 0],
    [0, 0, 1, z],
    [0, 0, 0, 1],
  ];
}

function turn(axis: string, angle: number): Matrix {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const rows =
    axis === 'z'
      ? [
          [c, -s, 0],
          [s, c, 0],
          [0, 0, 1],
        ]
      : [
          [c, 0, -s],
          [0, 1, 0],
          [s, 0, c],
        ];
  return [...rows.map((row) => [...row, 0]), [0, 0, 0, 1]];
}

/** Flange pose at joints q as a 4 x 4 matrix. */
export function baselineForwardKinematics(q: number[]): Matrix {
  let pose = shift(0, 0);
  CHAIN.forEach((link, j) => {
    pose = multiply(multiply(pose, shift(link.x, link.z)), turn(link.axis, q[j]!));
  });
  return multiply(pose, shift(0, FLANGE_M));
}

function errorOf(pose: Matrix, goal: Matrix): number[] {
  const error = [0, 1, 2].map((i) => (goal[i]![3]! - pose[i]![3]!) / 0.3);
  const turned = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const a = [0, 1, 2].map((i) => pose[i]![k]!);
    const b = [0, 1, 2].map((i) => goal[i]![k]!);
    turned[0]! += 0.5 * (a[1]! * b[2]! - a[2]! * b[1]!);
    turned[1]! += 0.5 * (a[2]! * b[0]! - a[0]! * b[2]!);
    turned[2]! += 0.5 * (a[0]! * b[1]! - a[1]! * b[0]!);
  }
  return [...error, ...turned];
}

function eliminate(a: Matrix, b: number[]): number[] {
  const rows = a.map((row, i) => [...row, b[i]!]);
  for (let k = 0; k < 6; k++) {
    let best = k;
    for (let i = k; i < 6; i++) if (Math.abs(rows[i]![k]!) > Math.abs(rows[best]![k]!)) best = i;
    [rows[k], rows[best]] = [rows[best]!, rows[k]!];
    for (let i = 0; i < 6; i++) {
      if (i === k) continue;
      const factor = rows[i]![k]! / rows[k]![k]!;
      rows[i] = rows[i]!.map((x, j) => x - factor * rows[k]![j]!);
    }
  }
  return rows.map((row, i) => row[6]! / row[i]!);
}

function step(q: number[], goal: Matrix): { q: number[]; size: number } {
  const error = errorOf(baselineForwardKinematics(q), goal);
  const columns = q.map((_, j) => {
    const moved = q.map((x, k) => (k === j ? x + 1e-6 : x));
    return errorOf(baselineForwardKinematics(moved), goal).map((e, i) => (error[i]! - e) / 1e-6);
  });
  const square = columns.map((a, i) =>
    columns.map((b, j) => a.reduce((sum, x, k) => sum + x * b[k]!, 0) + (i === j ? 1e-4 : 0)),
  );
  const side = columns.map((a) => a.reduce((sum, x, k) => sum + x * error[k]!, 0));
  const move = eliminate(square, side);
  return { q: q.map((x, j) => x + move[j]!), size: Math.hypot(...error) };
}

/** A solution of `goal` within the box, from `guess` and then from random joints; or null. */
export function baselineInverseKinematics(
  goal: Matrix,
  guess: number[],
  box: { low: ArrayLike<number>; high: ArrayLike<number>; random: () => number },
): number[] | null {
  let q = guess;
  for (let restart = 0; restart < 50; restart++) {
    for (let i = 0; i < 60; i++) {
      const next = step(q, goal);
      q = next.q;
      if (!(next.size > 1e-6)) break;
    }
    const wrapped = q.map((x) => x - 2 * Math.PI * Math.round(x / (2 * Math.PI)));
    const inside = wrapped.every((x, j) => x >= box.low[j]! && x <= box.high[j]!);
    if (inside && Math.hypot(...errorOf(baselineForwardKinematics(wrapped), goal)) < 1e-5)
      return wrapped;
    q = guess.map((_, j) => box.low[j]! + box.random() * (box.high[j]! - box.low[j]!));
  }
  return null;
}
