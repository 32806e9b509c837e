/**
 * Checks whether a task or move can start, a run can resume and a failed task can be retried or
 * skipped, and returns the reasons if not. Uses actual locations and ends, not planned ones. The
 * safety state follows webhooks §2.2.
 */

import type { Robot } from '../robot/robot.ts';
import { locationKey, type WorkflowModel } from './model.ts';
import type { PlannedLabwareMove, SlotLocation } from './plan/problem.ts';
import type { RunProgress } from './progress.ts';
import type { Neighbours } from './shared-workcell.ts';
import type { TimeLimits } from './time-limits.ts';

export type SafetyState = 'ok' | 'emergency_stop' | 'protective_stop';

/** Returns the safety state of the workcell from the robot state. */
export function safetyOf({ memory }: Robot): SafetyState {
  if (memory.estop) return 'emergency_stop';
  return memory.state === 'collision' ? 'protective_stop' : 'ok';
}

/** Name of each safety state in messages. */
export const SAFETY_TEXT: { readonly [State in SafetyState]: string } = {
  ok: '',
  emergency_stop: 'emergency stop',
  protective_stop: 'protective stop',
};

export interface WorkcellState {
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
  readonly isDown: (instrument: number) => boolean;
  readonly limits: TimeLimits;
  readonly neighbours: Neighbours;
}

function locationName({ model }: WorkcellState, { instrument, slot }: SlotLocation): string {
  return `${model.instruments[instrument]!.id} slot ${slot}`;
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
    const there = location.instrument === instrument && location.slot === slot;
    if (!there) return [`${id} is still in ${locationName(workcell, location)}`];
    const after = { instrument, slot: slot_after };
    const holder = slot_after === slot ? undefined : holderOf(workcell, after, labware);
    return holder ? [`${locationName(workcell, after)} is held by ${holder}`] : [];
  });
}

/** Returns why a task cannot start on an instrument; empty if it can. */
export function taskReasons(workcell: WorkcellState, task: number, instrument: number): string[] {
  const { model, progress } = workcell;
  const reasons = [
    ...dependencyReasons(workcell, task),
    ...labwareReasons(workcell, task, instrument),
    ...workcell.limits.reasons(task),
  ];
  if (instrument < 0) return reasons;
  const { id, capacity } = model.instruments[instrument]!;
  if (workcell.isDown(instrument)) reasons.push(`${id} is down`);
  const busy = progress.runningTasks.filter(
    (other) => progress.tasks[other]!.instrument === instrument,
  );
  const names = busy.map((other) => model.tasks[other]!.id);
  names.push(...workcell.neighbours.runningOn(instrument));
  if (names.length >= capacity) reasons.push(`${id} is busy with ${names.join(', ')}`);
  return reasons;
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
  const holder = holderOf(workcell, to, labware);
  if (holder) reasons.push(`${locationName(workcell, to)} is held by ${holder}`);
  if (workcell.isDown(to.instrument))
    reasons.push(`${model.instruments[to.instrument]!.id} is down`);
  return reasons;
}

export interface RunConditions {
  readonly state: 'started' | 'paused' | 'stopped';
  readonly safety: SafetyState;
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
}

/** Returns why a run cannot be resumed, or null. */
export function resumeFault({ state, safety, progress, model }: RunConditions): string | null {
  if (state !== 'paused') return `The run is ${state}`;
  if (safety !== 'ok') return `The workcell is not safe: ${SAFETY_TEXT[safety]}`;
  const failed = progress.failedTasks.map((task) => model.tasks[task]!.id);
  return failed.length === 0
    ? null
    : `Retry, complete or skip the failed tasks first: ${failed.join(', ')}`;
}

/** What an operator may choose for a failed task. */
export type FailureChoice = 'retry' | 'complete' | 'skip';

/** Returns the index of a failed task, or why the action is not possible for it. */
export function failedTaskFor(
  { state, progress, model }: RunConditions,
  id: string,
  action: FailureChoice,
): number | string {
  const task = model.tasks.findIndex((one) => one.id === id);
  if (task < 0) return `There is no task ${id}`;
  const isFailed = state !== 'stopped' && progress.tasks[task]!.state === 'failed';
  if (!isFailed) return `Task ${id} has not failed in a paused run`;
  const { failureActions } = model.tasks[task]!;
  const { retries } = progress.tasks[task]!;
  if (!failureActions[action]) {
    return `Task ${id} does not allow ${action}; see its available_failure_actions`;
  }
  const isLimit = action === 'retry' && retries >= failureActions.max_retries;
  return isLimit ? `Task ${id} was retried ${retries} times, its max_retries` : task;
}
