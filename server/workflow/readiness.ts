/**
 * Whether a task or a move of the plan can begin, and if not why: in the words that `waiting` of a
 * run shows. Actual places and ends count, not planned ones.
 */
import { stationKey, type WorkflowModel } from './model.ts';
import type { Place, PlannedMove } from './plan/problem.ts';
import type { Progress } from './progress.ts';

export interface Floor {
  readonly model: WorkflowModel;
  readonly progress: Progress;
  readonly isDown: (instrument: number) => boolean;
}

function placeName({ model }: Floor, { instrument, slot }: Place): string {
  return `${model.instruments[instrument]!.id} slot ${slot}`;
}

/** The piece that stands in a slot, another than `except`; undefined for none. */
function holderOf({ model, progress }: Floor, place: Place, except: number): string | undefined {
  if (model.instruments[place.instrument]!.slotless) return undefined;
  const key = stationKey(place);
  const index = progress.places.findIndex(
    (one, labware) => labware !== except && one !== null && stationKey(one) === key,
  );
  return model.labware[index]?.id;
}

function dependencyReasons({ model, progress }: Floor, task: number): string[] {
  return model.tasks[task]!.after.filter((other) => !progress.isDone(other)).map(
    (other) => `task ${model.tasks[other]!.id} has not ended`,
  );
}

function labwareReasons(floor: Floor, task: number, instrument: number): string[] {
  const { model, progress } = floor;
  return model.tasks[task]!.uses.flatMap(({ labware, slot, slot_after }) => {
    const { id } = model.labware[labware]!;
    const place = progress.places[labware];
    if (progress.nextTaskOf(labware) !== task) return [`${id} is needed by another task first`];
    if (!place) return [`${id} is in the gripper`];
    const there = place.instrument === instrument && place.slot === slot;
    if (!there) return [`${id} is still in ${placeName(floor, place)}`];
    const after = { instrument, slot: slot_after };
    const holder = slot_after === slot ? undefined : holderOf(floor, after, labware);
    return holder ? [`${placeName(floor, after)} is held by ${holder}`] : [];
  });
}

/** Why a task cannot begin on an instrument; empty when it can. */
export function taskReasons(floor: Floor, task: number, instrument: number): string[] {
  const { model, progress } = floor;
  const reasons = [...dependencyReasons(floor, task), ...labwareReasons(floor, task, instrument)];
  if (instrument < 0) return reasons;
  const { id, capacity } = model.instruments[instrument]!;
  if (floor.isDown(instrument)) reasons.push(`${id} is down`);
  const busy = progress.runningTasks.filter(
    (other) => progress.tasks[other]!.instrument === instrument,
  );
  if (busy.length >= capacity) {
    reasons.push(`${id} is busy with ${busy.map((other) => model.tasks[other]!.id).join(', ')}`);
  }
  return reasons;
}

/** Why a move cannot begin; empty when it can. */
export function moveReasons(floor: Floor, { labware, task, from, to }: PlannedMove): string[] {
  const { model, progress } = floor;
  const { id } = model.labware[labware]!;
  const place = progress.places[labware];
  if (!place) return [`${id} is in the gripper`];
  const reasons: string[] = [];
  if (stationKey(place) !== stationKey(from)) reasons.push(`${id} is not there yet`);
  if (progress.nextTaskOf(labware) !== task) reasons.push(`${id} is needed by another task first`);
  const holder = holderOf(floor, to, labware);
  if (holder) reasons.push(`${placeName(floor, to)} is held by ${holder}`);
  if (floor.isDown(to.instrument)) reasons.push(`${model.instruments[to.instrument]!.id} is down`);
  return reasons;
}
