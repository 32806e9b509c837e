/**
 * Publishes the events of a run: every event that can fire a hook, numbered, with the twin's time
 * (webhooks §2.3, §4). Also: the tasks on simulated instruments, which publish most of them; the
 * history of a run in wire format.
 */

import { limits } from '../../contract/limits.ts';
import type {
  LabwareMovement,
  LabwarePlace,
  NewPlan,
  RunDetails,
  RunEvent,
  RunFault,
  RunHead,
  RunMove,
  RunStateChange,
  RunTask,
  SafetyStateChange,
  TaskStateChange,
  WaitingTask,
  WorkflowPlan,
} from '../../contract/types.ts';
import type { Cancel, WallClock } from '../clock/clock.ts';
import { type Timers, type TwinTime, tickOf, timestamp } from '../clock/twin-time.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { RunRecord } from './archive.ts';
import type { SchedulingTerms } from './joint-problem.ts';
import type { WorkflowModel } from './model.ts';
import { planReply } from './plan/planner.ts';
import type { PlannedLabwareMove, PlannedTask } from './plan/problem.ts';
import type { MoveProgress, RunProgress } from './progress.ts';
import type { Run } from './run.ts';
import type { PreparedMoves } from './run-moves.ts';
import { moveReasons, taskReasons } from './run-plan.ts';
import type { LabwareTransporter } from './transporter.ts';
import type { SharedWorkcell } from './workcells.ts';

type Content<Body> = Omit<Body, 'run_id' | 'timestamp'>;

export type RunListener = (event: RunEvent) => void;

export class RunLog {
  /** Called before each event: what has come before it is published first. */
  beforeEach: () => void = () => {};
  private sequence = 0;
  /** The time of the latest event: a snapshot or a seed may set the twin's time back. */
  private latest = '';
  private readonly run_id: string;
  private readonly time: TwinTime;
  /** Called with every event, in order. */
  private readonly listener: RunListener;

  constructor(run_id: number, time: TwinTime, listener: RunListener) {
    this.run_id = String(run_id);
    this.time = time;
    this.listener = listener;
  }

  private head() {
    this.beforeEach();
    const now = timestamp(this.time);
    if (now > this.latest) this.latest = now;
    return { run_id: this.run_id, timestamp: this.latest };
  }

  private next(): number {
    return ++this.sequence;
  }

  run(state: RunStateChange['state'], message = ''): void {
    const body = { ...this.head(), state, message };
    this.listener({ sequence: this.next(), hook_type: 'RunStateChangeHook', body });
  }

  task(content: Content<TaskStateChange>): void {
    const body = { ...this.head(), ...content };
    this.listener({ sequence: this.next(), hook_type: 'TaskStateChangeHook', body });
  }

  safety(content: Content<SafetyStateChange>): void {
    const body = { ...this.head(), ...content };
    this.listener({ sequence: this.next(), hook_type: 'SafetyStateChangeHook', body });
  }

  labware(content: Content<LabwareMovement>): void {
    const body = { ...this.head(), ...content };
    this.listener({ sequence: this.next(), hook_type: 'LabwareMovementHook', body });
  }

  plan(content: Content<NewPlan>): void {
    const body = { ...this.head(), ...content };
    this.listener({ sequence: this.next(), hook_type: 'NewPlanHook', body });
  }
}

/** The dependencies of a run. */
export interface RunParts {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly transporter: LabwareTransporter;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly timers: Timers;
  readonly wall: WallClock;
  readonly log: RunLog;
  readonly faults: RunFaults;
  readonly progress: RunProgress;
  readonly schedule: SchedulingTerms;
  readonly shared: SharedWorkcell;
  /** Whether an instrument is down. */
  readonly isDown: (id: string) => boolean;
  /** The begun move of the piece that is in the gripper at the start; null for none. */
  readonly held: MoveProgress | null;
}

/** Runs tasks on simulated instruments: starts them, ends them by timers, publishes task events. */

/** Returns the requested faults that name unknown tasks. */
export function unknownFaults(
  { tasks }: WorkflowModel,
  faults: readonly RunFault[],
): { readonly path: string; readonly problem: string }[] {
  return faults.flatMap(({ task_id }, i) =>
    tasks.some(({ id }) => id === task_id)
      ? []
      : [{ path: `/faults/${i}/task_id`, problem: `there is no task ${task_id}` }],
  );
}

/** Failures of simulated instruments: injected with the start of a run, or by `mock_behaviour`. */
export class RunFaults {
  private readonly remaining = new Map<number, { error: string; times: number }>();
  private readonly model: WorkflowModel;

