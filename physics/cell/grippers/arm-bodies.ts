/**
 * What grippers add to the arm: capsules of their fingers or cups and of what they hold, in the
 * flange frame, and the load.
 */

import type { CapsuleBody } from '../../collision/capsule-body.ts';
import { ballLoad, type Load, sumLoads } from '../../dynamics/load.ts';
import { type CellModel, loadOfBody } from '../cell-model.ts';
import { type Bundle, bodyOf, emptyFilling, fill, filledBody } from './capsule-bundle.ts';
import type { Gripper } from './gripper.ts';

/** A body at a pose in the flange frame. */
export interface FlangePlace {
  readonly body: number;
  readonly pose: Float64Array;
}

/** Bodies and load of all grippers with what they hold and what that carries. */
export function armBodies(
  model: CellModel,
  grippers: readonly Gripper[],
  carriedBy: (gripper: number) => readonly FlangePlace[] = () => [],
): {
  readonly gripper: CapsuleBody | null;
  readonly held: CapsuleBody | null;
  readonly load: Load;
} {
  const fingers: Bundle = { ends: [], radii: [] };
  const carried = emptyFilling();
  const loads: Load[] = [];
  for (const [g, gripper] of grippers.entries()) {
    gripper.addCapsules(fingers);
    const { mass_kg = 0, tip_m } = gripper.description;
    const centre_of_mass_m = [tip_m.x / 2, tip_m.y / 2, tip_m.z / 2];
    loads.push({ ...ballLoad(mass_kg), centre_of_mass_m });
    if (gripper.holds < 0) continue;
    for (const { body, pose } of [{ body: gripper.holds, pose: gripper.held }, ...carriedBy(g)]) {
      const solid = model.bodies[body]!;
      if (gripper.movesHeld) fill(solid, pose, carried);
      if (!gripper.isRelieved) loads.push(loadOfBody(solid, pose));
    }
  }
  return { gripper: bodyOf(fingers), held: filledBody(carried), load: sumLoads(loads) };
}
