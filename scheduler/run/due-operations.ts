/**
 * Starts the planned tasks and moves of a run once their time has come and the workcell is ready
 * for them: labware in place, instrument and arm free.
 */

import type { Timers } from '../../server/clock/timers.ts';
import { type TwinTime, tickOf } from '../../server/clock/twin-time.ts';
import type { Cancel } from '../../server/clock/wall-clock.ts';
import type { Replanning } from '../joint/replanning.ts';
import type { PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import { EPSILON_S } from '../plan/time-tolerance.ts';
import type { LabwareTransporter } from '../workcell/labware-transporter.ts';
import { blockingReasons, moveReasons, taskReasons, type WorkcellState } from './readiness.ts';
import type { RunMoves } from './run-moves.ts';
import type { RunPlan } from './run-plan.ts';
import type { RunTasks } from './run-tasks.ts';

/** Whose turn it is where runs share a workcell. */
interface OperationOrder {
  isNextMove(move: PlannedLabwareMove): boolean;
  isNextTask(task: PlannedTask): boolean;
}

interface DueOperationsParts {
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
  readonly hasPlan: boolean;
  becomePaused(message: string): void;
}

/** Starts the planned operations of one run. */
export class DueOperations {
  /** True while a move waits for the arm to come to rest after an earlier motion. */
  isArmAwaited = false;
  /**
   * True while something ends or starts without a call: a task, a move, a planning step, or an
   * operation that waits only for its time. An unpaced clock runs ahead only then.
   */
  goesOnByItself = true;
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
      goOn = run.hasPlan && this.startOperations(run);
      if (!goOn && run.state === 'started') goOn = this.parts.replanning.advance();
    }
    return hasStarted;
  }

  private startOperations(run: StartingRun): boolean {
    const { hasStarted, fault } = this.startMove();
    if (fault === null) return hasStarted || this.startTasks();
    run.becomePaused(fault);
    return false;
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

  /** Decides `goesOnByItself` after everything that is ready has started. */
  onDispatched(): void {
    const { plan, workcell, labwareMoves, replanning } = this.parts;
    const move = plan.nextMove;
    this.goesOnByItself =
      replanning.isActive ||
      this.isArmAwaited ||
      !labwareMoves.isFree ||
      workcell.progress.runningTasks.length > 0 ||
      (move !== undefined && this.needsOnlyTime(move)) ||
      plan.nextTasks.some((task) => this.needsOnlyTime(task));
  }

  /** Whether a planned operation starts at its time, as the workcell is now. */
  private needsOnlyTime(one: PlannedLabwareMove | PlannedTask): boolean {
    const { workcell, order } = this.parts;
    if ('labware' in one) return order.isNextMove(one) && moveReasons(workcell, one).length === 0;
    const { task, instrument } = one;
    if (!order.isNextTask(one) || workcell.limits.isUnbegun(task)) return false;
    return blockingReasons(workcell, task, instrument).length === 0;
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
