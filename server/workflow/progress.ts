/**
 * Progress of a run as plain data: tasks, labware locations, moves and their start order. Also: the
 * limits of time between the tasks.
 */
import type {
  LimitViolation,
  RunLimit,
  RunTask,
  WorkflowTimeConstraint,
} from '../../contract/types.ts';
import type { Cancel } from '../clock/clock.ts';
import { type Timers, type TwinTime, tickOf } from '../clock/twin-time.ts';
import type { WorkflowModel } from './model.ts';
import type { Plan, PlannedLabwareMove, SlotLocation, StartedOperation } from './plan/problem.ts';

/** States of tasks that a run no longer waits for. */
const ENDED_STATES: readonly RunTask['state'][] = [
  'succeeded',
  'completed_manually',
  'skipped',
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
  retries: number;
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

const NO_TASKS: ReadonlySet<number> = new Set();

function moveKey({ task, labware, toBuffer = false }: PlannedLabwareMove): number {
  return (task * 4096 + labware) * 2 + Number(toBuffer);
}

type StartedEntry = (
  | { readonly kind: 'task'; readonly task: number }
  | { readonly kind: 'move'; readonly progress: MoveProgress }
) & {
  /** The planner's view of it, fixed once it has ended. */
  finalRecord: StartedOperation | null;
};

export class RunProgress {
  readonly tasks: TaskProgress[];
  /** Location of each piece; null while the arm carries it. */
  readonly locations: (SlotLocation | null)[];
  readonly moves: MoveProgress[] = [];
  readonly skipped = new Set<number>();
  /** Pieces that an operator holds: nothing begins with them. */
  readonly held = new Set<number>();
  private startedEntries: StartedEntry[] = [];
  /** `moveKey` of the moves that have begun. */
  private readonly startedMoveKeys = new Set<number>();
  private readonly model: WorkflowModel;

  constructor(model: WorkflowModel) {
    this.model = model;
    this.locations = model.labware.map(({ location }) => location);
    this.tasks = model.tasks.map(({ skip, ended = 'skipped' }) => ({
      state: skip ? ended : 'waiting',
      instrument: -1,
      start_s: null,
      end_s: null,
      error: '',
      retries: 0,
    }));
  }

  isDone(task: number): boolean {
    const { state } = this.tasks[task]!;
    return ENDED_STATES.includes(state);
  }

  get allDone(): boolean {
    return this.tasks.every((_, task) => this.isDone(task));
  }

  get runningTasks(): number[] {
    return this.tasks.flatMap(({ state }, task) => (state === 'running' ? [task] : []));
  }

  get failedTasks(): number[] {
    return this.tasks.flatMap(({ state }, task) => (state === 'failed' ? [task] : []));
  }

  /** The next task of a piece; undefined after the last. */
  nextTaskOf(labware: number): number | undefined {
    return this.model.labware[labware]!.tasks.find((task) => !this.isDone(task));
  }

  startTask(task: number, instrument: number, start_s: number): void {
    Object.assign(this.tasks[task]!, { state: 'running', instrument, start_s, error: '' });
    this.startedEntries.push({ kind: 'task', task, finalRecord: null });
  }

  endTask(task: number, end_s: number, error: string | null): void {
    const progress = this.tasks[task]!;
    progress.end_s = end_s;
    progress.error = error ?? '';
    progress.state = error === null ? 'succeeded' : 'failed';
    if (error !== null) this.removeTask(task);
    else this.shiftSlots(task);
  }

  private shiftSlots(task: number): void {
    for (const { labware, slot_after } of this.model.tasks[task]!.uses) {
      const location = this.locations[labware];
      if (location) this.locations[labware] = { ...location, slot: slot_after };
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
    const { end_s } = one.kind === 'move' ? one.progress : this.tasks[one.task]!;
    return end_s !== null;
  }

  private startedOf(one: StartedEntry, now_s: number): StartedOperation {
    if (one.kind === 'move') {
      const { move, start_s, end_s, delay_s } = one.progress;
      const expected_s = Math.max(now_s, start_s + move.end_s - move.start_s + delay_s);
      return { ...move, kind: 'move', start_s, end_s: end_s ?? expected_s };
    }
    const { task } = one;
    const { instrument, start_s, end_s } = this.tasks[task]!;
    const expected_s = Math.max(now_s, start_s! + this.model.tasks[task]!.estimate_s);
    return { kind: 'task', task, instrument, start_s: start_s!, end_s: end_s ?? expected_s };
  }

  /** Started operations for the planner; future ends as expected now. */
  started(now_s: number): StartedOperation[] {
    return this.startedEntries.map((one) => {
      const started = one.finalRecord ?? this.startedOf(one, now_s);
      if (this.hasEnded(one)) one.finalRecord = started;
      return started;
    });
  }

  /** An operator has done a failed task by hand. */
  complete(task: number, now_s: number): void {
    const progress = this.tasks[task]!;
    progress.start_s ??= now_s;
    Object.assign(progress, { state: 'completed_manually', end_s: now_s, error: '' });
    const isInPlace = this.model.tasks[task]!.uses.every(({ labware, slot }) => {
      const location = this.locations[labware];
      return location?.instrument === progress.instrument && location.slot === slot;
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
    for (const task of lost) {
      this.tasks[task]!.state = 'aborted';
      this.skipped.add(task);
    }
    return lost.size > 0;
  }

  /** Gives up the labware of the task that ends a limit of time. */
  abortLimited(constraint_id: string): void {
    const { constraints, tasks } = this.model;
    const { end_task_id } = constraints.find(({ id }) => id === constraint_id)!;
    const { uses } = tasks.find(({ id }) => id === end_task_id)!;
    for (const { labware } of uses) this.abortLabware(labware);
  }

  get abortedTasks(): number[] {
    return this.tasks.flatMap(({ state }, task) => (state === 'aborted' ? [task] : []));
  }

  retry(task: number): void {
    const reset = { state: 'waiting', start_s: null, end_s: null, error: '' } as const;
    Object.assign(this.tasks[task]!, reset);
    this.tasks[task]!.retries += 1;
  }
}

/**
 * The limits of time between the tasks of a run (`time_constraints`): watches them on the clock of
 * the twin, records what is broken once, and reports the slack that is left. A broken limit no
 * longer binds the planner.
 */

const EPSILON_S = 1e-6;

interface TimeLimitsParts {
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
  readonly time: TwinTime;
  readonly timers: Timers;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
  readonly onViolation: (violation: LimitViolation) => void;
  /** Called when a task may start because its least time has passed. */
  readonly onReleased: () => void;
}

/** A constraint with its tasks by index. */
export interface TaskLimit {
  readonly constraint: WorkflowTimeConstraint;
  readonly from: number;
  readonly from_end: boolean;
  readonly to: number;
  readonly to_end: boolean;
  readonly min_s: number;
  /** Infinity for none. */
  readonly max_s: number;
}

/** Describes a violation in one sentence. */
export function violationText({ constraint_id, kind, elapsed_s, limit_s }: LimitViolation): string {
  const elapsed = Math.round(elapsed_s * 10) / 10;
  const text = kind === 'too_long' ? `more than ${limit_s}` : `${elapsed} instead of ${limit_s}`;
  return `limit ${constraint_id} is broken: ${text} s`;
}

/** Resolves the constraints of a model. */
export function limitsOf({ constraints, tasks }: WorkflowModel): TaskLimit[] {
  const index = new Map(tasks.map(({ id }, i) => [id, i]));
  return constraints.map((constraint) => ({
    constraint,
    from: index.get(constraint.start_task_id)!,
    from_end: constraint.type.startsWith('end'),
    to: index.get(constraint.end_task_id)!,
    to_end: constraint.type.endsWith('end'),
    min_s: constraint.min_duration ?? 0,
    max_s: constraint.max_duration ?? Number.POSITIVE_INFINITY,
  }));
}

export class TimeLimits {
  readonly violations: LimitViolation[] = [];
  private readonly limits: readonly TaskLimit[];
  private readonly parts: TimeLimitsParts;
  private cancelWake: Cancel = () => {};
  private hasStopped = false;

  constructor(parts: TimeLimitsParts) {
    this.parts = parts;
    this.limits = limitsOf(parts.model);
  }

  /** The same limits on a copy of the progress. */
  copyFor(progress: RunProgress): TimeLimits {
    const copy = new TimeLimits({ ...this.parts, progress });
    copy.violations.push(...this.violations);
    return copy;
  }

  isBroken(constraint_id: string): boolean {
    return this.violations.some((one) => one.constraint_id === constraint_id);
  }

  /** When a task started or successfully ended (s); null if it has not. */
  private mark_s(task: number, isEnd: boolean): number | null {
    const { state, start_s, end_s } = this.parts.progress.tasks[task]!;
    if (state === 'succeeded' || state === 'completed_manually') return isEnd ? end_s : start_s;
    return state === 'running' && !isEnd ? start_s : null;
  }

  /** Whether the limit can still begin or end. */
  private isVoid({ from, to }: TaskLimit): boolean {
    const { tasks } = this.parts.progress;
    const never = ['skipped', 'aborted'];
    return never.includes(tasks[from]!.state) || never.includes(tasks[to]!.state);
  }

  private marksOf({ from, from_end, to, to_end }: TaskLimit) {
    return { from_s: this.mark_s(from, from_end), to_s: this.mark_s(to, to_end) };
  }

  /** Records new violations, and wakes up at the next time that matters. */
  check(): void {
    for (const limit of this.limits) {
      // A limit that is broken can end the run, and with it the others.
      if (!this.hasStopped) this.checkLimit(limit);
    }
    this.cancelWake();
    if (this.hasStopped) return;
    const { time, timers, now_s } = this.parts;
    const now = now_s();
    const wake_s = Math.min(...this.limits.flatMap((limit) => this.wakesOf(limit, now)));
    if (!Number.isFinite(wake_s)) return;
    // A limit is broken after its last moment, at the next tick.
    const wake_tick = tickOf(time.now_s + wake_s - now) + 1;
    this.cancelWake = timers.at(wake_tick, () => {
      this.check();
      this.parts.onReleased();
    });
  }

  private checkLimit(limit: TaskLimit): void {
    if (this.isVoid(limit)) return;
    const { constraint, min_s, max_s } = limit;
    const { from_s, to_s } = this.marksOf(limit);
    if (from_s === null) return;
    const elapsed_s = (to_s ?? this.parts.now_s()) - from_s;
    const known = this.violations.findIndex((one) => one.constraint_id === constraint.id);
    if (known >= 0) {
      if (to_s !== null) this.violations[known] = { ...this.violations[known]!, elapsed_s };
    } else if (elapsed_s > max_s + EPSILON_S) {
      this.add(constraint, { kind: 'too_long', limit_s: max_s, elapsed_s });
    } else if (to_s !== null && elapsed_s < min_s - EPSILON_S) {
      this.add(constraint, { kind: 'too_short', limit_s: min_s, elapsed_s });
    }
  }

  private add(
    { id, on_violation = 'continue' }: WorkflowTimeConstraint,
    found: Pick<LimitViolation, 'kind' | 'limit_s' | 'elapsed_s'>,
  ): void {
    const at_s = this.parts.now_s();
    const violation: LimitViolation = { constraint_id: id, ...found, at_s, on_violation };
    this.violations.push(violation);
    this.parts.onViolation(violation);
  }

  /** The future times at which a limit breaks or releases its task (s). */
  private wakesOf(limit: TaskLimit, now_s: number): number[] {
    const { from_s, to_s } = this.marksOf(limit);
    if (from_s === null || to_s !== null || this.isVoid(limit)) return [];
    const wakes = this.isBroken(limit.constraint.id) ? [] : [from_s + limit.max_s];
    wakes.push(this.release_s(limit, from_s));
    return wakes.filter((time_s) => Number.isFinite(time_s) && time_s >= now_s - EPSILON_S);
  }

  private release_s({ to, to_end, min_s }: TaskLimit, from_s: number): number {
    const own_s = to_end ? this.parts.model.tasks[to]!.estimate_s : 0;
    return from_s + min_s - own_s;
  }

  /** Whether a task waits for the begin of a limit: its start, not its end, would be too early. */
  private holds({ from, to, to_end, min_s }: TaskLimit): boolean {
    return from !== to && (min_s > 0 || !to_end);
  }

  /** Whether a task waits for a limit that has not begun. */
  isUnbegun(task: number): boolean {
    return this.limits.some(
      (limit) =>
        limit.to === task &&
        this.holds(limit) &&
        !this.isVoid(limit) &&
        this.marksOf(limit).from_s === null,
    );
  }

  /** Returns why a task must not start yet; empty if it may. */
  reasons(task: number): string[] {
    return this.limits.flatMap((limit) => {
      if (limit.to !== task || !this.holds(limit) || this.isVoid(limit)) return [];
      const { from_s } = this.marksOf(limit);
      const { id } = limit.constraint;
      if (from_s === null) return [`limit ${id} has not begun`];
      const left_s = this.release_s(limit, from_s) - this.parts.now_s();
      return left_s > EPSILON_S ? [`limit ${id} holds it for ${Math.ceil(left_s)} s`] : [];
    });
  }

  /** Returns the state of every limit and its slack in a plan. */
  states({ tasks }: Plan): RunLimit[] {
    const planned = new Map(tasks.map((one) => [one.task, one]));
    return this.limits.map((limit) => {
      const { constraint, from, from_end, to, to_end, max_s, min_s } = limit;
      const { from_s, to_s } = this.marksOf(limit);
      const [first, last] = [planned.get(from), planned.get(to)];
      const begin_s = from_s ?? (first && (from_end ? first.end_s : first.start_s));
      const end_s = to_s ?? (last && (to_end ? last.end_s : last.start_s));
      const planned_s = begin_s === undefined || end_s === undefined ? null : end_s - begin_s;
      const isLimited = Number.isFinite(max_s);
      return {
        constraint_id: constraint.id,
        state: this.stateOf(limit),
        min_s,
        max_s: isLimited ? max_s : null,
        elapsed_s: from_s === null ? null : (to_s ?? this.parts.now_s()) - from_s,
        planned_s,
        slack_s: isLimited && planned_s !== null ? max_s - planned_s : null,
      };
    });
  }

  private stateOf(limit: TaskLimit): RunLimit['state'] {
    const { from_s, to_s } = this.marksOf(limit);
    if (this.isBroken(limit.constraint.id)) return 'broken';
    if (this.isVoid(limit)) return 'void';
    if (from_s === null) return 'waiting';
    return to_s === null ? 'running' : 'held';
  }

  /** Stops watching. */
  stop(): void {
    this.hasStopped = true;
    this.cancelWake();
  }
}
