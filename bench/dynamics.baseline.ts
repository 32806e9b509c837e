/**
 * Baseline of the dynamics from the textbook: vectors as objects, one recursive Newton-Euler pass,
 * inertia matrix column by column. Deliberately simple; not part of the product.
 */
import { DRIVE, OFFSETS_M, TURNS_ABOUT_Z } from '../physics/arm/arm-model.ts';
import { GRAVITY_M_S2 } from '../physics/dynamics/gravity.ts';
import { INERTIA_SIZE } from '../physics/dynamics/inertia.ts';
import { writeLinkInertia } from '../physics/dynamics/link-inertia.ts';

interface Vector {
  x: number;
  y: number;
  z: number;
}

const vector = (x: number, y: number, z: number): Vector => ({ x, y, z });
const add = (a: Vector, b: Vector): Vector => vector(a.x + b.x, a.y + b.y, a.z + b.z);
const scale = (k: number, a: Vector): Vector => vector(k * a.x, k * a.y, k * a.z);
const dot = (a: Vector, b: Vector): number => a.x * b.x + a.y * b.y + a.z * b.z;
const cross = (a: Vector, b: Vector): Vector =>
  vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);

interface Link {
  mass: number;
  moment: Vector;
  inertia: [Vector, Vector, Vector];
  axis: Vector;
  offset: Vector;
}

const links: Link[] = OFFSETS_M.map((offset, j) => {
  const n = new Float64Array(INERTIA_SIZE);
  writeLinkInertia(j, n);
  const at = (i: number): number => n[i]!;
  return {
    mass: at(0),
    moment: vector(at(1), at(2), at(3)),
    inertia: [
      vector(at(4), at(7), at(8)),
      vector(at(7), at(5), at(9)),
      vector(at(8), at(9), at(6)),
    ],
    axis: TURNS_ABOUT_Z[j] ? vector(0, 0, 1) : vector(0, -1, 0),
    offset: vector(offset[0]!, offset[1]!, offset[2]!),
  };
});

/** Rotates `a` about `axis` by an angle (Rodrigues). */
function turn(axis: Vector, angle: number, a: Vector): Vector {
  const c = Math.cos(angle);
  const along = scale(dot(axis, a) * (1 - c), axis);
  return add(add(scale(c, a), scale(Math.sin(angle), cross(axis, a))), along);
}

const apply = (inertia: Link['inertia'], a: Vector): Vector =>
  vector(dot(inertia[0], a), dot(inertia[1], a), dot(inertia[2], a));

/** Joint torques of a motion (inverse dynamics). */
export function baselineInverseDynamics(
  q: number[],
  rates: number[],
  accelerations: number[],
): number[] {
  let spin = vector(0, 0, 0);
  let turning = vector(0, 0, 0);
  let pull = vector(0, 0, GRAVITY_M_S2);
  const forces: Vector[] = [];
  const moments: Vector[] = [];
  links.forEach((link, j) => {
    const swing = cross(spin, cross(spin, link.offset));
    pull = turn(link.axis, -q[j]!, add(add(pull, cross(turning, link.offset)), swing));
    const carried = turn(link.axis, -q[j]!, spin);
    const own = scale(rates[j]!, link.axis);
    turning = add(turn(link.axis, -q[j]!, turning), scale(accelerations[j]!, link.axis));
    turning = add(turning, cross(carried, own));
    spin = add(carried, own);
    const push = add(cross(turning, link.moment), cross(spin, cross(spin, link.moment)));
    forces.push(add(scale(link.mass, pull), push));
    const gyration = cross(spin, apply(link.inertia, spin));
    moments.push(add(add(apply(link.inertia, turning), gyration), cross(link.moment, pull)));
  });
  const torques: number[] = [];
  for (let j = 5; j >= 0; j--) {
    const link = links[j]!;
    torques[j] = dot(link.axis, moments[j]!) + DRIVE.armature_kg_m2[j]! * accelerations[j]!;
    if (j === 0) break;
    const force = turn(link.axis, q[j]!, forces[j]!);
    const moment = turn(link.axis, q[j]!, moments[j]!);
    forces[j - 1] = add(forces[j - 1]!, force);
    moments[j - 1] = add(moments[j - 1]!, add(moment, cross(link.offset, force)));
  }
  return torques;
}

/** Joint accelerations from torques: inertia matrix by columns, then elimination. */
export function baselineForwardDynamics(q: number[], rates: number[], torques: number[]): number[] {
  const none = [0, 0, 0, 0, 0, 0];
  const bias = baselineInverseDynamics(q, rates, none);
  const weight = baselineInverseDynamics(q, none, none);
  const rows: number[][] = none.map(() => []);
  for (let column = 0; column < 6; column++) {
    const unit = none.map((_, j) => (j === column ? 1 : 0));
    const felt = baselineInverseDynamics(q, none, unit);
    felt.forEach((torque, row) => {
      rows[row]![column] = torque - weight[row]!;
    });
  }
  return eliminate(
    rows,
    torques.map((torque, j) => torque - bias[j]!),
  );
}

function eliminate(rows: number[][], right: number[]): number[] {
  for (let i = 0; i < 6; i++) {
    for (let k = i + 1; k < 6; k++) {
      const factor = rows[k]![i]! / rows[i]![i]!;
      rows[k] = rows[k]!.map((value, c) => value - factor * rows[i]![c]!);
      right[k]! -= factor * right[i]!;
    }
  }
  const x = [0, 0, 0, 0, 0, 0];
  for (let i = 5; i >= 0; i--) {
    let sum = right[i]!;
    for (let k = i + 1; k < 6; k++) sum -= rows[i]![k]! * x[k]!;
    x[i] = sum / rows[i]![i]!;
  }
  return x;
}
