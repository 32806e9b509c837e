/**
 * Replays a kept run on a twin of its own, as it was or with a change from a tick on: an injected
 * fault, or another toolpath, for which the robot stops, goes home and starts. The live twin takes
 * no part in it.
 */

import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { AddFaultBody, ReplayRunReply } from '../../../contract/types.generated.ts';
import { PHYSICS_FINGERPRINT } from '../../../physics/arm/arm-model.ts';
import { TICKS_PER_S, tickOf } from '../../clock/twin-time.ts';
import { planTasks, sourceOf } from '../../planning/plan-tasks.ts';
import { toolpathText } from '../../planning/recorded-toolpath.ts';
import { decodePlainData } from '../../recording/plain-data.ts';
import { RecordingPageBuilder } from '../../recording/recorded-page.ts';
import {
  type HeaderLine,
  type InputLine,
  RECORDING_FORMAT,
  type SnapshotLine,
} from '../../recording/recording-format.ts';
import { RecordingReplay, type ReplayTarget } from '../../recording/replay.ts';
import type { Caller } from '../../robot/caller.ts';
import type { Command } from '../../robot/commands.ts';
import type { LoadedToolpath, ToolpathTask } from '../../robot/loaded-toolpath.ts';
import type { LoopEvent } from '../../robot/loop-event.ts';
import type { Claimant } from '../../shares/claimant.ts';
import type { ShareRefusal } from '../../shares/share.ts';
import { contactsReply } from './contacts-reply.ts';
import type { FaultRefusal } from './faults/fault-kind.ts';
import { createFaultTable } from './faults/fault-kinds.ts';
import { FaultList } from './faults/fault-list.ts';
import { FaultRules } from './faults/fault-rules.ts';
import type { KeptRobotRun } from './robot-runs.ts';
import { isRunning, RunWatch } from './run-watch.ts';

/** Another toolpath for a replay: it is planned beside the twin too. */
type ToReplay = Pick<LoadedToolpath, 'hash' | 'metadata'> & { readonly task: ToolpathTask };

/** Plain data, because a thread receives it. */
export interface RunReplayTask {
  readonly driver: string;
  readonly recorded_by: string;
  readonly run: Pick<KeptRobotRun, 'name' | 'start' | 'inputs'>;
  /** Whether who asks may read the toolpath that ran. */
  readonly isReadable: boolean;
  /** Tick up to which the run happened. */
  readonly end_tick: number;
  readonly change: {
    readonly tick: number;
    readonly fault: AddFaultBody | null;
    readonly toolpath: ToReplay | null;
  } | null;
}

/** The refusals of a toolpath without a motion, and of a fault that the twin cannot have. */
type ReplayRefusal = FaultRefusal | Refusal<'toolpath_error'>;
export type RunReplayResult = ReplayRunReply | ReplayRefusal;

/** A reply as JSON text (UTF-8): it may be large. */
export type RunReplayText = { readonly json: Uint8Array } | ReplayRefusal;

/** Replays a run beside the twin, in the turn of who asks for it. */
export type RunReplays = (
  task: RunReplayTask,
  claimant: Claimant,
) => Promise<RunReplayText | ShareRefusal | Refusal<'timed_out'>>;

/** Simulated time for a stop, and for the approach of another toolpath's start (s). */
const READY_S = 60;
/** The lock is renewed so often where no recorded call does; without, a teach motion ends. */
const RENEW_S = limits.lock_expiry_teach_s / 2;
/** Simulated time that is shown after a run that did not finish (s). */
const AFTERMATH_S = 1;
/** Holds the lock of a replay whose own lock has expired; no session has this token. */
const OPERATOR: Caller = { user_id: 1, token_id: Number.MIN_SAFE_INTEGER, role: 'admin' };

function plannedFor(request: ToReplay): LoadedToolpath | Refusal<'toolpath_error'> {
  const { task, ...toolpath } = request;
  const plan = planTasks.program(task);
  if (plan.kind === 'built') {
    return { name: '', ...toolpath, program: plan.program, source: sourceOf(task, plan) };
  }
  const { error, path, code } = plan;
  return refuse('toolpath_error', { error, path, code });
}

