/**
 * A run: lets tasks and moves begin as its plan says once they can, and tells what happens. On the
 * twin's clock alone, woken by timers and by what the arm does (facts: which hook fires).
 */

import { TICKS_PER_S, tickOf } from '../clock/twin-time.ts';
import type { Cancel } from '../clock/wall-clock.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { Plan, PlannedMove, PlannedTask } from './plan/problem.ts';
import { Progress } from './progress.ts';
import { type Floor, moveReasons, taskReasons } from './readiness.ts';
import { type MoveFailure, RunMoves } from './run-moves.ts';
import type { RunParts } from './run-parts.ts';
import { RunPlan } from './run-plan.ts';
import { chosenTask, resumeFault, SAFETY_WORDS } from './run-refusals.ts';
import { RunTasks } from './run-tasks.ts';
import { type SafetyState, safetyOf } from './safety.ts';

const EPSILON_S = 1e-6;

export class Run implements LoopListener {
  state: 'started' | 'paused' | 'stopped' = 'started';
  readonly progress: Progress;
  readonly plan: RunPlan;
  readonly floor: Floor;
  private readonly parts: RunParts;
  private readonly start_tick: number;
  private readonly unfollow: () => void;
  private unhasten: () => void;
  private draining = false;
  private resuming = false;
  private replanDue = false;
  private plan_tick = -1;
  private safety: SafetyState;
  private readonly hand: RunMoves;
  private readonly tasks: RunTasks;
  private wake: Cancel = () => {};

  constructor(parts: RunParts, first: Plan) {
    const { model, loop, moves, seed } = parts;
    this.parts = parts;
    this.start_tick = loop.tick;
    this.progress = new Progress(model);
    const isDown = (instrument: number) =>
      instrument >= 0 && parts.isDown(model.instruments[instrument]!.id);
    this.plan = new RunPlan({ model, moves, progress: this.progress, seed, isDown }, first);
    this.floor = { model, progress: this.progress, isDown };
    const shared = { ...parts, progress: this.progress, now_s: () => this.now_s, time: loop };
    this.hand = new RunMoves({
      ...shared,
      onDone: (move) => this.moveDone(move),
      onFailed: (move, failure) => this.moveFailed(move, failure),
    });
    this.tasks = new RunTasks({
      ...shared,
      onEnded: (task, error) => this.taskEnded(task, error),
    });
    this.safety = safetyOf(parts.robot);
    this.unfollow = loop.follow(this);
    this.unhasten = loop.hasten();
  }

  /** Seconds since the run's beginning. */
  get now_s(): number {
    return (this.parts.loop.tick - this.start_tick) / TICKS_PER_S;
  }

  /** Tells the plan and the start, and begins what can begin. */
  start(): void {
    this.tellPlan();
    this.parts.log.run('started');
    this.dispatch();
  }

  onTick(): void {
    const { transport, robot, log } = this.parts;
    const safety = safetyOf(robot);
    const changed = safety !== this.safety;
    this.safety = safety;
    if (changed) log.safety({ state: safety });
    transport.watch();
    if (!changed || safety === 'ok') return;
    this.hand.breakOff(SAFETY_WORDS[safety]);
    this.becomePaused(SAFETY_WORDS[safety]);
  }

  private tellPlan(): void {
    this.plan_tick = this.parts.loop.tick;
    this.parts.log.plan({ remaining_worktime: this.plan.remaining_s(this.now_s) });
  }

  /** Lets everything begin that can; called whenever something has changed. */
  private dispatch(): void {
    if (this.state !== 'started') return;
    if (this.draining) {
      const still = this.hand.isFree && this.progress.runningTasks.length === 0;
      if (still && !this.progress.allDone) this.becomePaused('');
      if (!this.progress.allDone) return;
    }
    for (let begun = true; begun && this.state === 'started'; ) {
      begun = this.beginMove() || this.beginTasks();
      if (!begun && this.replanDue) begun = this.replanNow();
    }
    if (this.state !== 'started') return;
    if (this.progress.allDone && this.hand.isFree) this.end('completed');
    else this.sleep();
  }

  /** At most one plan a tick; a second one waits for the next. */
  private replanNow(): boolean {
    if (this.plan_tick === this.parts.loop.tick) return false;
    this.replanDue = false;
    const changed = this.plan.renew(this.now_s);
    if (changed) this.tellPlan();
    return changed;
  }

  private isDue({ start_s }: { readonly start_s: number }): boolean {
    return this.now_s >= start_s - EPSILON_S;
  }

  private sleep(): void {
    this.wake();
    const { loop, timers } = this.parts;
    if (this.replanDue) {
      this.wake = timers.at(loop.tick + 1, () => this.dispatch());
      return;
    }
    const next_s = this.plan.nextStart_s(this.now_s + EPSILON_S);
    if (next_s === null) return;
    this.wake = timers.at(this.start_tick + tickOf(next_s), () => this.dispatch());
  }

  private beginMove(): boolean {
    const move = this.plan.nextMove;
    if (!move || !this.hand.isFree || !this.isDue(move)) return false;
    if (moveReasons(this.floor, move).length > 0) return false;
    const fault = this.hand.begin(move);
    if (fault === null) this.noteDrift(move, this.now_s, move.start_s);
    else this.becomePaused(fault);
    return fault === null;
  }

