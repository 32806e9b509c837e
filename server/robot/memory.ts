/**
 * The mutable state of the robot as plain data. Only `robot.apply`, `robot.tick` and
 * `robot.restore` write it. State snapshots and recordings store it, so its field names are part
 * of those file formats.
 */

import type { ArmFaultKind, DetectionSensitivity, MountedTool } from '../../bridge/arm-driver.ts';
import type { RobotState } from '../../contract/robot-states.ts';
import type { RunMode } from '../../contract/types.generated.ts';
import type { MotionTiming } from '../../physics/motion/motion-timing.ts';
import type { ProgramCursor } from '../../physics/toolpath/program-interpreter.ts';
import type { Caller } from './caller.ts';
import { createIo, type IoMemory } from './io.ts';
import type { LoadedToolpath } from './loaded-toolpath.ts';
import { createSchedule, type ScheduleMemory } from './schedule.ts';

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
  /** The first cause of an error in words: it stays until the error is reset. */
  error: string | null;
  /** What it is of the joints; null for other causes. */
  error_cause: ErrorCause | null;
  /** Other faults since then, each once. */
  later_errors: string[];
  /** How the latest emergency stop of a motion kept its path; null before the first. */
  last_stop: StopReport | null;
  /** Ends of the present reaction to a contact that the log has. */
  reactions_told: number;
  /** Ticks in a row in which a held joint was out of its place, or moved (D30). */
  drift_ticks: number;
  /** Ticks since the plan of a motion has ended, while the arm does not stand yet. */
  arrival_ticks: number;
  readonly io: IoMemory;
  /** Timing of the arm's planner, of a profile; null: that of the model. */
  timing: MotionTiming | null;
}

/** What of the joints is behind an error. */
export interface ErrorCause {
  readonly kind: ArmFaultKind;
  /** 0..5, or null when no single joint is the cause. */
  readonly joint: number | null;
  /** Whether the driver reports it; else the robot has concluded it. */
  readonly isReported: boolean;
}

/** Makes a cause the one of an error, or says it in better words. */
export function setError(memory: RobotMemory, message: string, cause: ErrorCause | null): void {
  memory.error = message;
  memory.error_cause = cause && {
    kind: cause.kind,
    joint: cause.joint,
    isReported: cause.isReported,
  };
}

/** Ends an error with all that was said of it. */
export function forgetError(memory: RobotMemory): void {
  memory.error = null;
  memory.error_cause = null;
  memory.later_errors = [];
}

/** How an emergency stop keeps the path of the motion that it ends (D31). */
export interface StopReport {
  /** From its first setpoint to its last (s). */
  readonly duration_s: number;
  /** Largest distance of the flange from the path, by its setpoints (m). */
  readonly deviation_m: number;
  /** The joints that leave the path (0 to 5). */
  readonly joints: readonly number[];
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
    error_cause: null,
    later_errors: [],
    last_stop: null,
    reactions_told: 0,
    drift_ticks: 0,
    arrival_ticks: 0,
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

/** A held lock. */
export interface LockMemory {
  readonly holder: Caller;
  /** Tick at which it expires unless renewed. */
  expires_tick: number;
}

/** Commands that are answered once the arm stands (decision D29). */
export type StandstillCommand = 'pause' | 'cancel' | 'reset_errors' | 'acknowledge_collision';
