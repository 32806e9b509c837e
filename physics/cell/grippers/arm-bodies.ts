/**
 * What grippers add to the arm: capsules of their fingers or cups and of what they hold, in the
 * flange frame, and the load.
 */

import type { CapsuleBody } from '../../collision/capsule-body.ts';
import { ballLoad, type Load, sumLoads } from '../../dynamics/load.ts';
import { type CellModel, loadOfBody } from '../cell-model.ts';
import { addPoint, type Bundle, bodyOf, fill } from './capsule-bundle.ts';
import type { Gripper } from './gripper.ts';

/** Radius of the capsules of fingers and cups, and greatest one in a held body (m; own). */
const FINGER_RADIUS_M = 0.004;
/** Pads give way by this much before they push (m; own). */
const PAD_GIVE_M = 5e-4;
/** Length of a finger or cup above its tip (m; own). */
const FINGER_LENGTH_M = 0.04;
/** Nearest point of a finger to the flange (m): link 6 reaches so far. */
const FLANGE_CLEARANCE_M = 0.015;

/** Fingers at the present opening, or the cup. */
function addGripper({ model, opening }: Gripper, { ends, radii }: Bundle): void {
  const { description, frame } = model;
  const isJaws = description.kind === 'jaws';
  const radius = isJaws ? FINGER_RADIUS_M : Math.min(FINGER_RADIUS_M, description.radius_m);
  const low = isJaws ? description.pad_height_m / 2 - radius : -radius;
  const high = -Math.min(FINGER_LENGTH_M, Math.max(0, frame[2]! - FLANGE_CLEARANCE_M));
  if (high >= low) return;
  const across = isJaws ? Math.max(0, description.pad_width_m / 2 - radius) : 0;
  const beside = isJaws ? [-1, 1].map((side) => side * (opening / 2 + PAD_GIVE_M + radius)) : [0];
  for (const x of beside) {
    for (const y of across > 0 ? [-across, 0, across] : [0]) {
      addPoint(frame, x, y, high, ends);
      addPoint(frame, x, y, low, ends);
      radii.push(radius);
    }
  }
}

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
    addGripper(gripper, fingers);
    const { mass_kg = 0, tip_m } = gripper.model.description;
    const centre_of_mass_m = [tip_m.x / 2, tip_m.y / 2, tip_m.z / 2];
    loads.push({ ...ballLoad(mass_kg), centre_of_mass_m });
    if (gripper.holds < 0) continue;
    const body = model.bodies[gripper.holds]!;
    // What stands on a surface between jaws too weak for it neither moves with them nor loads them.
    const stays = gripper.isRelieved && !gripper.isSucking;
    if (!stays) fill(body, gripper.held, carried);
    if (!gripper.isRelieved) loads.push(loadOfBody(body, gripper.held));
  }
  return { gripper: bodyOf(fingers), held: bodyOf(carried), load: sumLoads(loads) };
}
