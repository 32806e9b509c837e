/** The state of a cell as the API shows it. */

import type {
  CellGripperState,
  CellObjectState,
  CellState,
} from '../../contract/types.generated.ts';
import type { Numbers } from '../math/vector.ts';
import { BODY_STATUS, statusName } from './body-states.ts';
import type { BodyModel } from './cell-model.ts';
import type { CellPlant } from './cell-plant.ts';
import { SOLID_POSE } from './pose.ts';
import { bottomOf } from './solids/solids.ts';
import { wireQuaternion, wireVector } from './wire-pose.ts';

const bottom = new Float64Array(3);

/** Whether a body of this status rests somewhere: what moves or is held is nowhere. */
function hasPlace(status: number): boolean {
  const { resting, tipped, carried } = BODY_STATUS;
  return status === resting || status === tipped || status === carried;
}

/** One object of the cell now. */
export function objectState(cell: CellPlant, i: number): CellObjectState {
  const { model, states } = cell;
  bottomOf(model.bodies[i]!, states.poses, SOLID_POSE * i, bottom);
  const holder = cell.grippers.find(({ holds }) => holds === i);
  return {
    name: model.bodies[i]!.name,
    position: wireVector(bottom),
    orientation: wireQuaternion(states.poses, SOLID_POSE * i + 3),
    status: statusName(states.status[i]!),
    at: hasPlace(states.status[i]!) ? cell.places.of(i) : null,
    held_by: holder?.name ?? null,
  };
}

/** Pose of a held body's bottom face in the flange frame. */
function heldPose(body: BodyModel, held: Numbers) {
  bottomOf(body, held, 0, bottom);
  return { position: wireVector(bottom), orientation: wireQuaternion(held, 3) };
}

/** What stands on what gripper `g` holds; nothing where nothing does. */
function carriedPart({ model, carried }: CellPlant, g: number): Pick<CellGripperState, 'carries'> {
  const carries = carried.posesAt(g).map(({ body, pose }) => ({
    object: model.bodies[body]!.name,
    ...heldPose(model.bodies[body]!, pose),
  }));
  return carries.length === 0 ? {} : { carries };
}

/** The whole cell now. */
export function cellState(cell: CellPlant): CellState {
  const { model, signals, grippers } = cell;
  return {
    objects: model.bodies.map((_, i) => objectState(cell, i)),
    grippers: grippers.map((gripper, g) => ({
      name: gripper.name,
      opening_m: gripper.opening_m,
      closed: gripper.isClosed,
      holds: gripper.holds < 0 ? null : model.bodies[gripper.holds]!.name,
      ...(gripper.holds >= 0 && { holds_at: heldPose(model.bodies[gripper.holds]!, gripper.held) }),
      ...carriedPart(cell, g),
    })),
    sensors: signals.sensors.map(({ description: { name }, isActive: active, level: value }) => ({
      name,
      active,
      value,
    })),
    conveyors: signals.belts.map(({ model: { name }, isRunning: running, travel_m }) => ({
      name,
      running,
      travel_m,
    })),
    controls: model.controls.map(({ name }, i) => ({ name, active: signals.controls[i] === 1 })),
  };
}
