/**
 * Principal axes of inertia by Jacobi rotations: physics engines take three principal moments and
 * their frame. Only exactly rounded operations, so a plant starts with the same bits everywhere.
 */
import { matrixToQuaternion, type QuaternionWxyz } from '../math/rotation.ts';
import type { Numbers } from '../math/vector.ts';

/** Principal moments (kg m²) and the rotation from their frame to the body's. */
export interface PrincipalAxes {
  readonly moments: readonly [number, number, number];
  readonly frame: QuaternionWxyz;
}

const SWEEPS = 12;
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** One rotation that makes a[p][q] zero; `v` collects the axes as columns. */
function rotate(a: Float64Array, v: Float64Array, p: number, q: number): void {
  const off = a[3 * p + q]!;
  if (off === 0) return;
  const ratio = (a[3 * q + q]! - a[3 * p + p]!) / (2 * off);
  const root = Math.abs(ratio) + Math.sqrt(ratio * ratio + 1);
  const t = (ratio < 0 ? -1 : 1) / root;
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < 3; k++) {
    const x = a[3 * k + p]!;
    const y = a[3 * k + q]!;
    a[3 * k + p] = c * x - s * y;
    a[3 * k + q] = s * x + c * y;
  }
  for (let k = 0; k < 3; k++) {
    const x = a[3 * p + k]!;
    const y = a[3 * q + k]!;
    a[3 * p + k] = c * x - s * y;
    a[3 * q + k] = s * x + c * y;
    const u = v[3 * k + p]!;
    const w = v[3 * k + q]!;
    v[3 * k + p] = c * u - s * w;
    v[3 * k + q] = s * u + c * w;
  }
}

function determinant(m: Float64Array): number {
  return (
    m[0]! * (m[4]! * m[8]! - m[5]! * m[7]!) -
    m[1]! * (m[3]! * m[8]! - m[5]! * m[6]!) +
    m[2]! * (m[3]! * m[7]! - m[4]! * m[6]!)
  );
}

/** Decomposes a tensor Ixx, Iyy, Izz, Ixy, Ixz, Iyz. */
export function principalAxes(tensor: Numbers): PrincipalAxes {
  const [xx, yy, zz, xy, xz, yz] = Array.from(tensor) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const a = Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
  const v = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [p, q] of PAIRS) rotate(a, v, p, q);
  }
  if (determinant(v) < 0) {
    for (let k = 0; k < 3; k++) v[3 * k] = -v[3 * k]!;
  }
  return { moments: [a[0]!, a[4]!, a[8]!], frame: matrixToQuaternion(v) };
}
