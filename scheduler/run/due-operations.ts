/**
 * Starts the planned tasks and moves of a run once their time has come and the workcell is ready
 * for them: labware in place, instrument and arm free.
 */

import type { Timers } from '../../server/clock/timers.ts';
import { tickOf } from '../../server/clock/twin-time.ts';
import type { Cancel } from '../../server/clock/wall-clock.ts';
import type { Replanning } from '../joint/replanning.ts';
import type { PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import { isSameLocation } from '../plan/slot-location.ts';
import { EPSILON_S } from '../plan/time-tolerance.ts';
import type { LabwareTransporter } from '../workcell/labware-transporter.ts';
import { lateText, operationName } from './late-operations.ts';
import { isLate, nextMark_s, nextOutageMark_s } from './lateness.ts';
import {
  blockingReasons,
  isShiftedInto,
  moveReasons,
  restEnds_s,
  shiftFrom_s,
  taskReasons,
  type WorkcellState,
} from './readiness.ts';
import type { RunMoves } from './run-moves.ts';
import type { RunPlan } from './run-plan.ts';
import type { RunTasks } from './run-tasks.ts';

/** Whose turn it is where runs share a workcell: what another can do now and has earlier is first. */
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
  /** Up to when the run was looked at for what is late (s). */
  private watched_s = 0;
  /** The operations that were late then. */
  private late: ReadonlySet<string> = new Set();
  private readonly parts: DueOperationsParts;

  constructor(parts: DueOperationsParts) {
    this.parts = parts;
  }

  private isDue({ start_s }: { readonly start_s: number }): boolean {
    return this.parts.now_s() >= start_s - EPSILON_S;
  }

  /**
   * Has a new plan made when an operation becomes late, an outage lasts, or either for twice as long;
   * and when a late operation has ended, since its end was a guess.
   */
  private watch(): void {
    const { workcell, replanning, now_s } = this.parts;
    const end_s = now_s() + EPSILON_S;
    const late = new Set<string>();
    for (const one of workcell.progress.running) {
      if (!isLate(one, now_s())) continue;
      late.add(operationName(workcell.model, one));
      if (nextMark_s(one, this.watched_s) > end_s) continue;
      replanning.request(lateText(workcell.model, one, now_s()));
    }
    for (const name of this.late) if (!late.has(name)) replanning.request(`${name} has ended`);
    this.late = late;
    this.noteShortages();
    for (const [text, since_s] of this.outages) {
      if (nextOutageMark_s(since_s, this.watched_s) <= end_s) replanning.request(text);
    }
    this.watched_s = now_s();
  }

  /** Notes which tasks lack units of a supply, and which do no longer: both change the plan. */
  private noteShortages(): void {
    const { workcell, replanning, now_s } = this.parts;
    const { progress, supplies, model } = workcell;
    if (model.supplies.length === 0) return;
    progress.tasks.forEach((one, task) => {
      const short = one.state === 'waiting' ? supplies.shortagesOf(task) : [];
      const isShort = short.length > 0;
      if (isShort === (one.short_since_s !== null)) return;
      one.short_since_s = isShort ? now_s() : null;
      for (const { supply, left } of short)
        replanning.request(`${supply.id} has ${left} units left`);
      if (!isShort && one.state === 'waiting')
        replanning.request(`${supplies.namesOf(task).join(', ')} was refilled`);
    });
  }

  /** What is down or short, in words, each with the time since when (s). */
  private get outages(): [text: string, since_s: number][] {
    const { model, downSince_s, progress, supplies } = this.parts.workcell;
    const found: [string, number][] = [];
    model.instruments.forEach(({ id }, i) => {
      const since_s = downSince_s(i);
      if (since_s !== null) found.push([`${id} is still down`, since_s]);
    });
    progress.tasks.forEach(({ short_since_s }, task) => {
      if (short_since_s === null) return;
      found.push([`${supplies.namesOf(task).join(', ')} is still short`, short_since_s]);
    });
    return found;
  }

  /** When the next operation becomes late, or the next outage lasts longer than expected (s). */
  private get nextMark_s(): number {
    const { workcell, now_s } = this.parts;
    const late_s = workcell.progress.running.map((one) => nextMark_s(one, now_s()));
    const down_s = this.outages.map(([, since_s]) => nextOutageMark_s(since_s, now_s()));
    return Math.min(...late_s, ...down_s);
  }

  /**
   * When the next failed task may be tried again, or an instrument is cool, or warm, or its shift begins:
   * without a new plan the start of what waits for it has passed (s).
   */
  private get nextRelease_s(): number {
    const { workcell, plan, now_s } = this.parts;
    const times_s = workcell.progress.tasks.map(({ not_before_s }) => not_before_s);
    workcell.model.instruments.forEach((_, i) => {
      const { cool_s, warm_s } = restEnds_s(workcell, i);
      times_s.push(cool_s, warm_s);
    });
    for (const { task, instrument } of plan.openTasks) {
      times_s.push(shiftFrom_s(workcell, task, instrument));
    }
    return Math.min(...times_s.filter((time_s) => time_s > now_s() + EPSILON_S));
  }

  /** Starts all that is ready; returns whether there was anything, or a new plan. */
  startReady(run: StartingRun): boolean {
    let hasStarted = false;
    this.watch();
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

  /** Wakes the run at the next planned start or retry, when something becomes late, and for a new plan. */
  sleep(start_tick: number): void {
    this.cancelWake();
    const { timers, replanning, dispatch, plan, now_s } = this.parts;
    const start_s = plan.nextStart_s(now_s() + EPSILON_S) ?? Number.POSITIVE_INFINITY;
    const next_tick = Math.min(
      replanning.isActive ? replanning.next_tick : Number.POSITIVE_INFINITY,
      start_tick + tickOf(Math.min(start_s, this.nextMark_s, this.nextRelease_s)),
    );
    if (Number.isFinite(next_tick)) this.cancelWake = timers.at(next_tick, dispatch);
  }

  /** Decides `goesOnByItself` after everything that is ready has started. */
  onDispatched(): void {
    const { plan, workcell, labwareMoves, replanning } = this.parts;
    this.goesOnByItself =
      replanning.isActive ||
      this.isArmAwaited ||
      !labwareMoves.isFree ||
      Number.isFinite(this.nextRelease_s) ||
      workcell.progress.runningTasks.some((task) => this.endsByItself(task)) ||
      plan.openMoves.some((move) => this.needsOnlyTime(move)) ||
      plan.openTasks.some((task) => this.needsOnlyTime(task));
  }

  /** Whether a running task ends without a person: at pace `max` its time-out would come at once. */
  private endsByItself(task: number): boolean {
    return Number.isFinite(this.parts.workcell.model.tasks[task]!.execution_s);
  }

  /** Whether a planned operation starts at its time, as the workcell is now. */
  private needsOnlyTime(one: PlannedLabwareMove | PlannedTask): boolean {
    const { workcell, order } = this.parts;
    if ('labware' in one) return this.canBegin(one) && order.isNextMove(one);
    const { task, instrument } = one;
    if (workcell.limits.isUnbegun(task) || !order.isNextTask(one)) return false;
    return blockingReasons(workcell, task, instrument).length === 0;
  }

  /** Cancels the wake-up. */
  stop(): void {
    this.cancelWake();
  }

  /**
   * The first due move that can be done now; null for none. The arm passes those that cannot, but
   * takes no slot that one of them, or a task before it, needs first.
   */
  get readyMove(): PlannedLabwareMove | null {
    const { plan, labwareMoves, workcell } = this.parts;
    if (!labwareMoves.isFree) return null;
    const passed: PlannedLabwareMove[] = [];
    for (const move of plan.openMoves) {
      if (!this.isDue(move)) return null;
      const isTaken = passed.some(({ to }) => isSameLocation(to, move.to));
      if (!isTaken && this.canBegin(move)) return move;
      if (!workcell.model.instruments[move.to.instrument]!.slotless) passed.push(move);
    }
    return null;
  }

  private canBegin(move: PlannedLabwareMove): boolean {
    const { plan, workcell } = this.parts;
    return moveReasons(workcell, move).length === 0 && !isShiftedInto(workcell, plan, move);
  }

  /** True while given-up labware is to be taken to a reject, or a plan may say so. */
  get isTakingAway(): boolean {
    const { plan, workcell, replanning } = this.parts;
    const { progress, model } = workcell;
    if (model.rejects.length === 0 || progress.givenUp.size === 0) return false;
    return (
      replanning.isActive || plan.openMoves.some(({ labware }) => progress.givenUp.has(labware))
    );
  }

  /** The due tasks that can start now, in the order of the plan. */
  get readyTasks(): PlannedTask[] {
    const { plan, workcell } = this.parts;
    return plan.openTasks.filter(
      (one) => this.isDue(one) && taskReasons(workcell, one.task, one.instrument).length === 0,
    );
  }

  /** Starts the move that is ready, if there is one; returns its fault, if it cannot start. */
  private startMove(): { readonly hasStarted: boolean; readonly fault: string | null } {
    const { labwareMoves, replanning, transporter, now_s, plan, order } = this.parts;
    const ready = this.readyMove;
    const move = ready && order.isNextMove(ready) ? ready : null;
    this.isArmAwaited = move !== null && !transporter.isReady;
    if (move === null || this.isArmAwaited) return { hasStarted: false, fault: null };
    const fault = labwareMoves.start(move);
    if (fault === null) {
      replanning.recordTiming(move, { plan, actual_s: now_s(), planned_s: move.start_s });
    }
    return { hasStarted: fault === null, fault };
  }

  /** Starts the tasks that are ready; returns whether there was one. */
  private startTasks(): boolean {
    const { plan, workcell, tasks, replanning, now_s, order } = this.parts;
    let hasStarted = false;
    for (const one of this.readyTasks) {
      // One that has just started may take the instrument, and an error of one may end the run.
      const isReady = taskReasons(workcell, one.task, one.instrument).length === 0;
      if (!isReady || !order.isNextTask(one)) continue;
      tasks.start(one);
      replanning.recordTiming(one, { plan, actual_s: now_s(), planned_s: one.start_s });
      hasStarted = true;
    }
    return hasStarted;
  }
}
