/**
 * A run of a workflow: starts tasks and moves as planned once they are ready, and publishes run
 * events. It runs on the twin's clock only, woken by timers and the control loop (docs/decisions).
 */
import type { LimitViolation } from '../../contract/types.ts';
import { TICKS_PER_S, tickOf } from '../clock/twin-time.ts';
import type { Cancel } from '../clock/wall-clock.ts';
import type { LoopListener } from '../robot/loop.ts';
import { DueOperations } from './due-operations.ts';
import type { Plan, PlannedLabwareMove } from './plan/problem.ts';
import { RunProgress } from './progress.ts';
import {
  type RunConditions,
  resumeFault,
  SAFETY_TEXT,
  type SafetyState,
  safetyOf,
  type WorkcellState,
} from './readiness.ts';
import { Replanning } from './replanning.ts';
import { completionText } from './run-history.ts';
import type { RunParts } from './run-log.ts';
import { type MoveFailure, RunMoves } from './run-moves.ts';
import { RunPlan } from './run-plan.ts';
import { RunTasks } from './run-tasks.ts';
import { TimeLimits, violationText } from './time-limits.ts';

export class Run implements LoopListener {
  state: 'started' | 'paused' | 'stopped' = 'started';
  readonly progress: RunProgress;
  readonly plan: RunPlan;
  readonly workcell: WorkcellState;
  readonly limits: TimeLimits;
  private readonly parts: RunParts;
  private readonly start_tick: number;
  private readonly unsubscribe: () => void;
  private releaseAwake: () => void;
  /** A requested pause: after all running operations, or as soon as the arm is at rest. */
  private requestedPause: 'none' | 'drain' | 'immediate' = 'none';
  private isResuming = false;
  private safety: SafetyState;
  private readonly labwareMoves: RunMoves;
  readonly tasks: RunTasks;
  readonly replanning: Replanning;
  private readonly due: DueOperations;
  private cancelWake: Cancel = () => {};

  constructor(parts: RunParts, first: Plan) {
    const { model, loop, moves, seed, robot } = parts;
    this.parts = parts;
    this.start_tick = loop.tick;
    this.progress = new RunProgress(model);
    const isDown = (instrument: number) =>
      instrument >= 0 && parts.isDown(model.instruments[instrument]!.id);
    const { progress } = this;
    const shared = { ...parts, progress, now_s: () => this.now_s, time: loop };
    this.limits = new TimeLimits({
      ...shared,
      onViolation: (violation) => this.limitBroken(violation),
      onReleased: () => this.dispatch(),
    });
    const { limits } = this;
    this.plan = new RunPlan({ model, moves, progress, seed, isDown, limits }, first);
    this.workcell = { model, progress, isDown, limits };
    this.replanning = new Replanning({ ...shared, plan: this.plan });
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
    this.due = new DueOperations({ ...shared, plan, workcell, labwareMoves, tasks, replanning });
    if (parts.held) this.labwareMoves.hold(parts.held);
    this.safety = safetyOf(robot);
    this.unsubscribe = loop.subscribe(this);
    this.releaseAwake = loop.keepAwake();
  }

  /** Seconds since the start of the run. */
  get now_s(): number {
    return (this.parts.loop.tick - this.start_tick) / TICKS_PER_S;
  }

  /** Publishes the plan and the start, and starts the first operations. */
  async start(): Promise<void> {
    this.replanning.publish();
    this.parts.log.run('started');
    if (this.safety !== 'ok') {
      this.parts.log.safety({ state: this.safety });
      this.stopForSafety();
    } else if (this.parts.held) await this.startWithHeldPiece();
    else this.dispatch();
  }

  private async startWithHeldPiece(): Promise<void> {
    this.isResuming = true;
    const isLive = () => this.state === 'started';
    const fault = await this.labwareMoves.resume(() => (isLive() ? null : 'The run has ended'));
    this.isResuming = false;
    if (!isLive()) return;
    this.labwareMoves.publishResumed();
    if (fault === null) this.dispatch();
    else this.becomePaused(fault);
  }

  onTick(): void {
    const { transporter, robot, log } = this.parts;
    const safety = safetyOf(robot);
    const isChanged = safety !== this.safety;
    this.safety = safety;
    if (isChanged) log.safety({ state: safety });
    transporter.update();
    if (this.requestedPause === 'immediate' && transporter.isAtRest) this.becomePaused('');
    if (isChanged && safety !== 'ok') this.stopForSafety();
    else if (this.due.isArmAwaited && transporter.isReady) this.dispatch();
  }

  private stopForSafety(text = SAFETY_TEXT[this.safety]): void {
    this.labwareMoves.abort(text);
    this.becomePaused(text);
  }

  /** The twin was restored to another state: this run no longer matches it. */
  onRestore(): void {
    this.parts.transporter.detach();
    this.end('the twin was restored to another state');
  }

  /** Starts every operation that is ready; called after every change. */
  dispatch(): void {
    if (this.state !== 'started' || this.requestedPause === 'immediate' || this.isResuming) return;
    if (this.requestedPause === 'drain') {
      const isIdle = this.labwareMoves.isFree && this.progress.runningTasks.length === 0;
      if (isIdle && !this.progress.allDone) this.becomePaused('');
      if (!this.progress.allDone) return;
    }
    for (let hasStarted = true; hasStarted && this.state === 'started'; ) {
      const move = this.due.startMove();
      if (move.fault !== null) this.becomePaused(move.fault);
      hasStarted = move.hasStarted || this.due.startTasks();
      if (!hasStarted) hasStarted = this.replanning.advance();
    }
    if (this.state !== 'started') return;
    this.limits.check();
    if (this.state !== 'started') return;
    if (!this.progress.allDone || !this.labwareMoves.isFree) this.sleep();
    else this.end(completionText(this.parts.model, this));
  }

