/**
 * Injected faults of a cell's parts: how each acts, its state for snapshots, and the sentences with
 * which reports name the active ones. Times in s. The parts are numbers in the model's order.
 */
import type { ArmOverlap } from '../plant/environment-forces.ts';
import type { CellModel } from './cell-model.ts';
import type { Gripper } from './grippers.ts';
import { BODY_STATUS, type BodyStates } from './loose-bodies.ts';
import { type SensorFault, SOUND_SENSOR } from './sensors.ts';
import type { Signals } from './signals.ts';
import { bottomOf, overlapDepth, type Posed, SOLID_POSE } from './solids.ts';
import { footprintOf, supportBeneath } from './support.ts';

/** Injected faults of one gripper; null: none. Times count from the grasp (s). */
export interface GripperFault {
  /** The gripper does not move. */
  readonly isJammed: boolean;
  /** From then on it holds with no force. */
  readonly slipsAfter_s: number | null;
  /** Its force falls evenly to nothing in this time. */
  readonly leaksIn_s: number | null;
}

/** A gripper without faults. */
export const SOUND_GRIPPER: GripperFault = {
  isJammed: false,
  slipsAfter_s: null,
  leaksIn_s: null,
};

/** Share of its force that a fault leaves to a gripper, `held_s` after the grasp. */
export function forceShareOf({ slipsAfter_s, leaksIn_s }: GripperFault, held_s: number): number {
  if (slipsAfter_s !== null && held_s >= slipsAfter_s) return 0;
  return leaksIn_s === null ? 1 : Math.max(0, 1 - held_s / leaksIn_s);
}

/** The fault behind a lost grip, as the end of a sentence; empty without one. */
export function lostGripCause(
  { slipsAfter_s }: GripperFault,
  share: number,
  force_n: number,
): string {
  if (share === 1) return '';
  if (slipsAfter_s !== null) return `; its grip failed ${slipsAfter_s} s after the grasp`;
  return `; its vacuum leaks and holds ${(force_n * share).toFixed(1)} N`;
}

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

/** Draws of a misplacement until it must fit. */
const DRAWS = 100;
/** A misplaced body may overlap others by this much (m): rounding. */
const OVERLAP_M = 5e-4;

type LooseParts = Pick<FaultyParts, 'model' | 'states' | 'armAt'>;

/** Bodies of the arm, of which each may be above another. */
const ARM_PARTS = 9;

/** What body `i` would overlap with these poses, beside the arm. */
function overlapped({ model, states }: LooseParts, i: number, poses: Poses): Posed[] {
  const posed = (j: number) => ({ solid: model.bodies[j]!, pose: poses, at: SOLID_POSE * j });
  const own = posed(i);
  const fixtures = model.statics.map((solid) => ({ solid, pose: solid.pose, at: 0 }));
  const others = model.bodies.flatMap((_, j) => (j !== i && states.isLoose(j) ? [posed(j)] : []));
  return [...fixtures, ...others].filter(
    (other) => overlapDepth(own, other, OVERLAP_M) > OVERLAP_M,
  );
}

/** Raises a body above everything that it overlaps, the arm too; false where it was free. */
export function raiseUntilFree(cell: LooseParts, i: number): boolean {
  const { model, states } = cell;
  const { poses } = states;
  const at = SOLID_POSE * i;
  const parts = model.statics.length + model.bodies.length + ARM_PARTS;
  for (let raised = 0; raised < parts; raised++) {
    const inside = overlapped(cell, i, poses);
    const arm = cell.armAt(i, poses);
    if (inside.length === 0 && arm === null) return raised > 0;
    const tops = inside.map((other) => footprintOf(other.solid, other.pose, other.at).high);
    if (arm) tops.push(arm.top_m);
    poses[at + 2]! += Math.max(...tops) - footprintOf(model.bodies[i]!, poses, at).low;
  }
  return true;
}

/** Whether a loose body would stand free and stable with these poses. */
function fits(cell: LooseParts, i: number, poses: Poses) {
  const { model, states } = cell;
  if (overlapped(cell, i, poses).length > 0 || cell.armAt(i, poses)) return false;
  const isSolid = (j: number) => states.isLoose(j);
  return supportBeneath({ model, poses, isSolid }, i)?.isStable === true;
}

type Poses = Float64Array<ArrayBufferLike>;

/**
 * Draws an offset of body `i`, evenly within `spread_m` in x and in y, where it stands free and
 * stable; returns the frame of its bottom face, or null where none was found.
 */
export function drawMisplacement(
  cell: LooseParts,
  i: number,
  spread_m: number,
  random: () => number,
): Float64Array | null {
  const { model, states } = cell;
  if (!states.isLoose(i)) return null;
  const at = SOLID_POSE * i;
  for (let draw = 0; draw < DRAWS; draw++) {
    const poses = states.poses.slice();
    for (const k of [0, 1]) poses[at + k]! += (2 * random() - 1) * spread_m;
    if (!fits(cell, i, poses)) continue;
    const frame = poses.slice(at, at + SOLID_POSE);
    bottomOf(model.bodies[i]!, poses, at, frame);
    return frame;
  }
  return null;
}

const MM_PER_M = 1000;

function gripperText({ name, fault }: Gripper): string[] {
  const { isJammed, slipsAfter_s, leaksIn_s } = fault;
  if (isJammed) return [`${name} is jammed`];
  if (slipsAfter_s !== null) return [`${name} loses its grip ${slipsAfter_s} s after a grasp`];
  return leaksIn_s === null ? [] : [`${name} loses its vacuum within ${leaksIn_s} s`];
}

/** What is wrong by injection, in sentences, for object `i`: its own faults and those of parts. */
export function faultTexts({ model, states, grippers, signals }: FaultyParts, i: number): string[] {
  const { name } = model.bodies[i]!;
  const moved = states.misplaced[i]!;
  return [
    ...(states.status[i] === BODY_STATUS.missing ? [`${name} is missing`] : []),
    ...(moved > 0 ? [`${name} was misplaced by ${(moved * MM_PER_M).toFixed(1)} mm`] : []),
    ...grippers.flatMap(gripperText),
    ...signals.sensors.flatMap(({ description, fault, level }) => {
      if (fault.isStuck) return [`${description.name} is stuck at ${level}`];
      return fault.late_s > 0 ? [`${description.name} is ${fault.late_s} s late`] : [];
    }),
    ...signals.belts.flatMap((belt) => (belt.isBroken ? [`${belt.model.name} stopped`] : [])),
  ];
}
