/**
 * The robot's status in the simulation control API (/sim/v1/status, D8): state and since when, the
 * cause of an error, and the progress of the present activity in twin time. Read-only observer of
 * the control loop. Times in seconds since the twin's start.
 */

import type { Feedback } from '../../../bridge/arm-driver.ts';
import type { RobotState } from '../../../contract/robot-states.ts';
import type { RunMode, SimActivity, SimStatus } from '../../../contract/types.generated.ts';
import { conditionHolds } from '../../../physics/toolpath/conditions.ts';
import { END_OF_LOOP, type Program, type StepIndex } from '../../../physics/toolpath/program.ts';
import { ProgramTimes } from '../../../physics/toolpath/program-times.ts';
import { TICKS_PER_S } from '../../clock/twin-time.ts';
import { readIo } from '../../robot/io.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';
import type { Activity, RobotMemory } from '../../robot/memory.ts';
import type { Robot } from '../../robot/robot.ts';

/** Ticks between two reports of a running activity: 0.1 s, the resolution of the shown times. */
const REPORT_TICKS = 25;
/** Ticks between two reports at rest: the time in a state counts on. */
const REST_TICKS = TICKS_PER_S;

/** What was reported last; a difference is reported at once. */
interface Reported {
  state: RobotState | null;
  error: string | null;
  /** Number of errors after it. */
  later: number;
  at: string;
  step: StepIndex;
  wait_started_s: number | null;
  estop: boolean;
  /** Of the reaction to a contact. */
  phase: string | null;
  tick: number;
}

/** What the status counts in ticks; part of the snapshot format. */
export interface StatusCounts {
  /** Tick at which the present state began. */
  readonly state_tick: number;
  readonly loop_ticks: number;
  readonly waited_ticks: number;
}

/** Follows the robot through the control loop and reports its status. */
export class RobotStatus implements LoopListener {
  private readonly robot: Robot;
  private readonly report: (status: () => SimStatus) => void;
  private readonly last: Reported = {
    ...{
      state: null,
      error: null,
      later: 0,
      at: '',
      step: 0,
      wait_started_s: null,
      estop: false,
      phase: null,
      tick: 0,
    },
  };
  private feedback: Feedback | null = null;
  /** What was felt as the state became `collision`. */
  private contact: SimStatus['contact'] = null;
  private state: RobotState;
  private tick = 0;
  private activity: Activity | null = null;
  private loop_count = 0;
  private counts = { state_tick: 0, loop_ticks: 0, waited_ticks: 0 };
  private times: ProgramTimes | null = null;

  /** `report` is called after a change, and ten times a twin second in motion, else once. */
  constructor(robot: Robot, report: (status: () => SimStatus) => void) {
    this.robot = robot;
    this.report = report;
    this.state = robot.memory.state;
  }

  onTick(feedback: Feedback, tick: number): void {
    this.feedback = feedback;
    this.follow(tick);
  }

  /** Events of a command come between two ticks; those of a tick, just before its `onTick`. */
  onEvents(_events: unknown, tick: number): void {
    if (tick === this.tick) this.follow(tick);
  }

  /** Without counts of a snapshot the planned time up to the restored step counts. */
  onRestore(tick: number, feedback: Feedback): void {
    const { memory } = this.robot;
    this.feedback = feedback;
    this.tick = tick;
    ({ state: this.state, activity: this.activity, loop_count: this.loop_count } = memory);
    const elapsed_s = memory.activity?.kind === 'run' ? this.plannedSoFar_s(memory.activity) : 0;
    const loop_ticks = Math.round(elapsed_s * TICKS_PER_S);
    this.counts = { state_tick: tick, loop_ticks, waited_ticks: 0 };
    this.contact = null;
    this.report(() => this.status());
  }

  /** The counts for a snapshot. */
  save(): StatusCounts {
    return { ...this.counts };
  }

  /** Continues the counts of a restored snapshot, `shift` ticks later. */
  restore(counts: StatusCounts, shift: number): void {
    this.counts = { ...counts, state_tick: counts.state_tick + shift };
    this.report(() => this.status());
  }

  /** The status now. */
  status(): SimStatus {
    const { memory } = this.robot;
    const { feedback, tick } = this;
    const { error_cause: cause } = memory;
    return {
      tick,
      now_s: tick / TICKS_PER_S,
      state: memory.state,
      state_since_s: this.counts.state_tick / TICKS_PER_S,
      error: memory.error,
      fault: cause?.isReported ? { kind: cause.kind, joint: cause.joint } : null,
      later_errors: [...memory.later_errors],
      last_stop: memory.last_stop && {
        ...memory.last_stop,
        joints: [...memory.last_stop.joints],
      },
      emergency_stop: memory.estop_wired ? 'wired' : memory.estop ? 'simulated' : null,
      contact: memory.state === 'collision' ? this.contact : null,
      ignored_contact_joint: memory.detection.enabled ? null : (feedback?.contact?.joint ?? null),
      reaction: feedback?.reaction ? { ...feedback.reaction } : null,
      activity: memory.activity && this.activityOf(memory.activity),
    };
  }

  private follow(tick: number): void {
    const { memory } = this.robot;
    const passed = tick - this.tick;
    this.tick = tick;
    if (memory.state !== this.state) {
      this.state = memory.state;
      this.counts.state_tick = tick;
      const { joint, lags = false } = this.feedback?.contact ?? {};
      this.contact = joint === undefined ? null : { joint, lags };
    }
    this.countTime(memory, passed);
    if (this.isReportDue(memory)) this.report(() => this.status());
  }