  private sleep(): void {
    this.cancelWake();
    const { loop, timers } = this.parts;
    if (this.replanning.isActive) {
      this.cancelWake = timers.at(loop.tick + 1, () => this.dispatch());
      return;
    }
    const next_s = this.due.nextStart_s();
    if (next_s === null) return;
    this.cancelWake = timers.at(this.start_tick + tickOf(next_s), () => this.dispatch());
  }

  private moveDone(move: PlannedLabwareMove): void {
    this.replanning.recordTiming(move, this.now_s, this.plan.moveEnd_s(move));
    this.dispatch();
  }

  private moveFailed({ task, toBuffer }: PlannedLabwareMove, one: MoveFailure): void {
    const { reason, isCarried } = one;
    if (this.safety !== 'ok' || toBuffer) {
      this.becomePaused(SAFETY_TEXT[this.safety] || reason);
      return;
    }
    this.tasks.failUnstarted(task, reason, { publish: !isCarried });
    this.afterFailure(task, reason);
  }

  private taskEnded(task: number, error: string | null): void {
    this.limits.check();
    if (this.state === 'stopped') return;
    const planned = this.plan.taskTimes(task);
    if (planned) this.replanning.recordTiming(planned, this.now_s, planned.end_s);
    if (error !== null) this.afterFailure(task, error);
    else this.dispatch();
  }

  private afterFailure(task: number, error: string): void {
    const { id, failureActions: actions } = this.parts.model.tasks[task]!;
    const message = `task ${id} failed: ${error}`;
    if (actions.isOffered) this.becomePaused(message);
    else this.end(`failure: ${message}`);
  }

  private limitBroken(violation: LimitViolation): void {
    const [{ on_violation, constraint_id }, text] = [violation, violationText(violation)];
    this.replanning.isDue = true;
    if (on_violation === 'pause') this.becomePaused(text);
    else if (on_violation === 'stop') this.end(`failure: ${text}`);
    else if (on_violation === 'abort_labware') this.progress.abortLimited(constraint_id);
  }

  private becomePaused(message: string): void {
    if (this.state !== 'started') return;
    [this.state, this.requestedPause] = ['paused', 'none'];
    this.cancelWake();
    this.releaseAwake();
    this.parts.log.run('paused', message);
  }

  /** Pauses after all running operations, or immediately; returns a message if not possible. */
  pause(immediate: boolean): string | null {
    if (this.state !== 'started') return `The run is ${this.state}`;
    if (immediate) {
      this.labwareMoves.pause();
      this.requestedPause = 'immediate';
      if (this.parts.transporter.isAtRest) this.becomePaused('');
    } else {
      this.requestedPause = 'drain';
      this.dispatch();
    }
    return null;
  }

  /** What decides which actions of an operator are possible. */
  get conditions(): RunConditions {
    const { model, robot } = this.parts;
    return { state: this.state, progress: this.progress, model, safety: safetyOf(robot) };
  }

  /** Resumes a paused run; returns a message if not possible. */
  async resume(): Promise<string | null> {
    const fault = this.isResuming ? 'The run is being resumed' : resumeFault(this.conditions);
    if (fault) return fault;
    this.isResuming = true;
    const message = await this.continueRun().finally(() => {
      this.isResuming = false;
    });
    if (message === null) this.dispatch();
    return message;
  }

  private async continueRun(): Promise<string | null> {
    const { log, loop, robot } = this.parts;
    // The state can change while the motion of the arm is planned.
    const fault = await this.labwareMoves.resume(() =>
      this.state === 'paused' && safetyOf(robot) === 'ok' ? null : `The run is ${this.state}`,
    );
    if (fault) return fault;
    this.state = 'started';
    this.releaseAwake = loop.keepAwake();
    log.run('resumed');
    this.labwareMoves.publishResumed();
    await this.replanning.replanNow({ alwaysPublish: true });
    return null;
  }

  /** Ends the run; returns a message if it has already ended. */
  stop(): string | null {
    if (this.state === 'stopped') return 'The run is stopped';
    this.end('stopped by user');
    return null;
  }

  private end(message: string): void {
    this.teardown({ publish: true });
    this.parts.log.run('stopped', message);
    this.parts.onEnd(message);
  }

  /** `publish`: with the failures of everything that has begun. */
  private teardown({ publish }: { readonly publish: boolean }): void {
    this.state = 'stopped';
    this.cancelWake();
    this.replanning.stop();
    this.limits.stop();
    this.releaseAwake();
    this.unsubscribe();
    this.tasks.cancelAll({ publish });
    if (publish) this.labwareMoves.close();
    this.parts.transporter.cancel();
  }

  /** Ends the run without events, for a reset of the twin. */
  dispose(): void {
    if (this.state === 'stopped') return;
    this.teardown({ publish: false });
    this.parts.onEnd('');
  }

  /** An instrument went down or came up: tasks on it fail, the remaining work is replanned. */
  instrumentChanged(): void {
    this.tasks.failOnDown(this.workcell.isDown);
    if (this.state === 'stopped') return;
    this.replanning.isDue = true;
    this.dispatch();
  }
}
