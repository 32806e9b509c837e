import { type PlanProblem, placesFor } from './problem.ts';
import { isPlaceOn, type SlotLocation } from './slot-location.ts';

/** Possible locations of a piece before the i-th task of its chain. */
function sourcesOf(problem: PlanProblem, labware: number, i: number): SlotLocation[] {
  const piece = problem.labware[labware]!;
  if (i === 0) return [piece.location, ...problem.buffers];
  const task = problem.tasks[piece.tasks[i - 1]!]!;
  const use = task.uses.find((one) => one.labware === labware)!;
  return [...placesFor(problem, task.candidates, use.slot_after), ...problem.buffers];
}

/** Least time of the move of a piece for the i-th task of its chain (s). */
export function shortestMove_s(problem: PlanProblem, labware: number, i: number): number {
  const task = problem.tasks[problem.labware[labware]!.tasks[i]!]!;
  const { slot } = task.uses.find((one) => one.labware === labware)!;
  let least = Number.POSITIVE_INFINITY;
  const targets = placesFor(problem, task.candidates, slot);
  for (const from of sourcesOf(problem, labware, i)) {
    for (const to of targets) {
      const time_s = isPlaceOn(from, to.instrument, slot) ? 0 : problem.move_s(from, to);
      if (time_s !== null) least = Math.min(least, time_s);
    }
  }
  return Number.isFinite(least) ? least : 0;
}
