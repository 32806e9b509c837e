/**
 * All that the robot remembers, as plain data with one owner: `robot.apply` and `robot.tick`
 * write it, everything else reads snapshots.
 */

import type { DetectionSensitivity } from '../../bridge/arm-driver.ts';
import type { RobotState } from '../../contract/robot-states.ts';
import type { PlayerCursor } from '../../physics/toolpath/player.ts';
import type { Caller, LoadedToolpath, RunMode } from './commands.ts';
import { createIo, type IoMemory } from './io.ts';
import { createSchedule, type ScheduleMemory } from './schedule.ts';

/** A lock that somebody holds. */
export interface LockMemory {
  readonly holder: Caller;
  /** Tick at which it lapses unless renewed. */
  expires_tick: number;
}

/** What the robot is busy with; it survives a pause. */
export interface Activity {
  readonly kind: 'run' | 'home' | 'go_to';
  readonly mode: RunMode;
  /** True when the daily schedule started it: its end time stops it. */
  readonly scheduled: boolean;
  readonly payload_kg: number;
  /** Place in the loaded program; read in runs only. */
  readonly cursor: PlayerCursor;
  /** JSON pointer of the action under way, for the log and the viewer. */
  at: string;
}

export interface RobotMemory {
  state: RobotState;
  /** Where resume leads: a pause out of stopping returns there (decision D29). */
  resume_to: 'running' | 'stopping';
  activity: Activity | null;
  /** True while a motion is being given up: at rest the robot becomes ready. */
  dropping: boolean;
  paused_tick: number;
  loop_count: number;
  loop_target: number;
  loaded: LoadedToolpath | null;
  lock: LockMemory | null;
  detection: { enabled: boolean; sensitivity: DetectionSensitivity };
  schedule: ScheduleMemory;
  estop: boolean;
  /** Who presses it: the hand on the twin, the stop that is wired to the joints. */
  estop_by_hand: boolean;
  estop_wired: boolean;
  /** An error stood, or a motion was cut short, when the stop was pressed (decision D31). */
  error_behind_estop: boolean;
  error: string | null;
  readonly io: IoMemory;
}

/** The robot as it is after power-up. */
export function createMemory(): RobotMemory {
  return {
    state: 'ready',
    resume_to: 'running',
    activity: null,
    dropping: false,
    paused_tick: 0,
    loop_count: 0,
    loop_target: 0,
    loaded: null,
    lock: null,
    detection: { enabled: false, sensitivity: 'medium' },
    schedule: createSchedule(),
    estop: false,
    estop_by_hand: false,
    estop_wired: false,
    error_behind_estop: false,
    error: null,
    io: createIo(),
  };
}

/** True while a teach-mode motion runs or is paused: the lock then lapses after 5 s (D13). */
export function inTeachMotion(memory: RobotMemory): boolean {
  return memory.activity !== null && memory.activity.mode === 'teach';
}
