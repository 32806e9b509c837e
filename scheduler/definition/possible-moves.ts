/** The moves that a plan of a workflow may contain: for its tasks, and into and out of buffers. */
import { type PlanInstrument, type PlanLabware, placesFor } from '../plan/problem.ts';
import { isPlaceOn, locationKey, type SlotLocation } from '../plan/slot-location.ts';
import type { ModelTask } from './workflow-model.ts';

export interface MoveSources {
  readonly instruments: readonly PlanInstrument[];
  readonly labware: readonly PlanLabware[];
  readonly tasks: readonly ModelTask[];
}

/** A move that a plan may contain, and the task that needs it. */
export interface PossibleMove {
  readonly from: SlotLocation;
  readonly to: SlotLocation;
  readonly task: number;
  readonly labware: number;
}

/** Returns every move that a plan may contain. */
export function possibleMoves(sources: MoveSources): PossibleMove[] {
  const { labware, tasks } = sources;
  return labware.flatMap((piece, l) => {
    let locations: SlotLocation[] = [piece.location];
    return piece.tasks.flatMap((task) => {
      const use = tasks[task]!.uses.find((one) => one.labware === l);
      if (!use || tasks[task]!.skip) return [];
      const { candidates, conditions = [] } = tasks[task]!;
      const targets = placesFor(sources, candidates, use.slot);
      const moves = locations.flatMap((from) =>
        targets.flatMap((to) =>
          isPlaceOn(from, to.instrument, use.slot) ? [] : [{ from, to, task, labware: l }],
        ),
      );
      const after = placesFor(sources, candidates, use.slot_after);
      // One that is perhaps not done leaves the piece where it was.
      locations = conditions.length > 0 ? [...locations, ...after] : after;
      return moves;
    });
  });
}

interface SideSlots {
  readonly buffers: readonly SlotLocation[];
  readonly rejects: readonly SlotLocation[];
}

/** Returns every move into or out of a buffer, and to a reject, that a plan may contain. */
export function bufferMoves(
  sources: MoveSources & SideSlots,
): Omit<PossibleMove, 'task' | 'labware'>[] {
  const { labware, tasks, buffers, rejects } = sources;
  if (buffers.length + rejects.length === 0) return [];
  const places = new Map<string, SlotLocation>();
  for (const { tasks: chain, location } of labware) {
    if (chain.length > 0) places.set(locationKey(location), location);
  }
  for (const { candidates, uses } of tasks) {
    const slots = uses.flatMap((use) => [use.slot, use.slot_after]);
    for (const instrument of candidates) {
      for (const place of slots.flatMap((slot) => placesFor(sources, [instrument], slot))) {
        places.set(locationKey(place), place);
      }
    }
  }
  const rejections = rejects.flatMap((to) =>
    [...places.values(), ...buffers]
      .filter((from) => locationKey(from) !== locationKey(to))
      .map((from) => ({ from, to })),
  );
  const visits = buffers.flatMap((buffer) =>
    [...places.values()]
      .filter((place) => locationKey(place) !== locationKey(buffer))
      .flatMap((place) => [
        { from: place, to: buffer },
        { from: buffer, to: place },
      ]),
  );
  return [...visits, ...rejections];
}
