/** Progress of a run as plain data: tasks, labware locations, moves and their start order. */
import type { RunTask } from '../../contract/types.generated.ts';
import { holds, type TaskOutputs } from '../definition/task-condition.ts';
import type { ModelTask, WorkflowModel } from '../definition/workflow-model.ts';
import { moveKey } from '../plan/move-key.ts';
import type { LabwareUse, PlannedLabwareMove, StartedOperation } from '../plan/problem.ts';
import { isPlaceOn, type SlotLocation } from '../plan/slot-location.ts';
import { expectedEnd_s, type RunningTimes } from './lateness.ts';

/** States of tasks that a run no longer waits for. */
const ENDED_STATES: readonly RunTask['state'][] = [
  'succeeded',
  'completed_manually',
  'skipped',
  'cancelled',
  'aborted',
];

export interface TaskProgress {
  state: RunTask['state'];
  /** −1 until it starts, or fails because its labware does not reach the instrument. */
  instrument: number;
  /** Seconds since the start of the run; null before the start. */
  start_s: number | null;
  end_s: number | null;
  error: string;
  /** What it has returned; null before its end, and for one that returns nothing more. */
  outputs: TaskOutputs;
  /** Retries that an operator chose. */
  retries: number;
  /** Failures after which it was tried again by itself. */
  tries: number;
  /** When it may start again after a failure (s). */
  not_before_s: number;
  /** Since when it waits for units of a supply (s); null if it does not. */
  short_since_s: number | null;
}

export interface MoveProgress {
  readonly move: PlannedLabwareMove;
  /** The whole time of the arm: from its first motion until it is home again. */
  readonly start_s: number;
  end_s: number | null;
  /** When the gripper held the piece first, and when the piece came to rest in its slot. */
  picked_s: number | null;
  placed_s: number | null;
  /** Time lost in pauses (s). */
  delay_s: number;
}

/** A task or a move that runs. */
export type RunningOperation =
  | { readonly task: number; readonly move?: never }
  | { readonly move: PlannedLabwareMove; readonly task?: never };

const NO_TASKS: ReadonlySet<number> = new Set();

type StartedEntry = (
  | { readonly kind: 'task'; readonly task: number }
  | { readonly kind: 'move'; readonly progress: MoveProgress }
  | { readonly kind: 'hand' }
) & {
  /** The planner's view of it, fixed once it has ended. */
  finalRecord: StartedOperation | null;
};

/** An entry of what the arm or an instrument does. */
type RunningEntry = Exclude<StartedEntry, { readonly kind: 'hand' }>;

export class RunProgress {
  readonly tasks: TaskProgress[];
  /** Location of each piece; null while the arm carries it. */
  readonly locations: (SlotLocation | null)[];
  readonly moves: MoveProgress[] = [];
  readonly skipped = new Set<number>();
  /** Pieces that an operator or a policy holds: nothing begins with them. */
  readonly held = new Set<number>();
  /** Number of changes of what the problem of a plan has beside its skipped tasks. */
  changes = 0;
  /** Pieces that are given up. */
  readonly givenUp = new Set<number>();
  private startedEntries: StartedEntry[] = [];
  /** `moveKey` of the moves that have begun. */
  private readonly startedMoveKeys = new Set<number>();
  private readonly model: WorkflowModel;

  constructor(model: WorkflowModel) {
    this.model = model;
    this.locations = model.labware.map(({ location }) => location);
    // What another run has done ended before this one: its limits count from the start.
    const endedOf = ({ skip, ended }: ModelTask) => (skip && ended !== undefined ? 0 : null);
    this.tasks = model.tasks.map((task) => ({
      state: task.skip ? (task.ended ?? 'skipped') : 'waiting',
      instrument: -1,
      start_s: endedOf(task),
      end_s: endedOf(task),
      error: '',
      outputs: (task.skip && task.ended !== undefined && task.outputs) || null,
      retries: 0,
      tries: 0,
      not_before_s: 0,
      short_since_s: null,
    }));
    this.addEnded();
    this.decide();
  }

