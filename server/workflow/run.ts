/**
 * A run of a workflow: starts tasks and moves as planned once they are ready, and publishes run
 * events. It runs on the twin's clock only, woken by timers and the control loop (docs/decisions).
 */
import type { LimitViolation } from '../../contract/types.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { Plan, PlannedLabwareMove } from './plan/problem.ts';
import {
  type RunConditions,
  resumeFault,
  SAFETY_TEXT,
  type SafetyState,
  safetyOf,
} from './readiness.ts';
import { RunCore } from './run-core.ts';
import { completionText } from './run-history.ts';
import type { RunParts } from './run-log.ts';
import type { MoveFailure } from './run-moves.ts';
import { violationText } from './time-limits.ts';

export class Run extends RunCore implements LoopListener {
  state: 'started' | 'paused' | 'stopped' = 'started';
  private readonly unsubscribe: () => void;
  private releaseAwake: () => void;
  /** A requested pause: after all running operations, or as soon as the arm is at rest. */
  private requestedPause: 'none' | 'drain' | 'immediate' = 'none';
  private isResuming = false;
  private safety: SafetyState;

  constructor(parts: RunParts, first: Plan) {
    super(parts, first);
    this.safety = safetyOf(parts.robot);
    this.unsubscribe = parts.loop.subscribe(this);
    this.releaseAwake = parts.loop.keepAwake();
  }

  /** Publishes the plan and the start, and starts the first operations. */
  async start(): Promise<void> {
    this.publisher.publish();
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
    this.end('the twin was restored to another state', { goOn: false });
  }

  /** Whether the run takes part in the joint plan. */
  get isActive(): boolean {
    return this.state === 'started' && this.requestedPause === 'none';
  }

  get canStart(): boolean {
    return this.isActive && !this.isResuming && !this.isProvisional;
  }

  /** Starts every operation of this run that is ready; returns whether there was one. */
  proceed(): boolean {
    if (this.state !== 'started' || this.requestedPause === 'immediate' || this.isResuming) {
      return false;
    }
    if (this.requestedPause === 'drain') {
      const isIdle = this.labwareMoves.isFree && this.progress.runningTasks.length === 0;
      if (isIdle && !this.progress.allDone) this.becomePaused('');
      if (!this.progress.allDone) return false;
    }
    const hasStarted = this.due.startReady(this);
    if (this.state !== 'started') return hasStarted;
    this.limits.check();
    if (this.state !== 'started') return hasStarted;
    if (!this.progress.allDone || !this.labwareMoves.isFree) this.due.sleep(this.start_tick);
    else this.end(completionText(this.parts.model, this));
    return hasStarted;
  }

  protected moveDone(move: PlannedLabwareMove): void {
    const [actual_s, planned_s] = [this.now_s, this.plan.moveEnd_s(move)];
    this.replanning.recordTiming(move, { plan: this.plan, actual_s, planned_s });
    this.dispatch();
  }

  protected moveFailed({ task, toBuffer }: PlannedLabwareMove, one: MoveFailure): void {
    const { reason, isCarried } = one;
    if (this.safety !== 'ok' || toBuffer) {
      this.becomePaused(SAFETY_TEXT[this.safety] || reason);
      return;
    }
    this.tasks.failUnstarted(task, reason, { publish: !isCarried });
    this.afterFailure(task, reason);
  }

  protected taskEnded(task: number, error: string | null): void {
    this.limits.check();
    if (this.state === 'stopped') return;
    const planned = this.plan.taskTimes(task);
    if (planned) {
      const [actual_s, planned_s] = [this.now_s, planned.end_s];
      this.replanning.recordTiming(planned, { plan: this.plan, actual_s, planned_s });
    }
    if (error !== null) this.afterFailure(task, error);
    else this.dispatch();
  }

  private afterFailure(task: number, error: string): void {
    const { id, failureActions: actions } = this.parts.model.tasks[task]!;
    const message = `task ${id} failed: ${error}`;
    if (actions.isOffered) this.becomePaused(message);
    else this.end(`failure: ${message}`);
  }

  protected limitBroken(violation: LimitViolation): void {
    const [{ on_violation, constraint_id }, text] = [violation, violationText(violation)];
    this.replanning.isDue = true;
    if (on_violation === 'pause') this.becomePaused(text);
    else if (on_violation === 'stop') this.end(`failure: ${text}`);
    else if (on_violation === 'abort_labware') this.progress.abortLimited(constraint_id);
  }

  /** Pauses the run for a reason. */
  becomePaused(message: string): void {
    if (this.state !== 'started') return;
    [this.state, this.requestedPause] = ['paused', 'none'];
    this.due.stop();
    this.releaseAwake();
    this.parts.log.run('paused', message);
    this.othersChange();
  }

  /** The other runs go on without this one, or with it again. */
  private othersChange(): void {
    if (this.shared.runs.length > 1) this.shared.changed();
  }

  /** Pauses after all running operations, or immediately; returns a message if not possible. */
  pause(immediate: boolean): string | null {
    if (this.state !== 'started') return `The run is ${this.state}`;
    // The arm brakes already: waiting for the end of its move would not end.
    if (this.requestedPause === 'immediate') return null;
    if (immediate) {
      this.labwareMoves.pause();
      this.requestedPause = 'immediate';
      if (this.parts.transporter.isAtRest) this.becomePaused('');
    } else {
      this.requestedPause = 'drain';
      this.dispatch();
      this.othersChange();
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
    await this.replanning.replanNow(this, { alwaysPublish: true });
    return null;
  }

  /** Ends the run; returns a message if it has already ended. */
  stop(): string | null {
    if (this.state === 'stopped') return 'The run is stopped';
    this.end('stopped by user');
    return null;
  }

  private end(message: string, { goOn } = { goOn: true }): void {
    this.teardown({ publish: true });
    this.parts.log.run('stopped', message);
    this.shared.remove(this, { goOn });
  }

  /** `publish`: with the failures of everything that has begun. */
  private teardown({ publish }: { readonly publish: boolean }): void {
    this.state = 'stopped';
    this.due.stop();
    this.publisher.stop();
    if (this.shared.runs.length === 1) this.replanning.stop();
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
    this.shared.remove(this, { goOn: false });
  }

  /** An instrument went down or came up: tasks on it fail, the remaining work is replanned. */
  instrumentChanged(): void {
    this.tasks.failOnDown(this.workcell.isDown);
    if (this.state === 'stopped') return;
    this.replanning.isDue = true;
    this.dispatch();
  }
}
