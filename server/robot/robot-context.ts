/**
 * The robot's mutable parts: memory, trajectory player, latest feedback, current tick and pending
 * events, with the operations that commands and ticks share. Owned by robot.ts. Also: the memory
 * itself, and the robot lock; the program runner, which takes the steps.
 */

import {
  type DetectionSensitivity,
  type Feedback,
  type MountedTool,
  TICK_S,
} from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import {
  isAllowed,
  type RobotCommand,
  type RobotState,
  type RobotTrigger,
  type SafetyState,
  safetyOf,
  stateAfter,
  wrongStateDetails,
} from '../../contract/robot-states.ts';
import type { RunMode } from '../../contract/types.ts';
import type { ArmRange } from '../../physics/arm/arm-model.ts';
import type { MotionTiming } from '../../physics/motion/limits.ts';
import {
  type Condition,
  conditionHolds,
  executeStep,
  type PlannedMove,
  type ProgramCursor,
  startCursor,
} from '../../physics/toolpath/program.ts';
import { tickOf } from '../clock/twin-time.ts';
import type {
  Caller,
  CommandResult,
  LoadedToolpath,
  LockMemory,
  LoopEvent,
  StandstillCommand,
} from './commands.ts';
import { createIo, type IoMemory, ioKey, readIo, writeIo } from './io.ts';
import { createSchedule, type ScheduleMemory } from './schedule.ts';
import { TrajectoryPlayer } from './trajectory-player.ts';

/**
 * The mutable state of the robot as plain data. Only `robot.apply`, `robot.tick` and
 * `robot.restore` write it. State snapshots and recordings store it, so its field names are part of
 * those file formats.
 */

/** The robot's current task; it survives a pause. */
export interface Activity {
  readonly kind: 'run' | 'home' | 'go_to';
  readonly mode: RunMode;
  /** True when the daily schedule started it; the schedule's end time then stops it. */
  readonly scheduled: boolean;
  readonly payload_kg: number;
  /** Position in the loaded program; used by runs only. */
  readonly cursor: ProgramCursor;
  /** JSON pointer of the current action, for the log and the viewer. */
  at: string;
}

export interface RobotMemory {
  state: RobotState;
  /** State after resume: a pause during `stopping` returns there (decision D29). */
  resume_to: 'running' | 'stopping';
  activity: Activity | null;
  /** How the activity ends once the arm stands; null while it goes on. */
  ending: 'motion_finished' | 'motion_dropped' | null;
  /** The accepted command that takes effect once the arm stands (decision D29). */
  awaited: StandstillCommand | null;
  /** True while the arm brakes after an aborted teach-mode motion. */
  teach_braking: boolean;
  /** True when the backdriving button was released and the arm does not stand yet. */
  button_released: boolean;
  paused_tick: number;
  loop_count: number;
  loop_target: number;
  loaded: LoadedToolpath | null;
  /** Tool at the flange: of the last toolpath or go_to that named one. */
  tool: MountedTool | null;
  lock: LockMemory | null;
  detection: { enabled: boolean; sensitivity: DetectionSensitivity };
  schedule: ScheduleMemory;
  estop: boolean;
  /** Sources of the stop: the simulation control API, and the stop wired to the joints. */
  estop_by_hand: boolean;
  estop_wired: boolean;
  /** An error was active, or a motion was aborted, when the stop was pressed (decision D31). */
  error_behind_estop: boolean;
  error: string | null;
  readonly io: IoMemory;
  /** Timing of the arm's planner, of a profile; null: that of the model. */
  timing: MotionTiming | null;
}

/** The robot's state after power-up. */
export function createMemory(): RobotMemory {
  return {
    state: 'ready',
    resume_to: 'running',
    activity: null,
    ending: null,
    awaited: null,
    teach_braking: false,
    button_released: false,
    paused_tick: 0,
    loop_count: 0,
    loop_target: 0,
    loaded: null,
    tool: null,
    lock: null,
    detection: { enabled: false, sensitivity: 'medium' },
    schedule: createSchedule(),
    estop: false,
    estop_by_hand: false,
    estop_wired: false,
    error_behind_estop: false,
    error: null,
    io: createIo(),
    timing: null,
  };
}

/**
 * True while a teach-mode motion runs, is paused, or brakes after it was aborted; the lock then
 * expires after 5 s and cannot be released (D13).
 */
export function isTeachMotionActive(memory: RobotMemory): boolean {
  return memory.activity?.mode === 'teach' || memory.teach_braking;
}