  /** The labware of a task. */
  usesOf(task: number): readonly LabwareUse[] {
    return this.model.tasks[task]!.uses;
  }

  /** What another run has done counts as started and ended at the start of this one. */
  private addEnded(): void {
    this.model.tasks.forEach(({ skip, ended }, task) => {
      if (!skip || ended === undefined) return;
      const at = { task, instrument: -1, start_s: 0, end_s: 0 };
      this.startedEntries.push({ kind: 'task', task, finalRecord: { kind: 'task', ...at } });
    });
  }

  isDone(task: number): boolean {
    const { state } = this.tasks[task]!;
    return ENDED_STATES.includes(state);
  }

  get allDone(): boolean {
    return this.tasks.every((_, task) => this.isDone(task));
  }

  get runningTasks(): number[] {
    return this.tasksIn('running');
  }

  get failedTasks(): number[] {
    return this.tasksIn('failed');
  }

  private tasksIn(state: RunTask['state']): number[] {
    return this.tasks.flatMap((one, task) => (one.state === state ? [task] : []));
  }

  /** The next task of a piece; undefined after the last. */
  nextTaskOf(labware: number): number | undefined {
    return this.model.labware[labware]!.tasks.find((task) => !this.isDone(task));
  }

  startTask(task: number, instrument: number, start_s: number): void {
    Object.assign(this.tasks[task]!, { state: 'running', instrument, start_s, error: '' });
    this.startedEntries.push({ kind: 'task', task, finalRecord: null });
  }

  endTask(task: number, end_s: number, error: string | null, outputs: TaskOutputs = null): void {
    const progress = this.tasks[task]!;
    progress.end_s = end_s;
    progress.outputs = outputs;
    progress.error = error ?? '';
    progress.state = error === null ? 'succeeded' : 'failed';
    if (error !== null) this.removeTask(task);
    else this.shiftSlots(task);
  }

  /**
   * Cancels the tasks whose conditions cannot hold any more, and returns them. What decides on a task
   * comes before it in every order, so that a task which is cancelled decides on others in the same go.
   */
  decide(): number[] {
    const isOut = (task: number) =>
      this.tasks[task]!.state === 'waiting' &&
      (this.model.tasks[task]!.conditions ?? []).some(
        (one) => this.isDone(one.task) && !holds(one, this.tasks[one.task]!.outputs),
      );
    const cancelled: number[] = [];
    for (let found = true; found; ) {
      const out = this.tasks.flatMap((_, task) => (isOut(task) ? [task] : []));
      found = out.length > 0;
      for (const task of out) {
        this.tasks[task]!.state = 'cancelled';
        this.skipped.add(task);
      }
      cancelled.push(...out);
    }
    return cancelled;
  }

  private shiftSlots(task: number): void {
    for (const { labware, slot, slot_after } of this.model.tasks[task]!.uses) {
      const location = this.locations[labware];
      if (location && slot_after !== slot)
        this.locations[labware] = { ...location, slot: slot_after };
    }
  }

  /** Removes the start of a task from the planner's view: a failed task may start again. */
  private removeTask(task: number): void {
    this.startedEntries = this.startedEntries.filter(
      (one) => one.kind !== 'task' || one.task !== task,
    );
  }

  startMove(move: PlannedLabwareMove, start_s: number): MoveProgress {
    const times = { start_s, end_s: null, picked_s: null, placed_s: null };
    const progress = { move, ...times, delay_s: 0 };
    this.moves.push(progress);
    this.startedMoveKeys.add(moveKey(move));
    this.startedEntries.push({ kind: 'move', progress, finalRecord: null });
    return progress;
  }

  /** When the last task on an instrument ended (s); −Infinity for none. */
  lastEnd_s(instrument: number): number {
    let last_s = Number.NEGATIVE_INFINITY;
    for (const one of this.tasks) {
      if (one.instrument === instrument) last_s = Math.max(last_s, one.end_s ?? last_s);
    }
    return last_s;
  }

