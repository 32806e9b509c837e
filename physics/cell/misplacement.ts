/** Places for an object that a fault misplaces or brings back: free of what else is there. */
import type { FaultyParts } from './cell-faults.ts';
import { SOLID_POSE } from './pose.ts';
import { footprintOf } from './solids/footprint.ts';
import { overlapDepth, type Posed } from './solids/overlap.ts';
import { bottomOf } from './solids/solids.ts';
import { supportBeneath } from './support.ts';

/** Draws of a misplacement until it must fit. */
const DRAWS = 100;
/** A misplaced body may overlap others by this much (m): rounding. */
const PLACED_OVERLAP_M = 5e-4;

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
    (other) => overlapDepth(own, other, PLACED_OVERLAP_M) > PLACED_OVERLAP_M,
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
 * Draws an offset of body `i`, evenly within `spread_m` in x and in y, where it and what is sealed to
 * it stand free and stable; returns the frame of its bottom face, or null where none was found.
 */
export function drawMisplacement(
  cell: LooseParts & { readonly sealedTo: (i: number) => readonly number[] },
  i: number,
  spread_m: number,
  random: () => number,
): Float64Array | null {
  const { model, states } = cell;
  if (!states.isLoose(i)) return null;
  const at = SOLID_POSE * i;
  const moved = [i, ...cell.sealedTo(i)];
  for (let draw = 0; draw < DRAWS; draw++) {
    const poses = states.poses.slice();
    for (const k of [0, 1]) {
      const offset_m = (2 * random() - 1) * spread_m;
      for (const j of moved) poses[SOLID_POSE * j + k]! += offset_m;
    }
    if (!moved.every((j) => fits(cell, j, poses))) continue;
    const frame = poses.slice(at, at + SOLID_POSE);
    bottomOf(model.bodies[i]!, poses, at, frame);
    return frame;
  }
  return null;
}
