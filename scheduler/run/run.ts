/**
 * A run of a workflow: starts tasks and moves as planned once they are ready, and publishes run
 * events. It runs on the twin's clock only, woken by timers and the control loop (docs/decisions).
 */

import type { SafetyState } from '../../contract/safety-state.ts';
import type { LimitViolation, RunStateChange } from '../../contract/types.generated.ts';
import type { Timers } from '../../server/clock/timers.ts';
import { clockAt_s, TICKS_PER_S, type TwinTime } from '../../server/clock/twin-time.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import type { ArmFollower, ArmPort } from '../arm-port.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { Member } from '../joint/member.ts';
import type { SchedulingTerms } from '../joint/planned-run.ts';
import type { Replanning } from '../joint/replanning.ts';
import type { Plan, PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import { GONE, isSameLocation, type SlotLocation } from '../plan/slot-location.ts';
import { type CurrentCell, pieceIn } from '../workcell/cell-deck.ts';
import type { LabwareTransporter } from '../workcell/labware-transporter.ts';
import type { SharedWorkcell } from '../workcell/shared-workcell.ts';
import { DueOperations } from './due-operations.ts';
import { LAST_FAILURE } from './failure-policy.ts';
import { PlanPublisher } from './plan-publisher.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { MoveProgress, RunProgress } from './progress.ts';
import type { WorkcellState } from './readiness.ts';
import { noPlanText, type RunConditions, resumeFault } from './run-conditions.ts';
import type { RunLog } from './run-log.ts';
import { type MoveFailure, RunMoves } from './run-moves.ts';
import { RunPlan } from './run-plan.ts';
import { RunSupplies } from './run-supplies.ts';
import { RunTasks } from './run-tasks.ts';
import { SAFETY_TEXT, safetyFault } from './safety-fault.ts';
import type { SimulatedResults } from './simulated-results.ts';
import { decisionText, isDecider } from './task-outputs.ts';
import { TimeLimits, violationText } from './time-limits.ts';

/** The dependencies of a run. */
export interface RunParts {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly transporter: LabwareTransporter;
  readonly arm: Pick<ArmPort, 'state' | 'safety' | 'follow' | 'keepAwake'>;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly wall: WallClock;
  readonly log: RunLog;
  readonly results: SimulatedResults;
  readonly progress: RunProgress;
  readonly schedule: SchedulingTerms;
  readonly shared: SharedWorkcell;
  /** The tick since which an instrument is down; null for one that is up. */
  readonly downSince: (id: string) => number | null;
  readonly cell: CurrentCell;
  /** The begun move of the piece that is in the gripper at the start; null for none. */
  readonly held: MoveProgress | null;
}

/** Returns the message of a completed run: with its broken limits, and the tasks that were not done. */
export function completionText({ tasks }: WorkflowModel, { limits, progress }: Run): string {
  const broken = limits.violations.map(({ constraint_id }) => constraint_id);
  const named = (list: readonly number[]) => list.map((task) => tasks[task]!.id);
  const [aborted, cancelled] = [named(progress.abortedTasks), named(progress.cancelledTasks)];
  const notes = [
    ...(broken.length > 0 ? [`broken limits: ${broken.join(', ')}`] : []),
    ...(aborted.length > 0 ? [`aborted tasks: ${aborted.join(', ')}`] : []),
    ...(cancelled.length > 0 ? [`cancelled tasks: ${cancelled.join(', ')}`] : []),
  ];
  return ['completed', ...notes].join('; ');
}

/**
 * A run among the runs that share its workcell. Its parts (plan, limits of time, moves, tasks)
 * report what has happened; the run decides what follows: it goes on, pauses or ends. It is made
 * with its first plan and begins no operation before `start`; after its last operation, `stop` or
 * `dispose` it has left the workcell. An action returns a message where it is not possible.
 */
export class Run implements Member, ArmFollower {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly schedule: SchedulingTerms;
  readonly shared: SharedWorkcell;
  readonly progress: RunProgress;
  readonly plan: RunPlan;
  readonly publisher: PlanPublisher;
  readonly workcell: WorkcellState;
  readonly limits: TimeLimits;
  readonly supplies: RunSupplies;
  readonly tasks: RunTasks;
  readonly replanning: Replanning;
  readonly start_tick: number;
  isProvisional = false;
  private readonly parts: RunParts;
  private readonly labwareMoves: RunMoves;
  private readonly due: DueOperations;
  state: 'started' | 'paused' | 'stopped' = 'started';
  private readonly unsubscribe: () => void;
  private readonly releaseAwake: () => void;
  /** A requested pause: after all running operations, or as soon as the arm is at rest. */
  private requestedPause: 'none' | 'drain' | 'immediate' = 'none';
  private isResuming = false;
  /** The safety state as published. */
  private safety: SafetyState;
  /** The safety states since, in order: a stop can begin and end between two ticks. */
  private readonly safetyStates: SafetyState[] = [];
  /** Number of safety stops so far. */
  private stops = 0;

  constructor(parts: RunParts, first: Plan) {
    const { model, time, arm, moves, schedule, shared: cell, progress } = parts;
    this.parts = parts;
    this.start_tick = time.tick;
    [this.model, this.moves, this.schedule] = [model, moves, schedule];
    [this.shared, this.progress] = [cell, progress];
    const downSince_s = (instrument: number) => {
      const tick = instrument < 0 ? null : parts.downSince(model.instruments[instrument]!.id);
      return tick === null ? null : (tick - this.start_tick) / TICKS_PER_S;
    };
    this.supplies = new RunSupplies(model, cell.stock);
    const { supplies } = this;
    const shared = { ...parts, supplies, now_s: () => this.now_s };
    this.limits = new TimeLimits({
      ...shared,
      onViolation: (violation) => this.limitBroken(violation),
      onReleased: () => this.dispatch(),
    });
    const { limits } = this;
    this.plan = new RunPlan(progress, first);
    const now_s = () => this.now_s;
    const neighbours = cell.neighboursOf(this);
    const own_s = (tick: number) => (tick - this.start_tick) / TICKS_PER_S;
    const lastEnd_s = (instrument: number) => own_s(cell.lastEnd_tick(instrument));
    const clock_s = clockAt_s(time, this.start_tick);
    const times = { now_s, downSince_s, lastEnd_s, clock_s, begun_s: own_s(cell.begun_tick) };
    this.workcell = { model, progress, limits, supplies, neighbours, ...times };
    this.replanning = cell.replanning;
    this.publisher = new PlanPublisher({
      ...shared,
      plan: this.plan,
      onLate: () => this.dispatch(),
    });
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
    this.safety = arm.safety;
    parts.log.beforeEach = () => this.followSafety();
    this.unsubscribe = arm.follow(this);
    this.releaseAwake = arm.keepAwake(() => this.goesOnByItself);
  }

  /** Seconds since the start of the run. */
  get now_s(): number {
    return (this.parts.time.tick - this.start_tick) / TICKS_PER_S;
  }

  get tick(): number {
    return this.parts.time.tick;
  }

  /** Starts whatever is ready in the runs of the workcell; called after every change. */
  dispatch(): void {
    this.shared.dispatch();
  }

  /** Publishes the plan and the start, and starts the first operations. */
  async start(): Promise<void> {
    this.publisher.publish();
    this.publishState('started');
    if (this.safety !== 'ok') {
      this.parts.log.publish('SafetyStateChangeHook', { state: this.safety });
      this.stopForSafety();
    } else if (this.parts.held) await this.startWithHeldPiece();
    else this.dispatch();
  }

  private publishState(state: RunStateChange['state'], message = ''): void {
    this.parts.log.publish('RunStateChangeHook', { state, message });
  }

  private async startWithHeldPiece(): Promise<void> {
    this.isResuming = true;
    const fault = await this.labwareMoves.prepareResume();
    this.isResuming = false;
    if (this.state !== 'started') return;
    if (fault === null) this.dispatch();
    else this.becomePaused(fault);
  }

  onSafety(state: SafetyState): void {
    this.safetyStates.push(state);
  }

  onPowerCycle(): void {
    this.parts.transporter.losePower();
  }

  onTick(): void {
    const { transporter } = this.parts;
    this.followSafety();
    transporter.update();
    if (this.requestedPause === 'immediate' && transporter.isAtRest) this.becomePaused('');
    else if (this.due.isArmAwaited && transporter.isReady) this.dispatch();
  }

  /**
   * Publishes the changes of the safety state so far, and stops for each stop among them. It comes
   * before every event and every start of the run, so that none overtakes them.
   */
  followSafety(): void {
    const { transporter, arm, log } = this.parts;
    for (const state of this.safetyStates.splice(0)) {
      if (state === this.safety || this.state === 'stopped') continue;
      this.safety = state;
      log.publish('SafetyStateChangeHook', { state });
      if (state === 'ok') continue;
      // The gripper may have closed at the tick of a stop that is still in force.
      if (state === arm.safety) transporter.update();
      this.stopForSafety();
    }
  }

  private stopForSafety(text = SAFETY_TEXT[this.safety]): void {
    this.stops += 1;
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

  get readyMove(): PlannedLabwareMove | null {
    return this.due.readyMove;
  }

  get readyTasks(): PlannedTask[] {
    return this.due.readyTasks;
  }

  /** Whether a requested pause waits for what is under way to end. */
  get isPausing(): boolean {
    return this.state === 'started' && this.requestedPause !== 'none';
  }

  /** False while only a call can make the run go on: it is paused, on hold or blocked. */
  private get goesOnByItself(): boolean {
    if (this.state !== 'started' || this.isResuming || this.awaitsOthers) return false;
    const isArmPaused = this.moves.usesArm && this.parts.arm.state === 'paused';
    return this.due.goesOnByItself && !isArmPaused;
  }

  /** What holds all of the run, or only its moves by the arm, in words; null for nothing. */
  get hold(): { readonly what: 'all' | 'moves'; readonly reason: string } | null {
    if (this.state === 'paused') return { what: 'all', reason: 'the run is paused' };
    if (this.isPausing) return { what: 'all', reason: 'the run is pausing' };
    if (this.awaitsOthers) return { what: 'all', reason: 'it waits for a plan' };
    const isArmPaused = this.parts.arm.state === 'paused';
    return isArmPaused ? { what: 'moves', reason: 'the arm is paused' } : null;
  }

  onDispatched(): void {
    if (this.state === 'started') this.due.onDispatched();
  }

  /** Starts every operation of this run that is ready; returns whether there was one. */
  proceed(): boolean {
    this.followSafety();
    if (this.state !== 'started' || this.requestedPause === 'immediate' || this.isResuming) {
      return false;
    }
    const fault = this.hasPlan ? this.labwareMoves.goOn() : null;
    if (fault !== null) this.becomePaused(fault);
    if (this.state !== 'started') return false;
    if (this.requestedPause === 'drain') {
      const isIdle = this.labwareMoves.isFree && this.progress.runningTasks.length === 0;
      if (isIdle && !this.progress.allDone) this.becomePaused('');
      if (!this.progress.allDone) return false;
    }
    const hasStarted = this.due.startReady(this);
    this.limits.check();
    if (this.state !== 'started') return hasStarted;
    if (!this.progress.allDone || !this.labwareMoves.isFree || this.due.isTakingAway)
      this.due.sleep(this.start_tick);
    else this.end(completionText(this.parts.model, this));
    return hasStarted;
  }

  /** True once the plan of what starts next is made and published. */
  get hasPlan(): boolean {
    return !this.isProvisional && !this.publisher.isAwaited && !this.awaitsOthers;
  }

  /** Whether it was resumed without a plan, as where that needs runs which are still paused. */
  private get awaitsOthers(): boolean {
    return this.state === 'started' && !this.isResuming && this.publisher.mustPublish;
  }

  private moveDone(move: PlannedLabwareMove): void {
    const [actual_s, planned_s] = [this.now_s, this.plan.moveEnd_s(move)];
    this.replanning.recordTiming(move, { plan: this.plan, actual_s, planned_s });
    const { id } = this.model.labware[move.labware]!;
    // Given up on its way, it could not be taken to a reject before.
    if (this.progress.givenUp.has(move.labware) && !this.isReject(move.to))
      this.replanning.request(`${id}, which was given up, has been put down`);
    this.dispatch();
  }

  private isReject(place: SlotLocation): boolean {
    return this.model.rejects.some((one) => isSameLocation(one, place));
  }

  private moveFailed({ task, to, toBuffer }: PlannedLabwareMove, one: MoveFailure): void {
    const { reason, isCarried } = one;
    if (this.safety !== 'ok' || toBuffer) {
      this.becomePaused(SAFETY_TEXT[this.safety] || reason);
      return;
    }
    this.tasks.failUnstarted({ task, instrument: to.instrument }, reason, { publish: !isCarried });
    const { id, failureActions, onFailure } = this.model.tasks[task]!;
    const message = `task ${id} failed: ${reason}`;
    // Where a piece is that was dropped, only a person or the cell can say.
    if (!isCarried) this.afterFailure(task, reason);
    else if (failureActions.isOffered || onFailure.action !== 'stop') this.becomePaused(message);
    else this.fail(message);
  }

  private taskEnded(task: number, error: string | null): void {
    this.limits.check();
    if (this.state === 'stopped') return;
    const planned = this.plan.taskTimes(task);
    if (planned) {
      const [actual_s, planned_s] = [this.now_s, planned.end_s];
      this.replanning.recordTiming(planned, { plan: this.plan, actual_s, planned_s });
    }
    if (error !== null) this.afterFailure(task, error);
    else {
      this.decide(task);
      this.dispatch();
    }
  }

  /** Follows the result of a task that others depend on: some are cancelled, and there is a new plan. */
  decide(task: number): void {
    const cancelled = this.progress.decide();
    if (!isDecider(this.model, task)) return;
    this.progress.changes += 1;
    const { outputs } = this.progress.tasks[task]!;
    this.replanning.request(decisionText(this.model, task, { outputs: outputs ?? {}, cancelled }));
  }

  private afterFailure(task: number, error: string): void {
    const { id, onFailure } = this.model.tasks[task]!;
    const message = `task ${id} failed: ${error}`;
    if (this.progress.tasks[task]!.tries < onFailure.retries) {
      this.progress.tryAgain(task, this.now_s + onFailure.delay_s);
      this.shared.changed(`${message}; it is tried again`);
    } else LAST_FAILURE[onFailure.action](this, { task, message });
  }

  /** Ends the run for a failure. */
  fail(message: string): void {
    this.end(`failure: ${message}`);
  }

  private limitBroken(violation: LimitViolation): void {
    const [{ on_violation, constraint_id }, text] = [violation, violationText(violation)];
    this.replanning.request(text);
    if (on_violation === 'pause') this.becomePaused(text);
    else if (on_violation === 'stop') this.fail(text);
    else if (on_violation === 'abort_labware') this.progress.abortLimited(constraint_id);
  }

  /** Pauses the run for a reason. */
  becomePaused(message: string): void {
    if (this.state !== 'started') return;
    [this.state, this.requestedPause] = ['paused', 'none'];
    this.due.stop();
    this.publishState('paused', message);
    this.othersChange();
  }

  /** The other runs go on without this one, or with it again. */
  private othersChange(): void {
    if (this.shared.runs.length > 1) this.shared.changed(`${this.model.name} is ${this.state}`);
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

  /** Why a person cannot move a piece now, or take it away (`GONE`); null if they can. */
  handFault(labware: number, to: SlotLocation): string | null {
    const { progress, model, labwareMoves } = this;
    const { id } = model.labware[labware]!;
    const hasWork = progress.nextTaskOf(labware) !== undefined;
    const isUsed = progress.runningTasks.some((task) =>
      model.tasks[task]!.uses.some((use) => use.labware === labware),
    );
    const isFree = this.state === 'paused' || progress.givenUp.has(labware);
    if (!isFree || isUsed || labwareMoves.isMoving(labware)) return `An active run uses ${id}`;
    if (to !== GONE || !hasWork) return null;
    return `${id} has open tasks; give it up first (abort_labware)`;
  }

  /** A person has put a piece somewhere, or taken it away (`GONE`). */
  placeByHand(labware: number, to: SlotLocation): void {
    this.labwareMoves.release(labware);
    this.progress.place(labware, to, this.now_s);
  }

  /**
   * Looks where the pieces stand, if they are objects of a cell: a person may have moved them during
   * a pause. Returns what lies in no slot, as a sentence; null for nothing.
   */
  private lookAround(): string | null {
    const { progress, model, labwareMoves, parts } = this;
    const cell = this.moves.usesArm ? parts.cell() : null;
    if (!cell) return null;
    for (const [labware, { id }] of model.labware.entries()) {
      const found = labwareMoves.isMoving(labware) ? null : pieceIn(cell, id);
      if (found === null || found.place === null || progress.locations[labware] === GONE) continue;
      if (found.place === undefined)
        return `${found.text}. Put it into a slot, then resume the run`;
      const { instrument_id, slot } = found.place;
      const instrument = model.instruments.findIndex((one) => one.id === instrument_id);
      const to = { instrument, slot };
      const at = progress.locations[labware];
      if (instrument < 0 || (at && isSameLocation(at, to))) continue;
      this.placeByHand(labware, to);
    }
    return null;
  }

  /** What decides which actions of an operator are possible. */
  get conditions(): RunConditions {
    const { model, arm } = this.parts;
    const { safety } = arm;
    return { state: this.state, progress: this.progress, model, safety };
  }

  /** Resumes a paused run, or withdraws a pause that waits; returns a message if not possible. */
  async resume(): Promise<string | null> {
    if (this.isPausing) return this.withdrawPause();
    const fault = this.isResuming ? 'The run is being resumed' : resumeFault(this.conditions);
    if (fault) return fault;
    this.isResuming = true;
    const message = await this.continueRun().finally(() => {
      this.isResuming = false;
    });
    if (message === null) this.dispatch();
    return message;
  }

  private withdrawPause(): string | null {
    if (this.requestedPause === 'immediate') {
      return 'The run pauses once the arm is at rest; resume it then';
    }
    this.requestedPause = 'none';
    this.shared.changed('the pause was withdrawn');
    return null;
  }

  private async continueRun(): Promise<string | null> {
    const { parts, stops } = this;
    const stray = this.lookAround();
    if (stray !== null) return stray;
    await this.moves.prepareNext(this.progress);
    const fault = await this.labwareMoves.prepareResume();
    if (fault) return fault;
    const noPlan = await this.planFault();
    if (noPlan) return noPlan;
    // The state can change while the motion of the arm and the rest of the run are planned.
    this.followSafety();
    const unsafe = safetyFault(parts.arm.safety);
    if (unsafe || this.state !== 'paused') return unsafe ?? `The run is ${this.state}`;
    if (this.stops > stops) return 'The arm was stopped meanwhile; resume the run again';
    this.state = 'started';
    this.publishState('resumed');
    this.labwareMoves.countPause();
    await this.replanning.replanNow(this, { alwaysPublish: true });
    return null;
  }

  /**
   * Why the rest of the paused run has no plan, or null. One that lacks only the resumption of
   * other runs counts as a plan: two paused runs that wait for each other could not go on else.
   */
  private async planFault(): Promise<string | null> {
    const { shared, progress, tick, parts } = this;
    const wanted = { run: this, progress, isQuick: true };
    const found = await shared.joint.planFor(wanted, tick, parts.wall);
    this.plan.faults = found.ok ? [] : found.error.messages;
    if (found.ok) return null;
    const withPaused = shared.runs.length > 1;
    const wide = withPaused
      ? await shared.joint.planFor({ ...wanted, withPaused }, tick, parts.wall)
      : found;
    return wide.ok ? null : noPlanText(wide.error.messages);
  }

  /** Ends the run; returns a message if it has already ended. */
  stop(): string | null {
    if (this.state === 'stopped') return 'The run is stopped';
    this.end('stopped by user');
    return null;
  }

  private end(message: string, { goOn } = { goOn: true }): void {
    this.teardown({ publish: true });
    this.publishState('stopped', message);
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
  instrumentChanged(reason: string): void {
    this.tasks.failOnDown((instrument) => this.workcell.downSince_s(instrument) !== null);
    if (this.state === 'stopped') return;
    this.shared.changed(reason);
  }
}