  /** The moves under way into an instrument or out of it. */
  movesAt(instrument: number): PlannedLabwareMove[] {
    return this.moves.flatMap(({ move, end_s }) => {
      const isThere = move.from.instrument === instrument || move.to.instrument === instrument;
      return end_s === null && isThere ? [move] : [];
    });
  }

  /** A person has put a piece into a location. */
  place(labware: number, to: SlotLocation, now_s: number): void {
    const from = this.locations[labware] ?? to;
    const rest = { toBuffer: true, byHand: true, start_s: now_s, end_s: now_s };
    const finalRecord: StartedOperation = { kind: 'move', task: -1, labware, from, to, ...rest };
    this.startedEntries.push({ kind: 'hand', finalRecord });
    this.locations[labware] = to;
  }

  /** Removes a move that was aborted before the pick-up. */
  removeMove(progress: MoveProgress): void {
    this.startedEntries = this.startedEntries.filter(
      (one) => one.kind !== 'move' || one.progress !== progress,
    );
    this.moves.splice(this.moves.indexOf(progress), 1);
    this.startedMoveKeys.delete(moveKey(progress.move));
  }

  /** True when a planned move has begun. */
  hasStarted(move: PlannedLabwareMove): boolean {
    return this.startedMoveKeys.has(moveKey(move));
  }

  private hasEnded(one: StartedEntry): boolean {
    if (one.kind === 'hand') return true;
    const { end_s } = one.kind === 'move' ? one.progress : this.tasks[one.task]!;
    return end_s !== null;
  }

  /** The planned times of an operation that has begun. */
  private timesOf(one: RunningEntry): RunningTimes {
    if (one.kind === 'task') {
      const duration_s = this.model.tasks[one.task]!.estimate_s;
      return { planned_end_s: this.tasks[one.task]!.start_s! + duration_s, duration_s };
    }
    const { move, start_s, delay_s } = one.progress;
    const duration_s = move.end_s - move.start_s;
    return { planned_end_s: start_s + duration_s + delay_s, duration_s };
  }

  private startedOf(one: RunningEntry, now_s: number): StartedOperation {
    const expected_s = expectedEnd_s(this.timesOf(one), now_s);
    if (one.kind === 'move') {
      const { move, start_s, end_s } = one.progress;
      return { ...move, kind: 'move', start_s, end_s: end_s ?? expected_s };
    }
    const { task } = one;
    const { instrument, start_s, end_s } = this.tasks[task]!;
    return { kind: 'task', task, instrument, start_s: start_s!, end_s: end_s ?? expected_s };
  }

  /** The tasks and moves that run, with their planned times. */
  get running(): (RunningTimes & RunningOperation)[] {
    return this.startedEntries.flatMap((one) => {
      if (one.kind === 'hand' || this.hasEnded(one)) return [];
      const what = one.kind === 'task' ? { task: one.task } : { move: one.progress.move };
      return [{ ...what, ...this.timesOf(one) }];
    });
  }

  /** Started operations for the planner; future ends as expected now. */
  started(now_s: number): StartedOperation[] {
    return this.startedEntries.map((one) => {
      const started = one.finalRecord ?? this.startedOf(one as RunningEntry, now_s);
      if (this.hasEnded(one)) one.finalRecord = started;
      return started;
    });
  }

  /** An operator has done a failed task by hand. */
  complete(task: number, now_s: number, outputs: TaskOutputs = null): void {
    const progress = this.tasks[task]!;
    progress.start_s ??= now_s;
    Object.assign(progress, { state: 'completed_manually', end_s: now_s, error: '', outputs });
    const isInPlace = this.model.tasks[task]!.uses.every(({ labware, slot }) => {
      const location = this.locations[labware];
      return location && isPlaceOn(location, progress.instrument, slot);
    });
    if (isInPlace) this.shiftSlots(task);
    this.skipped.add(task);
    this.removeTask(task);
  }