  constructor(model: WorkflowModel, faults: readonly RunFault[]) {
    this.model = model;
    for (const { task_id, error = 'injected fault', times = 1 } of faults) {
      const task = model.tasks.findIndex(({ id }) => id === task_id);
      if (task >= 0) this.remaining.set(task, { error, times });
    }
  }

  /** Returns the error with which a task ends now, or null if it succeeds. */
  nextFault(task: number): string | null {
    const fault = this.remaining.get(task);
    if (fault && fault.times > 0) {
      fault.times -= 1;
      return fault.error;
    }
    return this.model.tasks[task]!.succeeds ? null : 'the simulated instrument failed';
  }
}

export interface RunTasksParts {
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
  readonly log: RunLog;
  readonly faults: RunFaults;
  readonly time: TwinTime;
  readonly timers: Timers;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
  /** `error` is null if the task succeeded. */
  readonly onEnded: (task: number, error: string | null) => void;
}

/** Error of tasks that the end of their run interrupts. */
const RUN_STOPPED = 'the run was stopped';

export class RunTasks {
  private readonly ends = new Map<number, Cancel>();
  private readonly parts: RunTasksParts;

  constructor(parts: RunTasksParts) {
    this.parts = parts;
  }

  start({ task, instrument }: PlannedTask): void {
    const { model, progress, time, timers, faults, now_s } = this.parts;
    progress.startTask(task, instrument, now_s());
    this.publish(task, 'started', '');
    const due_tick = tickOf(time.now_s + model.tasks[task]!.execution_s);
    const cancel = timers.at(due_tick, () => this.end(task, faults.nextFault(task)));
    this.ends.set(task, cancel);
  }

  private end(task: number, error: string | null): void {
    const { progress, now_s, onEnded } = this.parts;
    this.ends.delete(task);
    progress.endTask(task, now_s(), error);
    this.publish(task, error === null ? 'succeeded' : 'failed', error ?? '');
    onEnded(task, error);
  }

  private publish(task: number, state: 'started' | 'succeeded' | 'failed', error: string): void {
    const { model, log, progress } = this.parts;
    const { id, action } = model.tasks[task]!;
    const instrument_id = model.instruments[progress.tasks[task]!.instrument]!.id;
    log.task({ task_id: id, instrument_id, state, action, error });
  }

  /** Ends a failed task as done by the operator. */
  complete(task: number): void {
    const { progress, now_s } = this.parts;
    progress.complete(task, now_s());
    this.publish(task, 'succeeded', '');
  }

  /** Fails a task that cannot start on its instrument because its labware was not delivered. */
  failUnstarted(
    { task, instrument }: Pick<PlannedTask, 'task' | 'instrument'>,
    error: string,
    { publish }: { readonly publish: boolean },
  ): void {
    const { progress, now_s } = this.parts;
    if (progress.tasks[task]!.state !== 'waiting') return;
    progress.tasks[task]!.instrument = instrument;
    progress.endTask(task, now_s(), error);
    if (publish) this.publish(task, 'failed', error);
  }

  /** Fails every running task on an instrument that is down. */
  failOnDown(isDown: (instrument: number) => boolean): void {
    const { progress, model } = this.parts;
    for (const task of progress.runningTasks) {
      const { instrument } = progress.tasks[task]!;
      if (!isDown(instrument)) continue;
      this.ends.get(task)?.();
      this.end(task, `${model.instruments[instrument]!.id} is down`);
    }
  }

  /** Fails all running tasks, because the run ends; `publish`: with events. */
  cancelAll({ publish }: { readonly publish: boolean }): void {
    const { progress, now_s } = this.parts;
    for (const [task, cancel] of this.ends) {
      cancel();
      progress.endTask(task, now_s(), RUN_STOPPED);
      if (publish) this.publish(task, 'failed', RUN_STOPPED);
    }
    this.ends.clear();
  }
}

/**
 * The history of a run in wire format (tasks, labware, moves, plan, waiting reasons) and its
 * changes. The archive stores it beside the events, so a run can be shown after a restart or crash.
 */

function plannedTimes(one: { start_s: number; end_s: number } | undefined) {
  return { planned_start_s: one?.start_s ?? null, planned_end_s: one?.end_s ?? null };
}

/** Returns the state of every task. */
export function tasksOf(model: WorkflowModel, { progress, plan }: Run): RunTask[] {
  return progress.tasks.map(({ state, instrument, start_s, end_s, error }, task) => ({
    id: model.tasks[task]!.id,
    state,
    instrument_id: model.instruments[instrument]?.id ?? null,
    started_at_s: start_s,
    ended_at_s: end_s,
    error,
    ...plannedTimes(plan.firstPlanned(task)),
  }));
}

