/**
 * Link inertia as the ten parameters in which the dynamics are linear: mass, first moment and
 * inertia about the joint frame's origin. The last link carries the load and is a run-time vector;
 * the others are constants of the kernels. The rotors are no part of a link: their reflected
 * inertia (armature) stands on the diagonal of the joint-space inertia (arm-dynamics.ts). Also:
 * principal axes of inertia.
 */
import {
  DRIVE,
  FLANGE_M,
  JOINT_COUNT,
  LINK_MASSES,
  type LinkMass,
  PAYLOAD_BALL,
  TURNS_ABOUT_Z,
} from '../arm/arm-model.ts';
import { matrixToQuaternion, type Numbers, type QuaternionWxyz } from '../math/rotation.ts';

/** mass; hx, hy, hz; Ixx, Iyy, Izz, Ixy, Ixz, Iyz (kg, kg m, kg m²). */
export const INERTIA_SIZE = 10;

/** Adds a body, given about its centre of mass, to the ten parameters at its joint frame. */
function addBody(out: Float64Array, body: LinkMass): void {
  const [x, y, z] = body.com_m as [number, number, number];
  const [xx, yy, zz, xy, xz, yz] = body.inertia_kg_m2 as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const m = body.mass_kg;
  const added = [
    m,
    m * x,
    m * y,
    m * z,
    xx + m * (y * y + z * z),
    yy + m * (x * x + z * z),
    zz + m * (x * x + y * y),
    xy - m * x * y,
    xz - m * x * z,
    yz - m * y * z,
  ];
  for (let i = 0; i < INERTIA_SIZE; i++) out[i]! += added[i]!;
}

/** A body that the flange carries. */
export interface Load {
  readonly mass_kg: number;
  /** Centre of mass in the flange frame (m). */
  readonly centre_of_mass_m: readonly number[];
  /** Ixx, Iyy, Izz, Ixy, Ixz, Iyz as tensor elements about the centre of mass, flange axes. */
  readonly inertia_kg_m2: readonly number[];
}

/** A load of which only the mass is known: a ball beyond the flange. */
export function ballLoad(payload_kg: number): Load {
  const r = PAYLOAD_BALL.radius_m;
  const i = 0.4 * payload_kg * r * r;
  return {
    mass_kg: payload_kg,
    centre_of_mass_m: [0, 0, PAYLOAD_BALL.offset_beyond_flange_m],
    inertia_kg_m2: [i, i, i, 0, 0, 0],
  };
}

/** Several loads as one: their mass, common centre and inertia about it. */
export function sumLoads(loads: readonly Load[]): Load {
  const total = new Float64Array(INERTIA_SIZE);
  for (const { mass_kg, centre_of_mass_m, inertia_kg_m2 } of loads) {
    addBody(total, { mass_kg, com_m: [...centre_of_mass_m], inertia_kg_m2: [...inertia_kg_m2] });
  }
  const m = total[0]!;
  if (m === 0) return ballLoad(0);
  const [x, y, z] = [total[1]! / m, total[2]! / m, total[3]! / m];
  return {
    mass_kg: m,
    centre_of_mass_m: [x, y, z],
    inertia_kg_m2: [
      total[4]! - m * (y * y + z * z),
      total[5]! - m * (x * x + z * z),
      total[6]! - m * (x * x + y * y),
      total[7]! + m * x * y,
      total[8]! + m * x * z,
      total[9]! + m * y * z,
    ],
  };
}

/** True where two loads have the same mass, centre and inertia; without mass all are equal. */
export function isSameLoad(a: Load, b: Load): boolean {
  if (a.mass_kg !== b.mass_kg) return false;
  const same = (x: readonly number[], y: readonly number[]): boolean =>
    x.every((value, i) => value === y[i]);
  return (
    a.mass_kg === 0 ||
    (same(a.centre_of_mass_m, b.centre_of_mass_m) && same(a.inertia_kg_m2, b.inertia_kg_m2))
  );
}

/** Writes the ten parameters of joint `joint`'s link (0-based), without load, to `out`. */
export function writeLinkInertia(joint: number, out: Float64Array): void {
  out.fill(0);
  addBody(out, LINK_MASSES[joint + 1]!);
}

/** Adds the armature of joint `joint` (0-based) to its link, as inertia about the joint axis. */
export function foldRotor(joint: number, out: Float64Array): void {
  out[TURNS_ABOUT_Z[joint] ? 6 : 5]! += DRIVE.armature_kg_m2[joint]!;
}

/** Writes the ten parameters of link 6 with a load at its flange. */
export function writeLastLinkInertia(load: Load, out: Float64Array): void {
  writeLinkInertia(JOINT_COUNT - 1, out);
  if (load.mass_kg === 0) return;
  const [x, y, z] = load.centre_of_mass_m as [number, number, number];
  const { mass_kg, inertia_kg_m2 } = load;
  addBody(out, { mass_kg, com_m: [x, y, FLANGE_M + z], inertia_kg_m2 });
}

/**
 * Principal axes of inertia by Jacobi rotations: physics engines take three principal moments and
 * their frame. Only exactly rounded operations, so a plant starts with the same bits everywhere.
 */

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
