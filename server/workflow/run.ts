/**
 * A run: lets tasks and moves begin as its plan says once they can, and tells what happens. On the
 * twin's clock alone, woken by timers and by what the arm does (facts: which hook fires).
 */

import { TICKS_PER_S, tickOf } from '../clock/twin-time.ts';
import type { Cancel } from '../clock/wall-clock.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { Plan, PlannedMove } from './plan/problem.ts';
import { Progress } from './progress.ts';
import { type Floor, moveReasons, taskReasons } from './readiness.ts';
import { Replanning } from './replanning.ts';
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
  /** A pause that is asked for: once all has ended, or once the arm is at rest. */
  private pausing: 'no' | 'drain' | 'halt' = 'no';
  private resuming = false;
  private safety: SafetyState;
  private readonly hand: RunMoves;
  private readonly tasks: RunTasks;
  private readonly replanning: Replanning;
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
    this.replanning = new Replanning({ ...shared, plan: this.plan });
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
    this.replanning.tell();
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
    if (this.pausing === 'halt' && transport.isStill) this.becomePaused('');
    if (!changed || safety === 'ok') return;
    this.hand.breakOff(SAFETY_WORDS[safety]);
    this.becomePaused(SAFETY_WORDS[safety]);
  }

  /** The twin was put back to another moment: what this run has done has not been. */
  onRestore(): void {
    this.parts.transport.abandon();
    this.end('the twin was put back to another state');
  }

  /** Lets everything begin that can; called whenever something has changed. */
  private dispatch(): void {
    if (this.state !== 'started' || this.pausing === 'halt' || this.resuming) return;
    if (this.pausing === 'drain') {
      const still = this.hand.isFree && this.progress.runningTasks.length === 0;
      if (still && !this.progress.allDone) this.becomePaused('');
      if (!this.progress.allDone) return;
    }
    for (let begun = true; begun && this.state === 'started'; ) {
      begun = this.beginMove() || this.beginTasks();
      if (!begun) begun = this.replanning.advance();
    }
    if (this.state !== 'started') return;
    if (this.progress.allDone && this.hand.isFree) this.end('completed');
    else this.sleep();
  }

  private isDue({ start_s }: { readonly start_s: number }): boolean {
    return this.now_s >= start_s - EPSILON_S;
  }

  private sleep(): void {
    this.wake();
    const { loop, timers } = this.parts;
    if (this.replanning.isOn) {
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
    if (fault === null) this.replanning.note(move, this.now_s, move.start_s);
    else this.becomePaused(fault);
    return fault === null;
  }

  private moveDone(move: PlannedMove): void {
    this.replanning.note(move, this.now_s, this.plan.moveEnd_s(move));
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
      this.replanning.note(one, this.now_s, one.start_s);
      begun = true;
    }
    return begun;
  }

  private taskEnded(task: number, error: string | null): void {
    const planned = this.plan.taskTimes(task);
    if (planned) this.replanning.note(planned, this.now_s, planned.end_s);
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
    this.pausing = 'no';
    this.wake();
    this.unhasten();
    this.parts.log.run('paused', message);
  }

  /** Pauses once everything under way has ended, or at once; a sentence when that is impossible. */
  pause(immediate: boolean): string | null {
    if (this.state !== 'started') return `The run is ${this.state}`;
    if (immediate) {
      this.hand.halt();
      this.pausing = 'halt';
      if (this.parts.transport.isStill) this.becomePaused('');
    } else {
      this.pausing = 'drain';
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
    const refused = await this.goOn().finally(() => {
      this.resuming = false;
    });
    if (refused === null) this.dispatch();
    return refused;
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
    await this.replanning.renew({ isTold: true });
    return null;
  }

  /** Ends the run; a sentence when it has ended. */
  stop(): string | null {
    if (this.state === 'stopped') return 'The run is stopped';
    this.end(SAFETY_WORDS[this.safety] || 'stopped by user');
    return null;
  }

  private end(message: string): void {
    this.letGo();
    this.parts.log.run('stopped', message);
    this.parts.onEnd(message);
  }

  private letGo(): void {
    this.state = 'stopped';
    this.wake();
    this.replanning.stop();
    this.unhasten();
    this.unfollow();
    this.tasks.drop();
    this.parts.transport.drop();
  }

  /** Ends the run without telling anybody: the twin forgets that it has been. */
  vanish(): void {
    if (this.state === 'stopped') return;
    this.letGo();
    this.parts.onEnd('');
  }

  /** Plans anew what has not begun; a sentence when that is impossible. */
  async replan(): Promise<string | null> {
    if (this.state === 'stopped') return 'The run is stopped';
    await this.replanning.renew({ isTold: false });
    if (this.plan.faults.length > 0) return this.plan.faults.join('; ');
    this.dispatch();
    return null;
  }

  /** Lets a failed task begin again once the run is resumed, or leaves it out. */
  async choose(id: string, action: 'retry' | 'skip'): Promise<string | null> {
    const task = chosenTask(this.asked, id, action);
    if (typeof task === 'string') return task;
    this.progress[action](task);
    await this.replanning.renew({ isTold: false });
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
    this.replanning.isDue = true;
    this.dispatch();
  }
}