/** Returns the location of every piece of labware. */
export function labwareOf(model: WorkflowModel, { progress }: Run): LabwarePlace[] {
  return progress.locations.map((location, labware) => ({
    labware_id: model.labware[labware]!.id,
    instrument_id: location ? model.instruments[location.instrument]!.id : null,
    slot: location?.slot ?? null,
  }));
}

/** Returns the moves that the arm has begun. */
export function movesOf(
  { instruments, labware }: WorkflowModel,
  { progress, plan, moves }: Run,
): RunMove[] {
  const planned = (move: PlannedLabwareMove) => {
    const first = plan.firstPlanned(move);
    return plannedTimes(first && moves.pieceTimes({ ...move, ...first }));
  };
  return progress.moves.map(({ move, start_s, end_s, picked_s, placed_s }) => ({
    labware_id: labware[move.labware]!.id,
    source_instrument_id: instruments[move.from.instrument]!.id,
    source_slot: move.from.slot,
    destination_instrument_id: instruments[move.to.instrument]!.id,
    destination_slot: move.to.slot,
    started_at_s: picked_s,
    ended_at_s: placed_s,
    ...planned(move),
    arm_started_at_s: start_s,
    arm_ended_at_s: end_s,
  }));
}

/** What a pause holds of a task: everything, or the moves by the arm that it still needs. */
function holdReasons({ run, model, usesArm }: ShownRun, task: number, moves: number): string[] {
  const { hold, progress } = run;
  if (hold === null) return [];
  const { uses } = model.tasks[task]!;
  const isCarried = uses.some(({ labware }) => progress.locations[labware] === null);
  const isFetched = progress.moves.some((one) => one.end_s === null && one.move.task === task);
  const needsArm = usesArm && (moves > 0 || isCarried || isFetched);
  return hold.what === 'all' || needsArm ? [hold.reason] : [];
}

interface ShownRun {
  readonly run: Run;
  readonly model: WorkflowModel;
  /** Whether the run moves the arm now. */
  readonly usesArm: boolean;
}

/** Returns every task that has not started, with the reasons. */
export function waitingOf(shown: ShownRun): WaitingTask[] {
  const { model, run } = shown;
  const { progress, plan, workcell } = run;
  return model.tasks.flatMap(({ id }, task) => {
    if (progress.tasks[task]!.state !== 'waiting') return [];
    const planned = plan.taskTimes(task);
    const moves = plan.current.moves.filter(
      (move) => move.task === task && !progress.hasStarted(move),
    );
    const blocks = taskReasons(workcell, task, planned?.instrument ?? -1);
    // A later move of a piece waits for the first one, which says why it waits.
    const first = moves.filter(
      ({ labware }, i) => moves.findIndex((one) => one.labware === labware) === i,
    );
    blocks.push(...first.flatMap((move) => moveReasons(workcell, move)));
    // The planner finds the same reasons in words of its own.
    if (blocks.length === 0) blocks.push(...plan.faults);
    const reasons = [...holdReasons(shown, task, moves.length), ...blocks];
    const start_s = Math.round(planned?.start_s ?? 0);
    if (reasons.length === 0) reasons.push(`it is planned for ${start_s} s`);
    return [{ task_id: id, reasons: [...new Set(reasons)] }];
  });
}

export type RunHistory = Omit<
  RunDetails,
  keyof RunHead | 'uses_arm' | 'pausing' | 'waiting' | 'limits' | 'schedule'
>;

/** The changed rows of a list by index, and its new length. */
interface RowChanges<Row> {
  readonly length: number;
  readonly rows: readonly (readonly [number, Row])[];
}

interface RunHistoryChanges {
  readonly now_s: number;
  readonly tasks: RowChanges<RunHistory['tasks'][number]>;
  readonly labware: RowChanges<RunHistory['labware'][number]>;
  readonly moves: RowChanges<RunHistory['moves'][number]>;
  readonly violations: RowChanges<RunHistory['violations'][number]>;
  /** Absent if unchanged. */
  readonly plan?: WorkflowPlan | null;
}

/** The history of a new run. */
export const EMPTY_HISTORY: RunHistory = {
  now_s: 0,
  tasks: [],
  labware: [],
  moves: [],
  violations: [],
  plan: null,
};

interface PlannedRun {
  readonly run: Run;
  readonly model: WorkflowModel;
  readonly plan_id: number;
}