/**
 * The robot lock (§2.9, §3.2): one API token acquires, renews and releases it. It expires after
 * 5 minutes, or after 5 seconds during a teach-mode motion (decisions D11–D14).
 */

/** How long the lock lasts without renewal; it depends on the active motion (D13). */
export function lockPeriod_s(memory: RobotMemory): number {
  return isTeachMotionActive(memory) ? limits.lock_expiry_teach_s : limits.lock_expiry_automatic_s;
}

/** Restarts the expiry timer. */
export function restartLockTimer(memory: RobotMemory, tick: number): void {
  if (!memory.lock) return;
  memory.lock.expires_tick = tick + tickOf(lockPeriod_s(memory));
}

export function holdsLock(memory: RobotMemory, caller: Caller): boolean {
  return memory.lock !== null && memory.lock.holder.token_id === caller.token_id;
}

/** The refusal of a command in the present state, or null. */
export function stateRefusal(
  { state, estop, button_released }: Readonly<RobotMemory>,
  command: RobotCommand,
): Refusal<'wrong_state'> | null {
  if (isAllowed(command, state)) return null;
  const isLeaving = state === 'disabled' ? !estop : state === 'backdriving' && button_released;
  return refuse('wrong_state', wrongStateDetails(command, state, isLeaving));
}

export function acquireLock(
  memory: RobotMemory,
  caller: Caller,
  tick: number,
): CommandResult<'lock'> {
  if (holdsLock(memory, caller)) return refuse('lock_held_by_you');
  if (memory.lock) return refuse('lock_held_by_other');
  const refusal = stateRefusal(memory, 'lock');
  if (refusal) return refusal;
  memory.lock = { holder: caller, expires_tick: 0 };
  restartLockTimer(memory, tick);
  return null;
}

export function renewLock(
  memory: RobotMemory,
  caller: Caller,
  tick: number,
): CommandResult<'renew_lock'> {
  if (!holdsLock(memory, caller)) return refuse('lock_not_held');
  const refusal = stateRefusal(memory, 'lock');
  if (!refusal) restartLockTimer(memory, tick);
  return refusal;
}

/** Releases the lock; refused during a teach-mode motion (§3.2). */
export function releaseLock(memory: RobotMemory, caller: Caller): CommandResult<'release_lock'> {
  if (!holdsLock(memory, caller)) return refuse('lock_not_held');
  const refusal = stateRefusal(memory, 'lock');
  if (refusal) return refusal;
  if (isTeachMotionActive(memory)) {
    return refuse(
      'wrong_state',
      'The lock cannot be released before the teach-mode motion is complete: wait, or cancel it',
    );
  }
  memory.lock = null;
  return null;
}

/** Dependencies of the robot; all synchronous and free of clocks. */
export interface RobotOptions {
  /** Feedback of the driver's start. */
  readonly feedback: Feedback;
  /** Date of tick 0 (ms since 1970). */
  readonly epoch_ms: number;
  readonly timezone: string;
  readonly seed: number;
  /** Timing of the arm's planner; null or absent: that of the model. */
  readonly timing?: MotionTiming | null;
  /** Range of the joints; null or absent: that of the model. */
  readonly range?: ArmRange | null;
  /** Clears the driver's faults; true when none remains. */
  readonly recover: () => boolean;
  /** Why the arm cannot be guided by hand; null or absent where it can. */
  readonly guidingRefusal?: () => string | null;
}

export class RobotContext {
  memory: RobotMemory = createMemory();
  readonly player: TrajectoryPlayer;
  options: RobotOptions;
  feedback: Feedback;
  tick = 0;
  events: LoopEvent[] = [];

  constructor(options: RobotOptions) {
    this.options = options;
    this.feedback = options.feedback;
    this.memory.timing = options.timing ?? null;
    this.player = new TrajectoryPlayer(options.feedback.position_rad);
  }

  /** Seconds since the twin's start. */
  get now_s(): number {
    return this.tick * TICK_S;
  }

  /** The twin's date (ms since 1970). */
  get date_ms(): number {
    return this.options.epoch_ms + this.tick * TICK_S * 1000;
  }

  /** Takes a transition of the state table; false where the state has none for the trigger. */
  transition(trigger: RobotTrigger): boolean {
    const next = stateAfter(this.memory.state, trigger);
    if (next === null) return false;
    if (next !== this.memory.state) {
      const level = trigger === 'fault' ? 'warning' : 'info';
      this.log(level, inWords(`${this.memory.state} → ${next} (${trigger})`));
    }
    const before = safetyOf(this.memory);
    this.memory.state = next;
    // A fault or an emergency stop ends guiding before the released arm stands.
    if (next !== 'backdriving') this.memory.button_released = false;
    this.reportSafety(before);
    return true;
  }

