/** Hand-made workflow models of a few tasks, for tests of single modules. Test code. */
import type { TransportConfig } from '../../contract/types.generated.ts';
import type { LabwareUse, PlanLabware } from '../plan/problem.ts';
import {
  type ArmTransportSetup,
  failureActionsOf,
  failurePolicyOf,
  type ModelInstrument,
  type ModelTask,
  type WorkflowModel,
} from './workflow-model.ts';

export const HOME = [0, 0.4, -1.8, 0, -1.4, 0] as const;

/** The pose of a test station: the home pose with another base angle (rad). */
export function pose(turn_rad: number): [number, number, number, number, number, number] {
  return [turn_rad, 0.4, -1.8, 0, -1.4, 0];
}

export const CONFIG: TransportConfig = {
  home: [...HOME],
  default_max_speed: 0.5,
  gripper: { location: 'end_effector', type: 'digital', index: 0, closed: true, settle_s: 0.5 },
  stations: {},
};

/** An instrument of a model with so many slots. */
export function device(id: string, capacity = 1, rest: Partial<ModelInstrument> = {}) {
  return {
    id,
    capacity,
    slots: capacity,
    slotless: false,
    type: id,
    bench: id,
    mappings: [],
    ...rest,
  };
}

/** A task of 10 s on the instruments `on`; uses are piece, slot and slot afterwards. */
export function job(
  id: string,
  on: readonly number[],
  uses: readonly (readonly [number, number, number?])[] = [],
): ModelTask {
  return {
    id,
    candidates: on,
    after: [],
    uses: uses.map(([labware, slot, slot_after = slot]): LabwareUse => {
      return { labware, slot, slot_after };
    }),
    action: 'act',
    estimate_s: 10,
    execution_s: 10,
    time_out_s: Number.POSITIVE_INFINITY,
    succeeds: true,
    skip: false,
    failureActions: failureActionsOf(),
    onFailure: failurePolicyOf(failureActionsOf()),
  };
}

/** A piece in a slot of an instrument, with its tasks in order. */
export function piece(
  id: string,
  [instrument, slot]: readonly [number, number],
  tasks: readonly number[] = [],
): PlanLabware {
  return { id, location: { instrument, slot }, tasks };
}

/** An arm with stations by `locationKey`. */
export function armOf(keys: readonly string[], config = CONFIG): ArmTransportSetup {
  const stations = keys.map((key, i) => {
    return [key, { approach: pose((i + 1) / 10), grip: pose((2 * i + 3) / 20) }] as const;
  });
  return { config, stations: new Map(stations) };
}

/** A model of these parts; moves take 5 s. */
export function modelOf(parts: Partial<WorkflowModel>): WorkflowModel {
  return {
    name: 'small',
    instruments: [],
    tasks: [],
    labware: [],
    supplies: [],
    constraints: [],
    hooks: [],
    buffers: [],
    rejects: [],
    arm: null,
    seed: 1,
    default_move_s: 5,
    pathTimes_s: new Map(),
    ...parts,
  };
}