/** Returns the current history of a run; reuses `known` if it is the current plan. */
export function historyOf(
  { run, model, plan_id }: PlannedRun,
  known: WorkflowPlan | null = null,
): RunHistory {
  return {
    now_s: run.now_s,
    tasks: tasksOf(model, run),
    labware: labwareOf(model, run),
    moves: movesOf(model, run),
    violations: [...run.limits.violations],
    plan: known?.id === plan_id ? known : planReply(plan_id, model, run.plan.current),
  };
}

function isSameRow(a: object | undefined, b: object): boolean {
  if (a === undefined) return false;
  return Object.entries(b).every(([name, value]) => Reflect.get(a, name) === value);
}

function rowChanges<Row extends object>(
  before: readonly Row[],
  after: readonly Row[],
): RowChanges<Row> {
  const rows = after.flatMap((row, i) => (isSameRow(before[i], row) ? [] : [[i, row] as const]));
  return { length: after.length, rows };
}

/** Returns the changes from one history to another. */
export function historyChanges(before: RunHistory, after: RunHistory): RunHistoryChanges {
  return {
    now_s: after.now_s,
    tasks: rowChanges(before.tasks, after.tasks),
    labware: rowChanges(before.labware, after.labware),
    moves: rowChanges(before.moves, after.moves),
    violations: rowChanges(before.violations, after.violations),
    ...(before.plan === after.plan ? {} : { plan: after.plan }),
  };
}

/** Returns the history of an interrupted run: running tasks have failed. */
export function interruptedHistory(history: RunHistory, error: string): RunHistory {
  const tasks = history.tasks.map((task) =>
    task.state === 'running' ? { ...task, state: 'failed' as const, error } : task,
  );
  return { ...history, tasks };
}

/** Returns the task or labware of an event, as a key; null for the other events. */
function subjectOf({ body }: RunEvent): string | null {
  if ('task_id' in body) return `task ${body.task_id}`;
  return 'labware_id' in body ? `labware ${body.labware_id}` : null;
}

function failedEvent(
  { hook_type, body }: RunEvent,
  { timestamp, error }: { readonly timestamp: string; readonly error: string },
): RunEvent | null {
  const state = 'failed' as const;
  if (hook_type === 'TaskStateChangeHook')
    return { sequence: 0, hook_type, body: { ...body, timestamp, state, error } };
  if (hook_type === 'LabwareMovementHook')
    return { sequence: 0, hook_type, body: { ...body, timestamp, state } };
  return null;
}

/**
 * Returns the last events of an interrupted run: the failures of tasks and movements whose latest
 * event is `started`, the pause that was requested, as the arm stands, and the stop.
 */
export function interruptedEvents(
  { head, events, pausing }: Pick<RunRecord, 'head' | 'events' | 'pausing'>,
  timestamp: string,
  message: string,
): RunEvent[] {
  const latest = new Map<string, RunEvent>();
  for (const event of events) {
    const subject = subjectOf(event);
    if (subject !== null) latest.set(subject, event);
  }
  const open = [...latest.values()].filter(
    ({ body }) => 'state' in body && body.state === 'started',
  );
  const failures = open.flatMap((event) => failedEvent(event, { timestamp, error: message }) ?? []);
  const change = (state: 'paused' | 'stopped', text: string): RunEvent => {
    const body = { run_id: String(head.id), timestamp, state, message: text };
    return { sequence: 0, hook_type: 'RunStateChangeHook', body };
  };
  const changes = [...(pausing ? [change('paused', '')] : []), change('stopped', message)];
  const last = events.at(-1)?.sequence ?? 0;
  return [...failures, ...changes].map(
    (event, i): RunEvent => ({ ...event, sequence: last + 1 + i }),
  );
}

/** Adds events to a record and removes the oldest above the limit. */
export function addEvents(
  { events: known }: { readonly events: RunEvent[] },
  events: readonly RunEvent[],
): void {
  known.push(...events);
  const excess = known.length - limits.run_events;
  if (excess > 0) known.splice(0, excess);
}

/** Returns the message of a completed run: with its broken limits and aborted tasks. */
export function completionText({ tasks }: WorkflowModel, { limits, progress }: Run): string {
  const broken = limits.violations.map(({ constraint_id }) => constraint_id);
  const aborted = progress.abortedTasks.map((task) => tasks[task]!.id);
  const notes = [
    ...(broken.length > 0 ? [`broken limits: ${broken.join(', ')}`] : []),
    ...(aborted.length > 0 ? [`aborted tasks: ${aborted.join(', ')}`] : []),
  ];
  return ['completed', ...notes].join('; ');
}
