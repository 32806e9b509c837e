/**
 * Injected faults of a cell's parts: how they start and end, and their state for snapshots. Times
 * in s. The parts are numbers in the model's order.
 */

import type { ArmOverlap } from '../plant/environment-forces.ts';
import { BODY_STATUS, type BodyStates } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import type { Gripper } from './grippers/gripper.ts';
import { type GripperFault, SOUND_GRIPPER } from './grippers/gripper-fault.ts';
import { type SensorFault, SOUND_SENSOR } from './sensors.ts';
import type { Signals } from './signals.ts';

/** A fault of one part, as plain data. */
export type CellFault =
  | { readonly part: 'gripper'; readonly index: number; readonly fault: GripperFault }
  | { readonly part: 'sensor'; readonly index: number; readonly fault: SensorFault }
  /** The belt stands still. */
  | { readonly part: 'conveyor'; readonly index: number }
  /** The object is not there. */
  | { readonly part: 'object'; readonly index: number };

/** The parts on which faults act. */
export interface FaultyParts {
  readonly model: CellModel;
  readonly states: BodyStates;
  readonly grippers: readonly Gripper[];
  readonly signals: Signals;
  readonly setMissing: (i: number, isMissing: boolean) => void;
  /** How a body would meet the arm with these poses; null where it would not. */
  readonly armAt: (i: number, poses: Float64Array) => ArmOverlap | null;
}

/** Starts a fault, or ends it. */
export function setCellFault(parts: FaultyParts, { part, index, ...rest }: CellFault, on: boolean) {
  const { grippers, signals, states } = parts;
  if ('fault' in rest && part === 'gripper') {
    grippers[index]!.fault = on ? (rest.fault as GripperFault) : SOUND_GRIPPER;
  } else if ('fault' in rest) {
    signals.sensors[index]!.fault = on ? (rest.fault as SensorFault) : SOUND_SENSOR;
  } else if (part === 'conveyor') signals.belts[index]!.isBroken = on;
  else {
    const isMissing = states.status[index] === BODY_STATUS.missing;
    if (isMissing !== on) parts.setMissing(index, on);
  }
}

/** Ends all faults. */
export function clearCellFaults(parts: FaultyParts): void {
  for (const gripper of parts.grippers) gripper.fault = SOUND_GRIPPER;
  for (const sensor of parts.signals.sensors) sensor.fault = SOUND_SENSOR;
  for (const belt of parts.signals.belts) belt.isBroken = false;
  parts.states.status.forEach((status, i) => {
    if (status === BODY_STATUS.missing) parts.setMissing(i, false);
  });
}

/** The faults of grippers, sensors and conveyors; missing objects are in the states. */
export function saveCellFaults({ grippers, signals }: FaultyParts) {
  return {
    grippers: grippers.map(({ fault }) => fault),
    sensors: signals.sensors.map(({ fault }) => fault),
    belts: signals.belts.map(({ isBroken }) => isBroken),
  };
}

/** Restores what `saveCellFaults` returned. */
export function loadCellFaults(
  { grippers, signals }: FaultyParts,
  saved: ReturnType<typeof saveCellFaults>,
): void {
  grippers.forEach((gripper, i) => {
    gripper.fault = saved.grippers[i]!;
  });
  signals.sensors.forEach((sensor, i) => {
    sensor.fault = saved.sensors[i]!;
  });
  signals.belts.forEach((belt, i) => {
    belt.isBroken = saved.belts[i]!;
  });
}