  /** Reports the safety state where it differs from the one before a change. */
  reportSafety(before: SafetyState): void {
    const state = safetyOf(this.memory);
    if (state !== before) this.events.push({ kind: 'safety', state });
  }

  /** True while the arm stands: no setpoint changes and no joint moves. */
  get standing(): boolean {
    return !this.player.moving && this.feedback.standing;
  }

  /** Takes the pose that the drives hold for the start of the next motion; discards motions. */
  startFromHeldPose(): void {
    this.player.setPose(this.feedback.held_rad ?? this.feedback.position_rad);
  }

  log(level: 'info' | 'warning' | 'error', text: string): void {
    this.events.push({ kind: 'log', level, text });
  }

  /** Ends the activity, complete or aborted; the end of a teach motion restarts the lock timer. */
  endActivity(): void {
    const { memory } = this;
    const teach = memory.activity?.mode === 'teach';
    memory.activity = null;
    memory.ending = null;
    if (teach) restartLockTimer(memory, this.tick);
  }

  /** Aborts the motion with an emergency stop; applies output_on_error where `outputs` is set. */
  abortMotion(options: { readonly outputs: boolean }): void {
    const { memory } = this;
    const onError = memory.loaded?.program.output_on_error;
    if (options.outputs && memory.activity?.kind === 'run' && onError) {
      writeIo(memory.io, 'outputs', ioKey(onError.io), onError.value);
    }
    memory.teach_braking = isTeachMotionActive(memory) && memory.lock !== null;
    this.player.emergencyStop();
    this.endActivity();
  }

  /** Ends the wait of a command for standstill; `refusal` is its answer. */
  complete(refusal: Refusal<'wrong_state'> | null): void {
    if (this.memory.awaited === null) return;
    this.memory.awaited = null;
    this.events.push({ kind: 'completed', refusal });
  }
}

/**
 * Executes programs (§2.2): whenever nothing moves, takes the next steps until one takes time.
 * Evaluates loops, return motions between loops, waits and branches on the tick, from the I/O
 * values of that tick. Also: what happens once the arm stands.
 */

/**
 * What happens once the arm stands (decision D29): motions end, awaited commands take effect, and
 * the robot leaves an emergency stop. `ready` and `paused` are entered here alone, so they are
 * never published while a joint moves.
 */

/** Clears the driver's faults; the refusal names the cause that persists. */
export function persistentFault(context: RobotContext): Refusal<'wrong_state'> | null {
  if (context.options.recover()) return null;
  const cause = context.feedback.fault?.message ?? 'The cause of the fault is still present';
  return refuse('wrong_state', cause);
}

function recoverTo(
  context: RobotContext,
  trigger: 'reset_errors' | 'acknowledge_collision',
): Refusal<'wrong_state'> | null {
  const refusal = persistentFault(context);
  if (refusal) return refusal;
  context.memory.error = null;
  context.transition(trigger);
  // The arm was stopped off its path: the next motion starts where the drives hold it.
  context.startFromHeldPose();
  return null;
}

type Completion = (context: RobotContext) => Refusal<'wrong_state'> | null;

const completions: Readonly<Record<StandstillCommand, Completion>> = {
  pause(context) {
    const { memory } = context;
    memory.resume_to = memory.state === 'stopping' ? 'stopping' : 'running';
    context.transition('pause');
    memory.paused_tick = context.tick;
    return null;
  },
  cancel(context) {
    context.player.discardPausedMotion();
    context.transition('cancel');
    context.endActivity();
    return null;
  },
  reset_errors: (context) => recoverTo(context, 'reset_errors'),
  acknowledge_collision: (context) => recoverTo(context, 'acknowledge_collision'),
};

/** Names of states and triggers as people say them. */
function inWords(names: string): string {
  return names.replaceAll('estop', 'emergency stop').replaceAll('_', ' ');
}

/** Refuses the awaited command when the state changed and no longer allows it. */
export function refuseObsoleteCommand(context: RobotContext): void {
  const { awaited, state } = context.memory;
  if (awaited === null || isAllowed(awaited, state)) return;
  context.complete(refuse('wrong_state', wrongStateDetails(awaited, state)));
}