  private countTime({ activity, state, loop_count }: RobotMemory, passed: number): void {
    // A motion that begins in a tick has run through it: the tick counts.
    if (activity !== this.activity || loop_count !== this.loop_count) {
      [this.activity, this.loop_count] = [activity, loop_count];
      Object.assign(this.counts, { loop_ticks: 0, waited_ticks: 0 });
    }
    if (activity === null || (state !== 'running' && state !== 'stopping')) return;
    this.counts.loop_ticks += passed;
    if (this.isWaitingForSignal(activity)) this.counts.waited_ticks += passed;
  }

  private isWaitingForSignal({ kind, cursor }: Activity): boolean {
    if (kind !== 'run' || cursor.wait_started_s === null) return false;
    const step = this.robot.memory.loaded?.program.steps[cursor.step];
    return step?.kind === 'wait' && step.condition.type !== 'time';
  }

  private isReportDue({ state, error, later_errors, estop, activity }: RobotMemory): boolean {
    const { last } = this;
    const later = later_errors.length;
    const at = activity?.at ?? '';
    const step = activity?.cursor.step ?? 0;
    const wait_started_s = activity?.cursor.wait_started_s ?? null;
    const phase = this.feedback?.reaction?.phase ?? null;
    const isLeaving = phase !== null && phase !== 'holding';
    const running = isLeaving || (activity !== null && state !== 'paused');
    const due =
      state !== last.state ||
      error !== last.error ||
      later !== last.later ||
      estop !== last.estop ||
      phase !== last.phase ||
      at !== last.at ||
      step !== last.step ||
      wait_started_s !== last.wait_started_s ||
      this.tick - last.tick >= (running ? REPORT_TICKS : REST_TICKS);
    if (due)
      Object.assign(last, {
        state,
        error,
        later,
        estop,
        phase,
        at,
        step,
        wait_started_s,
        tick: this.tick,
      });
    return due;
  }

  private activityOf(activity: Activity): SimActivity {
    const { kind, mode, scheduled, cursor } = activity;
    const common = {
      ...{ kind, mode, scheduled },
      loop_time_s: this.counts.loop_ticks / TICKS_PER_S,
      loop_waited_s: this.counts.waited_ticks / TICKS_PER_S,
    };
    const program = this.robot.memory.loaded?.program;
    const moving_s = this.robot.remainingMotion_s;
    if (kind !== 'run' || !program) {
      const none = { to_start: false, step: null, waiting: null };
      return { ...common, loop_remaining_s: moving_s, ...none };
    }
    const times = this.timesOf(program, mode);
    // A motion before the first action goes to the home waypoint (D28).
    const isFirst = cursor.step === program.first && cursor.wait_started_s === null;
    const to_start = moving_s > 0 && isFirst;
    const index = times.playing(cursor.step, activity.at);
    const step = to_start ? null : program.steps[index];
    const waiting =
      step?.kind === 'wait' && cursor.wait_started_s !== null
        ? { condition: step.condition, since_s: cursor.wait_started_s }
        : null;
    return {
      ...common,
      loop_remaining_s: moving_s + this.restOfLoop_s(times, activity),
      to_start,
      step: step ? { index, count: program.steps.length, at: step.at, cell: [...step.cell] } : null,
      waiting,
    };
  }

  /** Planned time after the present motion; a wait for time counts what is left of it. */
  private restOfLoop_s(times: ProgramTimes, { cursor }: Activity): number {
    const { memory, source } = this.robot;
    const program = memory.loaded!.program;
    const moment = { tick: this.tick, seed: source.seed };
    const test = {
      elapsed_s: 0,
      read: (side: 'inputs' | 'outputs', io: Parameters<typeof readIo>[2]) =>
        readIo(memory.io, side, io, moment),
    };
    const choose = (branch: StepIndex) => {
      const step = program.steps[branch]!;
      if (step.kind !== 'branch') return END_OF_LOOP;
      return (
        step.branches.find((one) => conditionHolds(one.condition, test))?.next ?? step.otherwise
      );
    };
    const step = program.steps[cursor.step];
    const timed = step?.kind === 'wait' && step.condition.type === 'time' ? step.condition : null;
    // A wait stands still while paused; its start moves on only when it is resumed.
    const now_s = (memory.state === 'paused' ? memory.paused_tick : this.tick) / TICKS_PER_S;
    const since_s = (timed && cursor.wait_started_s) ?? now_s;
    const waited_s = Math.min(now_s - since_s, timed?.duration ?? 0);
    return Math.max(times.rest_s(cursor.step, choose) - waited_s, 0);
  }

  private plannedSoFar_s(activity: Activity): number {
    const program = this.robot.memory.loaded?.program;
    if (!program) return 0;
    const times = this.timesOf(program, activity.mode);
    const start = { ...activity, cursor: { step: program.first, wait_started_s: null } };
    const rest_s = this.robot.remainingMotion_s + this.restOfLoop_s(times, activity);
    return Math.max(this.restOfLoop_s(times, start) - rest_s, 0);
  }

  private timesOf(program: Program, mode: RunMode): ProgramTimes {
    if (!this.times?.isOf(program, mode)) this.times = new ProgramTimes(program, mode);
    return this.times;
  }
}
