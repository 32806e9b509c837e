/**
 * Checks whether a task or move can start now, and returns the reasons if not. Uses actual
 * locations and ends, not planned ones.
 */
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { Plan, PlannedLabwareMove } from '../plan/problem.ts';
import { shiftStart_s, shiftsSince, timeOfDayText } from '../plan/shifts.ts';
import { isPlaceOn, locationKey, type SlotLocation } from '../plan/slot-location.ts';
import { EPSILON_S } from '../plan/time-tolerance.ts';
import type { Neighbours } from '../workcell/neighbours.ts';
import type { RunProgress } from './progress.ts';
import type { RunSupplies } from './run-supplies.ts';
import type { TimeLimits } from './time-limits.ts';

export interface WorkcellState {
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
  /** Since when an instrument is down (s since the start of the run); null for one that is up. */
  readonly downSince_s: (instrument: number) => number | null;
  /** When the last task on an instrument ended (s); −Infinity for none. */
  readonly lastEnd_s: (instrument: number) => number;
  /** When the first of the active runs began (s, not above 0). */
  readonly begun_s: number;
  /** The time of day at the start of the run (s since midnight, UTC). */
  readonly clock_s: number;
  readonly limits: TimeLimits;
  readonly supplies: RunSupplies;
  readonly neighbours: Neighbours;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
}

function locationName({ model }: WorkcellState, { instrument, slot }: SlotLocation): string {
  return `${model.instruments[instrument]!.id} slot ${slot}`;
}

/** The tasks that run on an instrument, of this run and of others. */
function runningOn({ model, progress, neighbours }: WorkcellState, instrument: number): string[] {
  const own = progress.runningTasks.filter((one) => progress.tasks[one]!.instrument === instrument);
  return [...own.map((one) => model.tasks[one]!.id), ...neighbours.runningOn(instrument)];
}

/** The pieces that are being carried into a closed instrument or out of it: it is open for them. */
export function carriedAt(
  { model, progress, neighbours }: WorkcellState,
  instrument: number,
): string[] {
  if (!model.instruments[instrument]!.closed) return [];
  const own = progress.movesAt(instrument).map(({ labware }) => model.labware[labware]!.id);
  return [...own, ...neighbours.carriedAt(instrument)];
}

/** When an instrument has cooled down after its last task, and when it is warm (s). */
export function restEnds_s(
  { model, lastEnd_s, begun_s }: WorkcellState,
  instrument: number,
): { readonly cool_s: number; readonly warm_s: number } {
  const { cool_s = 0, warm_up_s = 0 } = model.instruments[instrument] ?? {};
  return { cool_s: cool_s > 0 ? lastEnd_s(instrument) + cool_s : 0, warm_s: begun_s + warm_up_s };
}

/** From when on a task fits into a shift of an instrument (s); now where it fits. */
export function shiftFrom_s(workcell: WorkcellState, task: number, instrument: number): number {
  const { model, clock_s, now_s } = workcell;
  const { shifts } = model.instruments[instrument] ?? {};
  if (!shifts) return now_s();
  const { estimate_s } = model.tasks[task]!;
  return shiftStart_s(shiftsSince(shifts, clock_s), now_s() - EPSILON_S, estimate_s);
}

/** The reason of what waits for a time; empty once that has come. */
function untilReasons({ now_s }: WorkcellState, what: string, time_s: number): string[] {
  const left_s = time_s - now_s();
  return left_s > EPSILON_S ? [`${what} ${Math.ceil(left_s - EPSILON_S)} s`] : [];
}

/** Why an instrument that is not busy does no task yet. */
export function restReasons(workcell: WorkcellState, task: number, instrument: number): string[] {
  const { model, clock_s, now_s } = workcell;
  const { id } = model.instruments[instrument] ?? {};
  const { cool_s, warm_s } = restEnds_s(workcell, instrument);
  const shift_s = shiftFrom_s(workcell, task, instrument);
  const isOff = shift_s > now_s() + EPSILON_S;
  return [
    ...(isOff ? [`${id} works again from ${timeOfDayText(clock_s + shift_s)}`] : []),
    ...untilReasons(workcell, `${id} cools down for`, cool_s),
    ...untilReasons(workcell, `${id} warms up for`, warm_s),
  ];
}

/** Why a closed instrument lets nothing in or out. */
function closedReasons(workcell: WorkcellState, instrument: number): string[] {
  const { id, closed } = workcell.model.instruments[instrument] ?? {};
  if (!closed) return [];
  const tasks = runningOn(workcell, instrument);
  if (tasks.length > 0) return [`${id} is closed while it does ${tasks.join(', ')}`];
  return untilReasons(workcell, `${id} cools down for`, restEnds_s(workcell, instrument).cool_s);
}

/** Returns the piece in a slot, other than `except`; undefined for none. */
function holderOf(
  { model, progress, neighbours }: WorkcellState,
  location: SlotLocation,
  except: number,
): string | undefined {
  if (model.instruments[location.instrument]!.slotless) return undefined;
  const key = locationKey(location);
  const index = progress.locations.findIndex(
    (one, labware) => labware !== except && one !== null && locationKey(one) === key,
  );
  return model.labware[index]?.id ?? neighbours.holderOf(location);
}

function dependencyReasons({ model, progress }: WorkcellState, task: number): string[] {
  return model.tasks[task]!.after.filter((other) => !progress.isDone(other)).map(
    (other) => `task ${model.tasks[other]!.id} has not ended`,
  );
}

