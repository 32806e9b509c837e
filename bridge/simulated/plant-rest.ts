/** When the joints of a plant count as at rest. */
import type { Plant } from '../../physics/plant/plant.ts';

/** Joints slower than this are at rest (rad/s). */
export const STILL_RAD_S = 1e-3;

/** True while every joint of the plant is at rest. */
export function isStill(plant: Plant): boolean {
  for (let j = 0; j < 6; j++) {
    if (Math.abs(plant.state.velocity[j]!) > STILL_RAD_S) return false;
  }
  return true;
}
