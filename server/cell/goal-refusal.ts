/** Whether an object is where a request wants it, and whether it can ever be. */

import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { ObjectUntilBody } from '../../contract/types.generated.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { objectState } from '../../physics/cell/cell-state.ts';
import { MM_PER_M } from '../../physics/cell/millimetres.ts';
import { goalProblems, WITHIN_MM } from '../../physics/cell/object-goal.ts';

/** Whether an object is where a request wants it. */
export function isThere(cell: CellPlant, i: number, wanted: ObjectUntilBody): boolean {
  const state = objectState(cell, i);
  if (wanted.held_by !== undefined) return state.held_by === wanted.held_by;
  // What is carried stands on something, but rests nowhere.
  const isCarried = state.status === 'carried';
  if (state.status !== 'resting' && state.status !== 'tipped' && !isCarried) return false;
  if (wanted.at === undefined) return !isCarried;
  const distance_m = cell.places.distanceFrom(wanted.at, i);
  if (distance_m === null) return cell.places.isOn(wanted.at, i);
  return distance_m * MM_PER_M <= (wanted.within_mm ?? WITHIN_MM);
}

/** The refusal of a goal that the cell can never reach, or null. */
export function goalRefusal(
  { model }: CellPlant,
  wanted: ObjectUntilBody,
): Refusal<'invalid_arguments'> | null {
  const problems = goalProblems(model.description, wanted);
  return problems.length > 0 ? refuse('invalid_arguments', problems) : null;
}
