/**
 * Commands that change the robot, and the errors with which each can be refused. Commands come
 * from clients, from the simulation control API (/sim/v1) and from the server's services. Plain
 * data, because recordings store it.
 */

import type { DetectionSensitivity } from '../../bridge/arm-driver.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { RobotCommand } from '../../contract/robot-states.ts';
import type { GlobalChange, RunMode } from '../../contract/types.generated.ts';
import type { ToolShape } from '../../physics/collision/scene.ts';
import type { TimeProfile } from '../../physics/motion/time-profile.ts';
import type { Caller } from './caller.ts';
import type { SignalValue } from './io.ts';
import type { LoadedToolpath } from './loaded-toolpath.ts';
import type { TimedMotion } from './trajectory-player.ts';

/** A motion planned outside the robot, starting at the arm's rest pose. */
export interface PlannedMotion extends TimedMotion {
  readonly start: Float64Array;
  /** The tool that the request names; absent, the tool at the flange stays. */
  readonly tool?: ToolShape | undefined;
}

/** Commands that need the lock carry their caller; the robot checks the lock again. */
type WithCaller<Body> = Body & { readonly caller: Caller };

export type Command =
  | { readonly kind: 'lock'; readonly caller: Caller }
  | { readonly kind: 'renew_lock'; readonly caller: Caller }
  | { readonly kind: 'release_lock'; readonly caller: Caller }
  | { readonly kind: 'forget_token'; readonly token_id: number }
  | WithCaller<{ kind: 'load'; toolpath: LoadedToolpath }>
  | WithCaller<{ kind: 'unload' }>
  | WithCaller<{ kind: 'run'; mode: RunMode; loop: number }>
  | WithCaller<{ kind: 'home' }>
  | WithCaller<{ kind: 'go_to'; mode: RunMode; motion: PlannedMotion }>
  | WithCaller<{ kind: 'pause' }>
  | WithCaller<{ kind: 'resume'; profile: TimeProfile | null }>
  | WithCaller<{ kind: 'cancel' }>
  | WithCaller<{ kind: 'stop_loop' }>
  /** Aborts the motion on its path; the robot is ready once the arm stands. */
  | WithCaller<{ kind: 'abort_motion' }>
  | WithCaller<{ kind: 'reset_errors' }>
  | WithCaller<{ kind: 'acknowledge_collision' }>
  | WithCaller<{ kind: 'globals'; changes: readonly GlobalChange[] }>
  | WithCaller<{ kind: 'scheduler'; enabled: boolean; start_time?: string; end_time?: string }>
  | WithCaller<{
      kind: 'collision_detection';
      enabled: boolean;
      sensitivity?: DetectionSensitivity;
    }>
  | { readonly kind: 'estop'; readonly engaged: boolean }
  | { readonly kind: 'inputs'; readonly values: Readonly<Record<string, SignalValue>> }
  | { readonly kind: 'loopback'; readonly wires: Readonly<Record<string, string>> }
  | { readonly kind: 'backdriving'; readonly pressed: boolean }
  /** Switches detection on without the lock, as a fault asks for it. */
  | { readonly kind: 'detect_collisions' }
  | { readonly kind: 'stick_inputs'; readonly stuck: Readonly<Record<string, boolean>> }
  | { readonly kind: 'waypoint_button' }
  | { readonly kind: 'begin_update' }
  | { readonly kind: 'finish_update' }
  | { readonly kind: 'power_cycle' }
  | { readonly kind: 'stand_at'; readonly joints: readonly number[] }
  | { readonly kind: 'shut_down' };

export type CommandKind = Command['kind'];

/** Name of each command kind in the state table (§3.1); other kinds are allowed in all states. */
export const STATE_TABLE_NAMES: Partial<Record<CommandKind, RobotCommand>> = {
  load: 'use',
  unload: 'use',
  run: 'run',
  home: 'home',
  go_to: 'go_to',
  pause: 'pause',
  resume: 'resume',
  cancel: 'cancel',
  stop_loop: 'stop_loop',
  reset_errors: 'reset_errors',
  acknowledge_collision: 'acknowledge_collision',
  globals: 'globals',
  scheduler: 'scheduler',
  collision_detection: 'collision_detection',
  begin_update: 'update',
};

type Checks = 'lock_not_held' | 'wrong_state';

/** The errors with which each command kind can be refused; a kind that is not listed has none. */
interface CommandErrors {
  lock: 'wrong_state' | 'lock_held_by_you' | 'lock_held_by_other';
  renew_lock: Checks;
  release_lock: Checks;
  load: Checks;
  unload: Checks;
  run: Checks | 'toolpath_missing' | 'motion_refused';
  home: Checks | 'toolpath_missing' | 'motion_refused';
  go_to: Checks;
  pause: Checks;
  resume: Checks;
  cancel: Checks;
  stop_loop: Checks;
  abort_motion: 'lock_not_held';
  reset_errors: Checks;
  acknowledge_collision: Checks;
  globals: Checks | 'invalid_changes' | 'changes_not_applied';
  scheduler: Checks | 'invalid_arguments';
  collision_detection: Checks;
  inputs: 'invalid_arguments';
  backdriving: 'wrong_state';
  waypoint_button: 'wrong_state';
  begin_update: 'wrong_state';
  stand_at: 'wrong_state';
}

/** The errors of a command kind. */
export type CommandError<Kind extends CommandKind = CommandKind> = Kind extends keyof CommandErrors
  ? CommandErrors[Kind]
  : never;

/** The refusal of a command of a kind, or null when it was executed. */
export type CommandResult<Kind extends CommandKind = CommandKind> = Refusal<
  CommandError<Kind>
> | null;

export type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;
