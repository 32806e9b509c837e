/**
 * The arm as the scheduler knows it: whether it is safe and free, where it stands, and what it does
 * for the user who has it. All that a run, a transporter and a plan need of the robot, of its loop
 * and of the planning of motions goes through here.
 */

import type { Refusal } from '../contract/refusal.ts';
import type { RobotState } from '../contract/robot-states.ts';
import type { SafetyState } from '../contract/safety-state.ts';
import type { Toolpath, TransportConfig } from '../contract/types.generated.ts';
import type { JointPath } from '../physics/motion/joint-path.ts';
import type { MotionCaps } from '../physics/motion/motion-caps.ts';
import type { TimeProfile } from '../physics/motion/time-profile.ts';
import type { Caller } from '../server/robot/caller.ts';
import type { LoadedToolpath } from '../server/robot/loaded-toolpath.ts';

/** The errors of a toolpath that is not planned at present. */
export type PlanningError = 'share_used_up' | 'timed_out';

/** A toolpath that the arm can run, or why it cannot. */
export type ToolpathPlan =
  | { readonly kind: 'built'; readonly loaded: LoadedToolpath }
  | { readonly kind: 'soft' | 'hard'; readonly error: string };

/** Plans toolpaths for one user, in the turns of that user. */
export interface ToolpathLoader {
  /**
   * Plans a toolpath; does not reject where the arm cannot run it. The refusal says that it was not
   * planned at present, through no fault of its own.
   */
  load(name: string, toolpath: Toolpath): Promise<ToolpathPlan | Refusal<PlanningError>>;
}

/** A motion to plan: from one pose to another (rad), at a speed of the flange. */
export interface ArmWay {
  readonly start: Float64Array;
  readonly joints: readonly number[];
  readonly speed_m_s: number;
  readonly trajectory: 'joint_space' | 'linear';
}

/** A planned motion; it can begin where the arm rests at its start. */
export interface ArmMotion {
  /** Joint angles at its start (rad). */
  readonly start: Float64Array;
  readonly path: JointPath;
  readonly profile: TimeProfile;
  readonly caps: MotionCaps;
}

/** How a paused motion goes on; null once it no longer rests where that was planned from. */
export type PlannedRest = () => TimeProfile | null;

/** Hears what happens to the arm between the calls of the scheduler. */
export interface ArmFollower {
  /** The safety state has changed; it can change and change back between two ticks. */
  onSafety(state: SafetyState): void;
  /** The power was cycled, or an update has ended: the gripper has opened. */
  onPowerCycle(): void;
  /** After every tick, and after every jump over idle ticks. */
  onTick(): void;
  /** The twin was restored to another state. */
  onRestore(): void;
}

/** The arm. */
export interface ArmPort {
  readonly state: RobotState;
  readonly safety: SafetyState;
  /** What is wrong with it in the state `error`. */
  readonly error: string | null;
  /** Joint angles at which the next motion begins (rad). */
  readonly restPose: Float64Array;
  /** Whether nothing moves, and no accepted command waits for that. */
  readonly isAtRest: boolean;
  /** Whether neither a motion nor a program is under way or paused. */
  readonly isIdle: boolean;
  /** False while it comes to rest after a cancelled motion: no motion can begin yet. */
  readonly isReady: boolean;
  /** What plans toolpaths for a user. */
  loaderFor(caller: Caller): ToolpathLoader;
  /** Plans a motion with the present timing and the range of the arm. */
  planWay(way: ArmWay): ArmMotion | { readonly fault: string };
  /** Tells a follower what happens; returns how to end that. */
  follow(follower: ArmFollower): () => void;
  /** Keeps an unpaced clock running while `isNeeded`; returns how to end that. */
  keepAwake(isNeeded: () => boolean): () => void;
  /** The arm for a user who has it, or wants it. */
  holdFor(caller: Caller, gripper: TransportConfig['gripper']): ArmHold;
}

/** The arm and its gripper for one user. Each command is refused while another has the lock. */
export interface ArmHold {
  /** Whether the user has the lock. */
  readonly hasLock: boolean;
  lock(): Refusal | null;
  /** Keeps the lock from expiring. */
  renewLock(): void;
  unlock(): void;
  /** Why no motion of the user could begin now, or null. */
  readonly refusal: Refusal | null;
  /** Starts a motion. */
  goTo(motion: ArmMotion): Refusal | null;
  /** Loads a toolpath and starts it. */
  run(toolpath: LoadedToolpath): Refusal | null;
  /** Ends the motion on its path, for good. */
  stop(): void;
  /** Brakes on the path, to go on later. */
  pause(): void;
  /** Plans the rest of the paused motion; null where none is paused. */
  planRest(): Promise<PlannedRest> | null;
  /** Goes on with the paused motion; refused where its plan no longer fits. */
  resume(rest: PlannedRest | null): Refusal | null;
  readonly isGripperClosed: boolean;
  setGripper(isClosed: boolean): void;
}
