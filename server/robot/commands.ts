/**
 * The first verb's vocabulary: everything that can be asked of the robot, by clients, by the
 * twin's own hand (/sim/v1) and by the rooms around it. Plain data, so that recordings hold it.
 */
import type { DetectionSensitivity } from '../../bridge/arm-driver.ts';
import type { ToolpathMetadata } from '../../contract/types.ts';
import type { TimeProfile } from '../../physics/motion/time-profile.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import type { GlobalChange } from './global-edit.ts';
import type { IoValue } from './io.ts';
import type { PlayedMotion } from './mover.ts';

export type RunMode = 'automatic' | 'teach';
export type Role = 'admin' | 'user';

/** Who asks: the owner of the lock is an API token (decision D11). */
export interface Caller {
  readonly user_id: number;
  readonly token_id: number;
  readonly role: Role;
}

/** A motion planned outside the robot, from where the arm stood. */
export interface PlannedMotion extends PlayedMotion {
  readonly start: Float64Array;
}

/** A toolpath that can be run at once. */
export interface LoadedToolpath {
  readonly name: string;
  readonly hash: string;
  readonly program: Program;
  /** Tool, zones and default speed, for approaches to home. */
  readonly metadata: ToolpathMetadata;
}

/** Calls that need the lock carry their caller; the robot looks again at who holds it. */
type ByHolder<Body> = Body & { readonly caller: Caller };

export type Command =
  | { readonly kind: 'lock'; readonly caller: Caller }
  | { readonly kind: 'renew_lock'; readonly caller: Caller }
  | { readonly kind: 'release_lock'; readonly caller: Caller }
  | { readonly kind: 'forget_token'; readonly token_id: number }
  | ByHolder<{ kind: 'load'; toolpath: LoadedToolpath }>
  | ByHolder<{ kind: 'run'; mode: RunMode; loop: number }>
  | ByHolder<{ kind: 'home' }>
  | ByHolder<{ kind: 'go_to'; mode: RunMode; motion: PlannedMotion }>
  | ByHolder<{ kind: 'pause' }>
  | ByHolder<{ kind: 'resume'; profile: TimeProfile | null }>
  | ByHolder<{ kind: 'cancel' }>
  | ByHolder<{ kind: 'stop_loop' }>
  | ByHolder<{ kind: 'reset_errors' }>
  | ByHolder<{ kind: 'acknowledge_collision' }>
  | ByHolder<{ kind: 'globals'; changes: readonly GlobalChange[] }>
  | ByHolder<{ kind: 'scheduler'; enabled: boolean; start_time?: string; end_time?: string }>
  | ByHolder<{
      kind: 'collision_detection';
      enabled: boolean;
      sensitivity?: DetectionSensitivity;
    }>
  | { readonly kind: 'estop'; readonly engaged: boolean }
  | { readonly kind: 'inputs'; readonly values: Readonly<Record<string, IoValue>> }
  | { readonly kind: 'loopback'; readonly wires: Readonly<Record<string, string>> }
  | { readonly kind: 'backdriving'; readonly pressed: boolean }
  | { readonly kind: 'stick_inputs'; readonly stuck: Readonly<Record<string, boolean>> }
  | { readonly kind: 'waypoint_button' }
  | { readonly kind: 'begin_update' }
  | { readonly kind: 'finish_update' }
  | { readonly kind: 'power_cycle' }
  | { readonly kind: 'stand_at'; readonly joints: readonly number[] }
  | { readonly kind: 'shut_down' };

export type CommandKind = Command['kind'];
