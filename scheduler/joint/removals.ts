/** The moves that take given-up labware out of the way, to a free slot of a reject. */

import type { PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import { GONE, locationKey, type SlotLocation } from '../plan/slot-location.ts';
import type { Part } from './joint-problem.ts';
import type { JointWorld } from './planned-run.ts';

/** The slots that a piece has, or is on its way to. */
function takenSlots(world: JointWorld, parts: readonly Part[]): Set<string> {
  const places: SlotLocation[] = [...world.statics.values()];
  for (const { progress } of parts) {
    for (const at of progress.locations) if (at) places.push(at);
    for (const { move, end_s } of progress.moves) if (end_s === null) places.push(move.to);
  }
  return new Set(places.map(locationKey));
}

/** When the arm, a piece and the closed instrument that it is in are free, in seconds since the start of the run. */
function free_s({ run, progress }: Part, labware: number, now_s: number): number {
  const { instrument } = progress.locations[labware]!;
  const isClosed = run.model.instruments[instrument]?.closed === true;
  const holds = (one: PlannedTask) =>
    (isClosed && one.instrument === instrument) ||
    progress.usesOf(one.task).some((use) => use.labware === labware);
  const busy = progress.started(now_s).filter((one) => one.kind === 'move' || holds(one));
  return Math.max(now_s, ...busy.map(({ end_s }) => end_s));
}

/**
 * Adds to each active part the moves of its given-up labware, one after the other: they come before
 * all that is planned, because a piece that is given up stands in the way.
 */
export function withRemovals(world: JointWorld, parts: readonly Part[], now_s: number): Part[] {
  const taken = takenSlots(world, parts);
  let arm_s = now_s;
  return parts.map((part) => {
    const { run, progress, offset_s } = part;
    const { rejects } = run.model;
    const removals: PlannedLabwareMove[] = [];
    if (!run.isActive || rejects.length === 0) return part;
    for (const labware of progress.givenUp) {
      const from = progress.locations[labware];
      if (!from || from === GONE || rejects.some((one) => locationKey(one) === locationKey(from)))
        continue;
      const to = rejects.find((one) => !taken.has(locationKey(one)));
      const time_s = to && run.moves.time_s(from, to);
      if (to === undefined || time_s === undefined || time_s === null) continue;
      taken.add(locationKey(to));
      const start_s = Math.max(arm_s - offset_s, free_s(part, labware, now_s - offset_s));
      const end_s = start_s + time_s;
      removals.push({ task: -1, labware, from, to, start_s, end_s, toBuffer: true });
      arm_s = end_s + offset_s;
    }
    return { ...part, removals };
  });
}
