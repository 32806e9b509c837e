/** Rolling of cylinders that lie, and the resistance that ends it. */

import { GRAVITY_M_S2 } from '../dynamics/gravity.ts';
import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import type { Numbers } from '../math/vector.ts';
import { type BodyStates, VELOCITY_SIZE } from './body-states.ts';
import { SOLID_POSE, turn } from './pose.ts';
import type { Solid } from './solids/solids.ts';

/** Coefficient of rolling resistance: plastic on a bench (own). */
export const ROLLING_RESISTANCE = 0.02;
/** A cylinder lies when the cosine of its axis to the vertical is below this. */
const LYING_COSINE = 0.5;
/** A cylinder that rises or falls faster than this rolls on nothing (m/s). */
const ROLLING_RISE_M_S = 0.05;
const UP = [0, 0, 1];
const axis = new Float64Array(3);

/** The part of `value` that a loss of at most `most` takes. */
function lossOf(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}

/** Whether body `i` is a cylinder that lies and does not fall: it may roll. */
export function mayRoll({ poses, velocities }: BodyStates, { isRound }: Solid, i: number): boolean {
  if (!isRound || Math.abs(velocities[VELOCITY_SIZE * i + 2]!) > ROLLING_RISE_M_S) return false;
  turn(poses, SOLID_POSE * i + 3, UP, axis);
  return Math.abs(axis[2]!) < LYING_COSINE;
}

/**
 * Takes spin and speed from body `i`, which may roll, as rolling resistance does: relative to what
 * it lies on, which moves at `surface` (m/s). Both are taken: speed without spin would roll it on.
 */
export function resistRolling(
  { poses, velocities }: BodyStates,
  { solid, i, surface }: { readonly solid: Solid; readonly i: number; readonly surface: Numbers },
  steps: number,
): void {
  turn(poses, SOLID_POSE * i + 3, UP, axis);
  const at = VELOCITY_SIZE * i;
  const most_m_s = ROLLING_RESISTANCE * GRAVITY_M_S2 * steps * PLANT_STEP_S;
  let spin = 0;
  for (let k = 0; k < 3; k++) spin += velocities[at + 3 + k]! * axis[k]!;
  const spinLoss = lossOf(spin, most_m_s / solid.half[0]!);
  for (let k = 0; k < 3; k++) velocities[at + 3 + k]! -= spinLoss * axis[k]!;
  // Its axis, seen from above, is square to the way on which it rolls.
  const level = Math.sqrt(axis[0]! * axis[0]! + axis[1]! * axis[1]!);
  const [x, y] = [axis[1]! / level, -axis[0]! / level];
  const speed = (velocities[at]! - surface[0]!) * x + (velocities[at + 1]! - surface[1]!) * y;
  const loss = lossOf(speed, most_m_s);
  velocities[at]! -= loss * x;
  velocities[at + 1]! -= loss * y;
}