function leaveDisabled(context: RobotContext): void {
  const { memory } = context;
  if (memory.error_behind_estop) {
    memory.error ??= 'A motion was interrupted by the emergency stop';
    context.transition('estop_released_with_error');
  } else context.transition('estop_released');
  memory.error_behind_estop = false;
  // A wired stop cuts the power of the motors: the arm may have been moved.
  if (context.feedback.estop !== undefined) context.startFromHeldPose();
}

function leaveBackdriving(context: RobotContext): void {
  context.transition('backdriving_released');
  context.startFromHeldPose();
}

function endMotion(context: RobotContext, trigger: 'motion_finished' | 'motion_dropped'): void {
  if (trigger === 'motion_dropped') context.player.discardPausedMotion();
  context.transition(trigger);
  context.endActivity();
}

/** Takes the transitions that wait for standstill, if the arm stands. */
export function completeAtStandstill(context: RobotContext): void {
  refuseObsoleteCommand(context);
  if (!context.standing) return;
  const { memory } = context;
  if (memory.teach_braking) {
    memory.teach_braking = false;
    restartLockTimer(memory, context.tick);
  }
  if (memory.ending === 'motion_dropped') endMotion(context, memory.ending);
  refuseObsoleteCommand(context);
  if (memory.awaited) context.complete(completions[memory.awaited](context));
  if (memory.ending && memory.state !== 'paused') endMotion(context, memory.ending);
  if (memory.state === 'disabled' && !memory.estop) leaveDisabled(context);
  if (memory.state === 'backdriving' && memory.button_released) leaveBackdriving(context);
}

/** Most instantaneous steps in one tick; a longer timeline without motion spreads over ticks. */
const STEPS_PER_TICK = 64;

/** Continues the current activity; called while no setpoint changes. */
export function continueActivity(context: RobotContext): void {
  const { memory } = context;
  const { activity } = memory;
  if (!activity || memory.ending || memory.awaited) return;
  if (memory.state !== 'running' && memory.state !== 'stopping') return;
  if (activity.kind !== 'run') finishActivity(context);
  else if (memory.loaded) takeSteps(context, activity, memory.loaded);
}

/** Ends the activity, at once or as soon as the arm stands. */
function finishActivity(context: RobotContext): void {
  context.memory.ending = 'motion_finished';
  completeAtStandstill(context);
}

function playMove(context: RobotContext, activity: Activity, move: PlannedMove): void {
  const teach = activity.mode === 'teach';
  const cap_m_s = teach ? limits.speed_teach_m_per_s : limits.speed_automatic_m_per_s;
  const { tool_offset_m, payload_kg } = context.memory.loaded!.program;
  context.player.play({
    path: move.path,
    profile: teach ? move.teach : move.automatic,
    caps: {
      tool_speed_m_s: Math.min(move.tool_speed_m_s, cap_m_s),
      tool_offset_m,
      payload_kg,
      timing: context.memory.timing,
    },
  });
}

function conditionMet(context: RobotContext, condition: Condition, since_s: number): boolean {
  const moment = { tick: context.tick, seed: context.options.seed };
  return conditionHolds(condition, {
    elapsed_s: context.now_s - since_s,
    read: (side, io) => readIo(context.memory.io, side, io, moment),
  });
}

function takeSteps(context: RobotContext, activity: Activity, loaded: LoadedToolpath): void {
  const world = {
    now_s: context.now_s,
    holds: (condition: Condition, since_s: number) => conditionMet(context, condition, since_s),
  };
  for (let steps = 0; steps < STEPS_PER_TICK && !context.player.moving; steps++) {
    const effect = executeStep(loaded.program, activity.cursor, world);
    if (effect.kind !== 'loop_done') activity.at = effect.at;
    switch (effect.kind) {
      case 'move':
        playMove(context, activity, effect.move);
        break;
      case 'output':
        writeIo(context.memory.io, 'outputs', ioKey(effect.io), effect.value);
        break;
      case 'waiting':
        return;
      case 'loop_done':
        if (countLoop(context)) {
          finishActivity(context);
          return;
        }
        Object.assign(activity.cursor, startCursor(loaded.program));
        if (effect.way_back) playMove(context, activity, effect.way_back);
        break;
      default:
        break;
    }
  }
}

/** Counts the completed loop; returns whether the run ends with it. */
function countLoop({ memory }: RobotContext): boolean {
  memory.loop_count += 1;
  const isTargetReached = memory.loop_target > 0 && memory.loop_count >= memory.loop_target;
  return isTargetReached || memory.state === 'stopping';
}