function labwareReasons(workcell: WorkcellState, task: number, instrument: number): string[] {
  const { model, progress } = workcell;
  return model.tasks[task]!.uses.flatMap(({ labware, slot, slot_after }) => {
    const { id } = model.labware[labware]!;
    const location = progress.locations[labware];
    if (progress.held.has(labware)) return [`${id} is on hold`];
    if (progress.nextTaskOf(labware) !== task) return [`${id} is needed by another task first`];
    if (!location) return [`${id} is in the gripper`];
    if (!isPlaceOn(location, instrument, slot))
      return [`${id} is still in ${locationName(workcell, location)}`];
    const after = { instrument, slot: slot_after };
    const holder = slot_after === slot ? undefined : holderOf(workcell, after, labware);
    return holder ? [`${locationName(workcell, after)} is held by ${holder}`] : [];
  });
}

/** Returns why a task cannot start on an instrument; empty if it can. */
export function taskReasons(workcell: WorkcellState, task: number, instrument: number): string[] {
  return [
    ...blockingReasons(workcell, task, instrument),
    ...restReasons(workcell, task, instrument),
    ...delayReasons(workcell, task),
    ...workcell.limits.reasons(task),
  ];
}

/** The reason of a task that has failed and is tried again by itself later. */
function delayReasons(workcell: WorkcellState, task: number): string[] {
  const { not_before_s } = workcell.progress.tasks[task]!;
  return untilReasons(workcell, 'it is tried again in', not_before_s);
}

/** Which pairs of slots of an instrument are half filled. */
export function balanceReasons(workcell: WorkcellState, instrument: number): string[] {
  const { id, balance = [] } = workcell.model.instruments[instrument] ?? {};
  const isFilled = (slot: number) => holderOf(workcell, { instrument, slot }, -1) !== undefined;
  return balance.flatMap((pair) => {
    const [full, empty] = isFilled(pair[0]!) ? pair : [...pair].reverse();
    if (!isFilled(full!) || isFilled(empty!)) return [];
    return [`${id} slot ${empty} is empty, which balances slot ${full}`];
  });
}

/** The reasons that do not pass with time alone, as the least time of a limit does. */
export function blockingReasons(
  workcell: WorkcellState,
  task: number,
  instrument: number,
): string[] {
  const reasons = [
    ...dependencyReasons(workcell, task),
    ...labwareReasons(workcell, task, instrument),
    ...workcell.supplies.reasons(task),
  ];
  if (instrument < 0) return reasons;
  const { id, capacity } = workcell.model.instruments[instrument]!;
  if (workcell.downSince_s(instrument) !== null) reasons.push(`${id} is down`);
  reasons.push(...balanceReasons(workcell, instrument));
  const names = runningOn(workcell, instrument);
  if (names.length >= capacity) reasons.push(`${id} is busy with ${names.join(', ')}`);
  const carried = carriedAt(workcell, instrument);
  if (carried.length > 0) reasons.push(`${id} is open for ${carried.join(', ')}`);
  return reasons;
}

/** Whether a task that runs, or starts before a move by the plan, puts its piece into the target. */
export function isShiftedInto(
  { model, progress }: WorkcellState,
  { current }: { readonly current: Pick<Plan, 'tasks'> },
  { to, labware, start_s }: PlannedLabwareMove,
): boolean {
  if (model.instruments[to.instrument]!.slotless) return false;
  return current.tasks.some(({ task, instrument, start_s: first_s }) => {
    const { state } = progress.tasks[task]!;
    const comesFirst = state === 'running' || (state === 'waiting' && first_s < start_s);
    if (instrument !== to.instrument || !comesFirst) return false;
    return model.tasks[task]!.uses.some(
      (use) => use.labware !== labware && use.slot !== use.slot_after && use.slot_after === to.slot,
    );
  });
}

/** Returns why a move cannot start; empty if it can. */
export function moveReasons(
  workcell: WorkcellState,
  { labware, task, from, to, toBuffer = false }: PlannedLabwareMove,
): string[] {
  const { model, progress } = workcell;
  const { id } = model.labware[labware]!;
  const location = progress.locations[labware];
  if (!location) return [`${id} is in the gripper`];
  const reasons: string[] = [];
  if (locationKey(location) !== locationKey(from)) reasons.push(`${id} is not there yet`);
  const next = progress.nextTaskOf(labware);
  if (progress.held.has(labware)) reasons.push(`${id} is on hold`);
  const gripped = workcell.neighbours.gripped();
  if (gripped !== null) reasons.push(`the gripper holds ${gripped}`);
  const isNext = next === task || (toBuffer && next === undefined);
  if (!isNext) reasons.push(`${id} is needed by another task first`);
  // A move to a buffer after the last task may become due while that still runs.
  const running = progress.runningTasks.find((one) =>
    model.tasks[one]!.uses.some((use) => use.labware === labware),
  );
  if (running !== undefined) reasons.push(`task ${model.tasks[running]!.id} has not ended`);
  if (!toBuffer && task >= 0) reasons.push(...workcell.supplies.reasons(task));
  const holder = holderOf(workcell, to, labware);
  if (holder) reasons.push(`${locationName(workcell, to)} is held by ${holder}`);
  if (workcell.downSince_s(to.instrument) !== null)
    reasons.push(`${model.instruments[to.instrument]!.id} is down`);
  const ends = new Set([location.instrument, to.instrument]);
  for (const instrument of ends) reasons.push(...closedReasons(workcell, instrument));
  return reasons;
}
