/** The moves that a plan of a workflow may contain: for its tasks, and into and out of buffers. */
import type { PlanLabware } from '../plan/problem.ts';
import { locationKey, type SlotLocation } from '../plan/slot-location.ts';
import type { ModelTask } from './workflow-model.ts';

export interface MoveSources {
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
export function possibleMoves({ labware, tasks }: MoveSources): PossibleMove[] {
  return labware.flatMap((piece, l) => {
    let locations: SlotLocation[] = [piece.location];
    return piece.tasks.flatMap((task) => {
      const use = tasks[task]!.uses.find((one) => one.labware === l);
      if (!use || tasks[task]!.skip) return [];
      const { candidates } = tasks[task]!;
      const targets = candidates.map((instrument) => ({ instrument, slot: use.slot }));
      const moves = locations.flatMap((from) =>
        targets.flatMap((to) =>
          locationKey(from) === locationKey(to) ? [] : [{ from, to, task, labware: l }],
        ),
      );
      locations = candidates.map((instrument) => ({ instrument, slot: use.slot_after }));
      return moves;
    });
  });
}

interface SideSlots {
  readonly buffers: readonly SlotLocation[];
  readonly rejects: readonly SlotLocation[];
}

/** Returns every move into or out of a buffer, and to a reject, that a plan may contain. */
export function bufferMoves({
  labware,
  tasks,
  buffers,
  rejects,
}: MoveSources & SideSlots): Omit<PossibleMove, 'task' | 'labware'>[] {
  if (buffers.length + rejects.length === 0) return [];
  const places = new Map<string, SlotLocation>();
  for (const { tasks: chain, location } of labware) {
    if (chain.length > 0) places.set(locationKey(location), location);
  }
  for (const { candidates, uses } of tasks) {
    for (const instrument of candidates) {
      for (const { slot, slot_after } of uses) {
        for (const place of [slot, slot_after]) {
          const location = { instrument, slot: place };
          places.set(locationKey(location), location);
        }
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