class RunReplay {
  private readonly task: RunReplayTask;
  private readonly target: ReplayTarget;
  private readonly replay: RecordingReplay;
  private readonly page: RecordingPageBuilder;
  private readonly errors: string[] = [];
  private readonly start_tick: number;
  private readonly inputs: readonly Exclude<InputLine, SnapshotLine>[];
  private watch: RunWatch;
  /** Who keeps the lock for another toolpath; the recorded renewals end with the recorded run. */
  private operator: Caller | null = null;
  private unsubscribe: () => void = () => {};

  constructor(task: RunReplayTask, target: ReplayTarget, replay: RecordingReplay) {
    const { start, inputs } = task.run;
    this.task = task;
    this.target = target;
    this.replay = replay;
    this.start_tick = start.tick;
    this.inputs = (inputs ?? []).map((line) => decodePlainData(line) as (typeof this.inputs)[0]);
    replay.restore(start);
    this.page = new RecordingPageBuilder(replay.robot, target.world);
    replay.loop.subscribe(this.page);
    replay.loop.subscribe({ onEvents: (events) => this.noteErrors(events) });
    this.watch = this.watchRun();
  }

  private noteErrors(events: readonly LoopEvent[]): void {
    for (const event of events) {
      if (event.kind === 'log' && event.level === 'error') this.note(event.text);
    }
  }

  private note(text: string): void {
    this.errors.push(`${this.time_s.toFixed(2)} s: ${text}`);
  }

  private get time_s(): number {
    return (this.replay.loop.tick - this.start_tick) / TICKS_PER_S;
  }

  /** Watches the run from now on. */
  private watchRun(): RunWatch {
    const { loop, robot } = this.replay;
    this.unsubscribe();
    const watch = new RunWatch(() => robot.memory, this.target.world, loop.tick);
    this.unsubscribe = loop.subscribe(watch);
    return watch;
  }

  /** Advances to a tick, or to the end of the run. */
  private advance(tick: number): void {
    this.runTo(tick, () => this.watch.isOver);
  }

  /** Advances until `stop`, at most to a tick; the operator keeps the lock. */
  private runTo(tick: number, stop: () => boolean): void {
    const { loop } = this.replay;
    while (!stop() && loop.tick < tick) {
      // Refused to a robot in an error, whose run is over.
      if (this.operator) loop.apply({ kind: 'renew_lock', caller: this.operator });
      const step = this.operator ? tickOf(RENEW_S) : tick;
      loop.runTo(Math.min(tick, loop.tick + step), { jump: true, stop });
    }
  }

  /** Executes the recorded inputs from one tick up to another. */
  private async repeat(from: number, to: number): Promise<void> {
    for (const line of this.inputs) {
      if (line.tick < from || line.tick >= to) continue;
      this.advance(line.tick);
      if (this.watch.isOver) return;
      await this.replay.runLine(line, async () => undefined);
    }
  }

  /** Injects the fault through the table of the twin. */
  private inject(fault: AddFaultBody): FaultRefusal | null {
    const { loop, robot } = this.replay;
    const { world } = this.target;
    const table = createFaultTable({
      driverName: this.task.driver,
      loop,
      world,
      robot,
      injected: null,
      replies: new FaultRules(),
      connections: new FaultRules(),
      users: { has: () => false },
    });
    const added = new FaultList(table).add(fault);
    return 'refused' in added ? added : null;
  }

  private apply(command: Command): boolean {
    const refusal = this.replay.loop.apply(command);
    if (refusal) this.note(`${command.kind.replaceAll('_', ' ')} was refused: ${refusal.refused}`);
    return refusal === null;
  }

