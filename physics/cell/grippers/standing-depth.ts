import { SOLID_POSE } from '../pose.ts';
import { footprintOf } from '../solids/footprint.ts';
import type { GripperWorld } from './gripper-world.ts';

/** A held body that is lifted by more than this stands on nothing (m; own). */
const LIFTED_M = 5e-4;

/** How deep a held body lies in what carries it (m), negative above it; null where it is lifted. */
export function standingDepth(
  { bodies, model, states }: Pick<GripperWorld, 'bodies' | 'model' | 'states'>,
  body: number,
): number | null {
  const support = bodies.supportOf(body);
  if (!support) return null;
  const { low } = footprintOf(model.bodies[body]!, states.poses, SOLID_POSE * body);
  const depth_m = support.height_m - low;
  return depth_m < -LIFTED_M ? null : depth_m;
}
