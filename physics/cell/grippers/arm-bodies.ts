/**
 * What grippers add to the arm: capsules of their fingers or cups and of what they hold, in the
 * flange frame, and the load.
 */

import type { CapsuleBody } from '../../collision/capsule-body.ts';
import { ballLoad, type Load, sumLoads } from '../../dynamics/load.ts';
import { type CellModel, loadOfBody } from '../cell-model.ts';
import { type Bundle, bodyOf, fill } from './capsule-bundle.ts';
import type { Gripper } from './gripper.ts';

/** Bodies and load of all grippers with what they hold. */
export function armBodies(
  model: CellModel,
  grippers: readonly Gripper[],
): {
  readonly gripper: CapsuleBody | null;
  readonly held: CapsuleBody | null;
  readonly load: Load;
} {
  const fingers: Bundle = { ends: [], radii: [] };
  const carried: Bundle = { ends: [], radii: [] };
  const loads: Load[] = [];
  for (const gripper of grippers) {
    gripper.addCapsules(fingers);
    const { mass_kg = 0, tip_m } = gripper.description;
    const centre_of_mass_m = [tip_m.x / 2, tip_m.y / 2, tip_m.z / 2];
    loads.push({ ...ballLoad(mass_kg), centre_of_mass_m });
    if (gripper.holds < 0) continue;
    const body = model.bodies[gripper.holds]!;
    if (gripper.movesHeld) fill(body, gripper.held, carried);
    if (!gripper.isRelieved) loads.push(loadOfBody(body, gripper.held));
  }
  return { gripper: bodyOf(fingers), held: bodyOf(carried), load: sumLoads(loads) };
}
