/**
 * Inertia of the links. The last link carries the load and is a run-time vector; the others are
 * constants of the kernels. The rotors are no part of a link: their reflected inertia (armature)
 * stands on the diagonal of the joint-space inertia (arm-kernels.ts).
 */

import { DRIVE, FLANGE_M, JOINT_COUNT, LINK_MASSES, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { addBody } from './inertia.ts';
import type { Load } from './load.ts';

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
