/**
 * The parts that a run consists of, connected: progress, plan, limits of time, moves and tasks. The
 * run itself (`run.ts`) decides what follows from what they report. Also: how planned operations
 * start when they are due.
 */

import type { LimitViolation } from '../../contract/types.ts';
import type { Cancel } from '../clock/clock.ts';
import { TICKS_PER_S, type Timers, type TwinTime, tickOf } from '../clock/twin-time.ts';
import type { SchedulingTerms } from './joint-problem.ts';
import type { WorkflowModel } from './model.ts';
import type { Plan, PlannedLabwareMove, PlannedTask } from './plan/problem.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { RunProgress } from './progress.ts';
import { moveReasons, taskReasons, type WorkcellState } from './readiness.ts';
import type { RunParts } from './run-log.ts';
import { RunTasks } from './run-log.ts';
import { type MoveFailure, RunMoves } from './run-moves.ts';
import { PlanPublisher, type Replanning, RunPlan } from './run-plan.ts';
import type { Member, SharedWorkcell } from './shared-workcell.ts';
import { TimeLimits } from './time-limits.ts';
import type { LabwareTransporter } from './transporter.ts';

/**
 * Starts the planned tasks and moves of a run once their time has come and the workcell is ready
 * for them: labware in place, instrument and arm free.
 */

const EPSILON_S = 1e-6;

/** Whose turn it is where runs share a workcell. */
export interface OperationOrder {
  isNextMove(move: PlannedLabwareMove): boolean;
  isNextTask(task: PlannedTask): boolean;
}

export interface DueOperationsParts {
  readonly plan: RunPlan;
  readonly workcell: WorkcellState;
  readonly labwareMoves: RunMoves;
  readonly tasks: RunTasks;
  readonly replanning: Replanning;
  readonly transporter: LabwareTransporter;
  readonly order: OperationOrder;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly dispatch: () => void;
}

/** The run whose operations are due. */
interface StartingRun {
  readonly state: 'started' | 'paused' | 'stopped';
  readonly isProvisional: boolean;
  becomePaused(message: string): void;
}

class DueOperations {
  /** True while a move waits for the arm to come to rest after an earlier motion. */
  isArmAwaited = false;
  private cancelWake: Cancel = () => {};
  private readonly parts: DueOperationsParts;

  constructor(parts: DueOperationsParts) {
    this.parts = parts;
  }

  private isDue({ start_s }: { readonly start_s: number }): boolean {
    return this.parts.now_s() >= start_s - EPSILON_S;
  }

  /** Starts all that is ready; returns whether there was anything, or a new plan. */
  startReady(run: StartingRun): boolean {
    let hasStarted = false;
    for (let goOn = true; goOn && run.state === 'started'; hasStarted ||= goOn) {
      goOn = !run.isProvisional && this.startOperations(run);
      if (!goOn) goOn = this.parts.replanning.advance();
    }
    return hasStarted;
  }

  private startOperations(run: StartingRun): boolean {
    const move = this.startMove();
    if (move.fault !== null) run.becomePaused(move.fault);
    return move.hasStarted || this.startTasks();
  }

  /** Wakes the run at the next planned start, or at the next tick while a plan is computed. */
  sleep(start_tick: number): void {
    this.cancelWake();
    const { time, timers, replanning, dispatch, plan, now_s } = this.parts;
    if (replanning.isActive) {
      this.cancelWake = timers.at(time.tick + 1, dispatch);
      return;
    }
    const next_s = plan.nextStart_s(now_s() + EPSILON_S);
    if (next_s === null) return;
    this.cancelWake = timers.at(start_tick + tickOf(next_s), dispatch);
  }

  /** Cancels the wake-up. */
  stop(): void {
    this.cancelWake();
  }

  private get dueMove(): PlannedLabwareMove | null {
    const { plan, labwareMoves, workcell, order } = this.parts;
    const move = plan.nextMove;
    if (!move || !labwareMoves.isFree || !this.isDue(move)) return null;
    if (!order.isNextMove(move)) return null;
    return moveReasons(workcell, move).length > 0 ? null : move;
  }