  /** A copy for a plan that is not followed. */
  copy(): RunProgress {
    const copy = new RunProgress(this.model);
    copy.tasks.splice(0, copy.tasks.length, ...this.tasks.map((task) => ({ ...task })));
    copy.locations.splice(0, copy.locations.length, ...this.locations);
    copy.moves.push(...this.moves);
    for (const task of this.skipped) copy.skipped.add(task);
    for (const labware of this.held) copy.held.add(labware);
    for (const labware of this.givenUp) copy.givenUp.add(labware);
    for (const key of this.startedMoveKeys) copy.startedMoveKeys.add(key);
    copy.startedEntries = this.startedEntries.map((entry) => ({ ...entry }));
    return copy;
  }

  skip(task: number): void {
    this.tasks[task]!.state = 'skipped';
    this.skipped.add(task);
    this.removeTask(task);
  }

  /** True for a task that has not begun, or has failed and may begin again. */
  isOpen(task: number): boolean {
    return ['waiting', 'failed'].includes(this.tasks[task]!.state);
  }

  /** The open tasks of the pieces on hold, and what depends on them. */
  heldTasks(): ReadonlySet<number> {
    if (this.held.size === 0) return NO_TASKS;
    return new Set([...this.held].flatMap((labware) => [...this.tasksLostWith(labware)]));
  }

  /** The open tasks of a piece, and all that cannot be done without them. */
  private tasksLostWith(labware: number): Set<number> {
    const { tasks, labware: pieces } = this.model;
    const isOpen = (task: number) => this.isOpen(task);
    const lost = new Set(pieces[labware]!.tasks.filter(isOpen));
    for (let count = -1; count !== lost.size; ) {
      count = lost.size;
      tasks.forEach(({ after }, task) => {
        if (isOpen(task) && after.some((other) => lost.has(other))) lost.add(task);
      });
      for (const { tasks: chain } of pieces) {
        const first = chain.findIndex((task) => lost.has(task));
        if (first >= 0) for (const task of chain.slice(first)) if (isOpen(task)) lost.add(task);
      }
    }
    return lost;
  }

  /** Gives up the tasks of a piece and what depends on them; returns whether there were any. */
  abortLabware(labware: number): boolean {
    const lost = this.tasksLostWith(labware);
    if (lost.size > 0) this.givenUp.add(labware);
    for (const task of lost) {
      this.tasks[task]!.state = 'aborted';
      this.skipped.add(task);
    }
    return lost.size > 0;
  }

  /** Gives up a failed task with its labware, and what depends on them. */
  giveUp(task: number): void {
    const { uses } = this.model.tasks[task]!;
    for (const { labware } of uses) this.abortLabware(labware);
    if (uses.length === 0) this.skip(task);
  }

  /** Gives up the labware of the task that ends a limit of time. */
  abortLimited(constraint_id: string): void {
    const { constraints, tasks } = this.model;
    const { end_task_id } = constraints.find(({ id }) => id === constraint_id)!;
    const { uses } = tasks.find(({ id }) => id === end_task_id)!;
    for (const { labware } of uses) this.abortLabware(labware);
  }

  get abortedTasks(): number[] {
    return this.tasksIn('aborted');
  }

  /** Whether a task waits for units of a supply. */
  get isShort(): boolean {
    return this.tasks.some(({ short_since_s }) => short_since_s !== null);
  }

  /** The tasks whose conditions do not hold. */
  get cancelledTasks(): number[] {
    return this.tasksIn('cancelled');
  }

  /** An operator has a failed task tried again. */
  retry(task: number): void {
    this.reopen(task);
    this.tasks[task]!.retries += 1;
  }

  /** A failed task is tried again by itself, from a time on (s). */
  tryAgain(task: number, not_before_s: number): void {
    this.reopen(task);
    this.tasks[task]!.tries += 1;
    this.tasks[task]!.not_before_s = not_before_s;
    this.changes += 1;
  }

  private reopen(task: number): void {
    const reset = {
      state: 'waiting',
      start_s: null,
      end_s: null,
      error: '',
      outputs: null,
    } as const;
    Object.assign(this.tasks[task]!, reset);
  }
}