  private noteDrift(one: PlannedMove | PlannedTask, actual_s: number, planned_s: number): void {
    if (this.plan.isDrift(planned_s, actual_s, one.end_s - one.start_s)) this.replanDue = true;
  }

  private moveDone(move: PlannedMove): void {
    this.noteDrift(move, this.now_s, this.plan.moveEnd_s(move));
    this.dispatch();
  }

  private moveFailed({ task }: PlannedMove, { reason, isCarried }: MoveFailure): void {
    if (this.safety !== 'ok') {
      this.becomePaused(SAFETY_WORDS[this.safety]);
      return;
    }
    this.tasks.failBefore(task, reason, { isTold: !isCarried });
    this.afterFailure(task, reason);
  }

  private beginTasks(): boolean {
    let begun = false;
    for (const one of this.plan.nextTasks) {
      if (!this.isDue(one) || taskReasons(this.floor, one.task, one.instrument).length > 0)
        continue;
      this.tasks.begin(one);
      this.noteDrift(one, this.now_s, one.start_s);
      begun = true;
    }
    return begun;
  }

  private taskEnded(task: number, error: string | null): void {
    const planned = this.plan.taskTimes(task);
    if (planned) this.noteDrift(planned, this.now_s, planned.end_s);
    if (error !== null) this.afterFailure(task, error);
    else this.dispatch();
  }

  private afterFailure(task: number, error: string): void {
    const { id, failureActions } = this.parts.model.tasks[task]!;
    const message = `task ${id} failed: ${error}`;
    if (failureActions.retry || failureActions.skip) this.becomePaused(message);
    else this.end(`failure: ${message}`);
  }

  private becomePaused(message: string): void {
    if (this.state !== 'started') return;
    this.state = 'paused';
    this.draining = false;
    this.wake();
    this.unhasten();
    this.parts.log.run('paused', message);
  }

  /** Pauses once everything under way has ended, or at once; a sentence when that is impossible. */
  pause(immediate: boolean): string | null {
    if (this.state !== 'started') return `The run is ${this.state}`;
    if (immediate) {
      this.hand.halt();
      this.becomePaused('');
    } else {
      this.draining = true;
      this.dispatch();
    }
    return null;
  }

  private get asked() {
    const { model, robot } = this.parts;
    const { state, progress } = this;
    return { state, progress, model, safety: safetyOf(robot) };
  }

  /** Goes on from a pause; a sentence when that is impossible. */
  async resume(): Promise<string | null> {
    const fault = this.resuming ? 'The run is being resumed' : resumeFault(this.asked);
    if (fault) return fault;
    this.resuming = true;
    try {
      return await this.goOn();
    } finally {
      this.resuming = false;
    }
  }

  private async goOn(): Promise<string | null> {
    const { log, loop, robot } = this.parts;
    // The world goes on while the arm's way is planned.
    const fault = await this.hand.goOn(() =>
      this.state === 'paused' && safetyOf(robot) === 'ok' ? null : `The run is ${this.state}`,
    );
    if (fault) return fault;
    this.state = 'started';
    this.unhasten = loop.hasten();
    log.run('resumed');
    this.replanDue = false;
    const changed = this.plan.renew(this.now_s);
    if (changed || this.plan_tick !== loop.tick) this.tellPlan();
    this.dispatch();
    return null;
  }

  /** Ends the run; a sentence when it has ended. */
  stop(): string | null {
    if (this.state === 'stopped') return 'The run is stopped';
    this.end(SAFETY_WORDS[this.safety] || 'stopped by user');
    return null;
  }

  private end(message: string): void {
    const { transport, log, onEnd } = this.parts;
    this.state = 'stopped';
    this.wake();
    this.unhasten();
    this.unfollow();
    this.tasks.drop();
    transport.drop();
    log.run('stopped', message);
    onEnd(message);
  }

  /** Plans anew what has not begun; a sentence when that is impossible. */
  replan(): string | null {
    if (this.state === 'stopped') return 'The run is stopped';
    const changed = this.plan.renew(this.now_s);
    if (this.plan.faults.length > 0) return this.plan.faults.join('; ');
    if (changed) this.tellPlan();
    this.dispatch();
    return null;
  }

  /** Lets a failed task begin again once the run is resumed, or leaves it out. */
  choose(id: string, action: 'retry' | 'skip'): string | null {
    const task = chosenTask(this.asked, id, action);
    if (typeof task === 'string') return task;
    this.progress[action](task);
    if (this.plan.renew(this.now_s)) this.tellPlan();
    return null;
  }

  /** An instrument went down or came up: tasks on it fail, the rest is planned anew. */
  instrumentChanged(): void {
    this.tasks.failWhere((task) => {
      const { instrument } = this.progress.tasks[task]!;
      const { instruments } = this.parts.model;
      return this.floor.isDown(instrument) ? `${instruments[instrument]!.id} is down` : null;
    });
    if (this.state === 'stopped') return;
    this.replanDue = true;
    this.dispatch();
  }
}