  /** Starts the next move if it is due; returns its fault, if it cannot start. */
  private startMove(): { readonly hasStarted: boolean; readonly fault: string | null } {
    const { labwareMoves, replanning, transporter, now_s, plan } = this.parts;
    const move = this.dueMove;
    this.isArmAwaited = move !== null && !transporter.isReady;
    if (move === null || this.isArmAwaited) return { hasStarted: false, fault: null };
    const fault = labwareMoves.start(move);
    if (fault === null) {
      replanning.recordTiming(move, { plan, actual_s: now_s(), planned_s: move.start_s });
    }
    return { hasStarted: fault === null, fault };
  }

  /** Starts the tasks that are due; returns whether there was one. */
  private startTasks(): boolean {
    const { plan, workcell, tasks, replanning, now_s, order } = this.parts;
    const isReady = (one: PlannedTask) =>
      this.isDue(one) &&
      order.isNextTask(one) &&
      taskReasons(workcell, one.task, one.instrument).length === 0;
    let hasStarted = false;
    for (const one of plan.nextTasks) {
      if (!isReady(one)) continue;
      tasks.start(one);
      replanning.recordTiming(one, { plan, actual_s: now_s(), planned_s: one.start_s });
      hasStarted = true;
    }
    return hasStarted;
  }
}

export abstract class RunCore implements Member {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly schedule: SchedulingTerms;
  readonly shared: SharedWorkcell;
  readonly progress: RunProgress;
  readonly plan: RunPlan;
  readonly publisher: PlanPublisher;
  readonly workcell: WorkcellState;
  readonly limits: TimeLimits;
  readonly tasks: RunTasks;
  readonly replanning: Replanning;
  readonly start_tick: number;
  isProvisional = false;
  protected readonly parts: RunParts;
  protected readonly labwareMoves: RunMoves;
  protected readonly due: DueOperations;

  constructor(parts: RunParts, first: Plan) {
    const { model, loop, moves, schedule, shared: cell, progress } = parts;
    this.parts = parts;
    this.start_tick = loop.tick;
    [this.model, this.moves, this.schedule] = [model, moves, schedule];
    [this.shared, this.progress] = [cell, progress];
    const isDown = (instrument: number) =>
      instrument >= 0 && parts.isDown(model.instruments[instrument]!.id);
    const shared = { ...parts, now_s: () => this.now_s, time: loop };
    this.limits = new TimeLimits({
      ...shared,
      onViolation: (violation) => this.limitBroken(violation),
      onReleased: () => this.dispatch(),
    });
    const { limits } = this;
    this.plan = new RunPlan(progress, first);
    this.workcell = { model, progress, isDown, limits, neighbours: cell.neighboursOf(this) };
    this.replanning = cell.replanning;
    this.publisher = new PlanPublisher({ ...shared, plan: this.plan });
    this.labwareMoves = new RunMoves({
      ...shared,
      onDone: (move) => this.moveDone(move),
      onFailed: (move, failure) => this.moveFailed(move, failure),
    });
    this.tasks = new RunTasks({
      ...shared,
      onEnded: (task, error) => this.taskEnded(task, error),
    });
    const { plan, workcell, labwareMoves, tasks, replanning } = this;
    const order = {
      isNextMove: (move: PlannedLabwareMove) => cell.isNextMove(this, move),
      isNextTask: (task: PlannedTask) => cell.isNextTask(this, task),
    };
    const operations = { plan, workcell, labwareMoves, tasks, replanning, order };
    const dispatch = () => this.dispatch();
    this.due = new DueOperations({ ...shared, ...operations, dispatch });
    if (parts.held) this.labwareMoves.hold(parts.held);
  }

  /** Seconds since the start of the run. */
  get now_s(): number {
    return (this.parts.loop.tick - this.start_tick) / TICKS_PER_S;
  }

  get tick(): number {
    return this.parts.loop.tick;
  }

  /** Starts whatever is ready in the runs of the workcell; called after every change. */
  dispatch(): void {
    this.shared.dispatch();
  }

  abstract get isActive(): boolean;
  abstract get canStart(): boolean;
  abstract proceed(): boolean;
  protected abstract moveDone(move: PlannedLabwareMove): void;
  protected abstract moveFailed(move: PlannedLabwareMove, failure: MoveFailure): void;
  protected abstract taskEnded(task: number, error: string | null): void;
  protected abstract limitBroken(violation: LimitViolation): void;
}