  /** Advances until the robot is ready, and returns whether it is. */
  private becomesReady(): boolean {
    const { loop, robot } = this.replay;
    const isReady = () => robot.memory.state === 'ready' && robot.memory.activity === null;
    this.runTo(loop.tick + READY_S * TICKS_PER_S, isReady);
    return isReady();
  }

  /** Stops the run and starts another toolpath; a robot that cannot ends the replay. */
  private exchange(toolpath: LoadedToolpath): void {
    const { robot } = this.replay;
    const { activity, loop_target: loop, lock } = robot.memory;
    const mode = activity?.mode ?? 'automatic';
    if (!lock) this.apply({ kind: 'lock', caller: OPERATOR });
    const caller = robot.memory.lock?.holder ?? OPERATOR;
    this.operator = caller;
    this.unsubscribe();
    this.apply({ kind: 'abort_motion', caller });
    const starts =
      this.becomesReady() &&
      this.apply({ kind: 'load', caller, toolpath }) &&
      this.apply({ kind: 'home', caller }) &&
      this.becomesReady() &&
      this.apply({ kind: 'run', caller, mode, loop });
    this.watch = this.watchRun();
    if (!starts) this.watch.outcome = 'error';
  }

  async run(): Promise<RunReplayResult> {
    const { change, end_tick } = this.task;
    const toolpath = change?.toolpath ? plannedFor(change.toolpath) : null;
    if (toolpath && 'refused' in toolpath) return toolpath;
    const last = this.start_tick + tickOf(limits.robot_run_replay_s);
    const at = Math.min(change?.tick ?? end_tick, end_tick, last);
    // As it was: also the commands at the tick of its end belong to it.
    await this.repeat(this.start_tick, change ? at : Number.POSITIVE_INFINITY);
    this.advance(at);
    const refusal = change?.fault && !this.watch.isOver ? this.inject(change.fault) : null;
    if (refusal) return refusal;
    if (toolpath && isRunning(this.replay.robot.memory)) this.exchange(toolpath);
    if (change) {
      await this.repeat(at, Number.POSITIVE_INFINITY);
      this.advance(last);
    }
    return this.reply();
  }

  private reply(): ReplayRunReply {
    const { outcome, signals } = this.watch;
    const { loop } = this.replay;
    const duration_s = Number(((this.watch.tick - this.start_tick) / TICKS_PER_S).toFixed(3));
    if (outcome !== 'finished' && outcome !== 'running') {
      loop.runTo(loop.tick + AFTERMATH_S * TICKS_PER_S, { jump: true, stop: () => false });
    }
    const { run, isReadable } = this.task;
    const document = this.page.document(run.name, `armtwin ${this.task.recorded_by}`, loop.tick);
    const findings = [...this.contacts(), ...this.errors];
    const { loaded } = run.start;
    const toolpath = isReadable && loaded && loaded !== 'same' ? toolpathText(loaded) : null;
    const recording = JSON.stringify(document);
    return { outcome, duration_s, signals, findings, toolpath, recording };
  }

  private contacts(): string[] {
    const start_s = this.start_tick / TICKS_PER_S;
    const own = contactsReply(this.target.world).contacts.filter(({ at_s }) => at_s >= start_s);
    return own.map(({ body, obstacle, at_s, peak_force_n }) => {
      const force = `${peak_force_n.toFixed(0)} N at most`;
      return `${(at_s - start_s).toFixed(2)} s: ${body} touched “${obstacle}”, ${force}`;
    });
  }
}

/** Replays a run; rejects where the driver does not start. */
export async function replayRun(
  task: RunReplayTask,
  target: ReplayTarget,
): Promise<RunReplayResult> {
  const { driver, recorded_by, run } = task;
  const header: HeaderLine = {
    ...{ kind: 'head', tape: RECORDING_FORMAT, recorded_by, driver },
    physics: PHYSICS_FINGERPRINT,
  };
  const feedback = await target.driver.start();
  const replay = new RecordingReplay(target, { header, start: run.start }, feedback);
  const result = await new RunReplay(task, target, replay).run();
  await target.driver.stop();
  return result;
}
