/**
 * Plays trajectories: writes the joint setpoints of the next tick, one per millisecond (rad). Holds
 * the current motion and at most one queued motion. Stops stay on the path, the emergency stop as far
 * as the joints can. Its memory is plain data, part of the robot's state snapshot.
 */
import { SETPOINT_SAMPLES, STEPS_PER_TICK, TICK_S } from '../../bridge/arm-driver.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import {
  type EmergencyStop,
  planEmergencyStop,
  sampleEmergencyStop,
} from '../../physics/motion/emergency-stop.ts';
import {
  createPathSample,
  type JointPath,
  samplePath,
  samplePathAt,
} from '../../physics/motion/joint-path.ts';
import { type MotionTiming, stopLimitsOf } from '../../physics/motion/motion-timing.ts';
import { planStop } from '../../physics/motion/stop.ts';
import {
  createProfilePoint,
  sampleProfile,
  sampleProfileAt,
  type TimeProfile,
  timeAtPosition,
} from '../../physics/motion/time-profile.ts';

const STEP_S = TICK_S / STEPS_PER_TICK;
/** A plan that starts farther from the rest pose is stale (rad). */
const STALE_START_RAD = 1e-6;

/** Limits of stops and resumes: speed of the tool point, its offset from the flange, payload. */
export interface ToolCaps {
  readonly tool_speed_m_s: number;
  readonly tool_offset_m: readonly [number, number, number];
  readonly payload_kg?: number;
  readonly timing?: MotionTiming | null;
}

/** A timed path, from rest to rest. */
export interface TimedMotion {
  readonly path: JointPath;
  readonly profile: TimeProfile;
  readonly caps: ToolCaps;
}

/** A motion stopped on its path at `s`: the input for planning the rest. */
export interface PausedMotion {
  readonly path: JointPath;
  readonly s: number;
  readonly caps: ToolCaps;
  /** Planned duration of the rest (s): a slow motion stays slow. */
  readonly nominal_rest_s: number;
}

/** Whether two paused motions are one, so that what was planned for the first fits the second. */
export function isSamePause(a: PausedMotion | null, b: PausedMotion | null): boolean {
  return a?.path === b?.path && a?.s === b?.s;
}

/** An active motion; a stop replaces `profile`, `nominal` keeps the planned profile. */
interface Motion {
  readonly path: JointPath;
  readonly nominal: TimeProfile;
  readonly caps: ToolCaps;
  profile: TimeProfile;
  elapsed_s: number;
}

/** The player's state; paths and profiles are immutable. */
export interface TrajectoryPlayerMemory {
  /** Pose at rest: now, or after the active and queued motions (rad). */
  readonly rest: Float64Array;
  motion: Motion | null;
  following: Motion | null;
  /** A requested stop for which no profile has been found yet. */
  wanted_stop: 'pause' | 'protective' | null;
  /** Ticks since the stop was requested; each tick tries other candidates. */
  attempts: number;
  /** The motion that was stopped on its path; the rest can be resumed. */
  halted: Motion | null;
  /** Reference 1 ms before the next tick, for changes of profile. */
  readonly before: Float64Array;
  emergency: { readonly stop: EmergencyStop; elapsed_s: number } | null;
}

export class TrajectoryPlayer {
  private memory: TrajectoryPlayerMemory;
  private readonly time = new Float64Array(1);
  private readonly point = createProfilePoint();
  private readonly sample = createPathSample();

  constructor(start: Float64Array) {
    this.memory = {
      rest: Float64Array.from(start),
      motion: null,
      following: null,
      wanted_stop: null,
      attempts: 0,
      halted: null,
      before: Float64Array.from(start),
      emergency: null,
    };
  }

  /** An independent copy of the memory; after `restore` the playback is bit-identical. */
  save(): TrajectoryPlayerMemory {
    return copyMemory(this.memory);
  }

  restore(memory: TrajectoryPlayerMemory): void {
    this.memory = copyMemory(memory);
  }

  /** True while setpoints change. */
  get moving(): boolean {
    return this.memory.motion !== null || this.memory.emergency !== null;
  }

  /** Present or coming rest pose (rad): the start of the next plan. */
  get restPose(): Float64Array {
    return this.memory.rest;
  }

  /** Reference 1 ms before the next tick (rad). */
  get reference(): Float64Array {
    return this.memory.before;
  }

  /** The path of the active motion; null at rest and in an emergency stop. */
  get plannedPath(): JointPath | null {
    const { motion, emergency } = this.memory;
    return emergency === null && motion !== null ? motion.path : null;
  }

  /** True when a stopped motion can be resumed. */
  get hasPausedMotion(): boolean {
    return this.memory.halted !== null;
  }

  /** Whether `start` equals the rest pose, within the tolerance for stale plans. */
  isAtRestPose(start: ArrayLike<number>): boolean {
    return largestDifference(start, this.memory.rest) <= STALE_START_RAD;
  }

  /** Plays a motion from rest, at once or after the active one. */
  play({ path, profile, caps }: TimedMotion): void {
    const motion: Motion = { path, profile, caps, nominal: profile, elapsed_s: 0 };
    if (this.moving) this.memory.following = motion;
    else this.memory.motion = motion;
    this.memory.halted = null;
    this.setRest(path, profile);
  }

  /** Stops on the path, jerk-limited, from the next tick on or as soon as a stop is found. */
  stopOnPath(kind: 'pause' | 'protective'): void {
    const { motion, emergency } = this.memory;
    if (!motion || emergency) return;
    this.memory.wanted_stop = kind;
    this.memory.attempts = 0;
    this.tryPendingStop(motion, kind);
  }

  /** The motion to resume, or null. */
  get pausedMotion(): PausedMotion | null {
    const motion = this.memory.halted;
    if (!motion) return null;
    const { path, caps, profile, nominal } = motion;
    sampleProfile(profile, profile.duration_s, this.point);
    const { s } = this.point;
    return { path, s, caps, nominal_rest_s: nominal.duration_s - timeAtPosition(nominal, s) };
  }

  /** Planned time (s) until all motions end, active, queued or paused; 0 without one. */
  get remaining_s(): number {
    const { motion, following, halted } = this.memory;
    if (halted) return this.pausedMotion!.nominal_rest_s;
    const active_s = motion ? motion.profile.duration_s - motion.elapsed_s : 0;
    return Math.max(active_s, 0) + (following?.profile.duration_s ?? 0);
  }

  /** Discards the paused and the queued motion. An active stop runs to its end. */
  discardPausedMotion(): void {
    Object.assign(this.memory, { halted: null, following: null });
  }

  /** Plays the rest of the paused path with a profile that starts at its `s`. */
  resume(profile: TimeProfile): void {
    const paused = this.pausedMotion;
    if (paused) this.play({ path: paused.path, profile, caps: paused.caps });
  }

  /** Stops as fast as the joints can, on the path where they can; null where nothing moved. */
  emergencyStop(): EmergencyStop | null {
    const { memory } = this;
    const { motion } = memory;
    let stop: EmergencyStop | null = null;
    if (motion && !memory.emergency) {
      const most = stopLimitsOf(motion.caps.timing, 'protective');
      stop = planEmergencyStop(motion.path, motion, most);
      memory.emergency = { stop, elapsed_s: 0 };
      this.time[0] = stop.duration_s;
      sampleEmergencyStop(stop, this.time, memory.rest);
    }
    memory.motion = null;
    memory.wanted_stop = null;
    this.discardPausedMotion();
    return stop;
  }

  /** Sets the rest pose to `q` (rad) and discards all motions. */
  setPose(q: ArrayLike<number>): void {
    this.memory.rest.set(q);
    this.memory.before.set(q);
    this.memory.motion = null;
    this.memory.emergency = null;
    this.memory.wanted_stop = null;
    this.discardPausedMotion();
  }

  /** Writes the samples of the next tick and advances by one tick. Precondition: `moving`. */
  advance(samples: Float64Array): void {
    const memory = this.memory;
    if (memory.wanted_stop && memory.motion) this.tryPendingStop(memory.motion, memory.wanted_stop);
    if (memory.emergency) this.advanceEmergency(samples);
    else if (memory.motion) this.advanceMotion(memory.motion, samples);
    for (let joint = 0; joint < 6; joint++) {
      samples[joint] = memory.before[joint]!;
      memory.before[joint] = samples[6 * STEPS_PER_TICK + joint]!;
    }
  }

  private advanceMotion(motion: Motion, samples: Float64Array): void {
    for (let i = 1; i < SETPOINT_SAMPLES; i++) {
      this.time[0] = motion.elapsed_s + (i - 1) * STEP_S;
      sampleProfileAt(motion.profile, this.time, this.point);
      samplePathAt(motion.path, this.point, this.sample);
      for (let joint = 0; joint < 6; joint++) samples[6 * i + joint] = this.sample.q[joint]!;
    }
    motion.elapsed_s += TICK_S;
    if (motion.elapsed_s >= motion.profile.duration_s) {
      this.memory.motion = this.memory.following;
      this.memory.following = null;
      this.memory.wanted_stop = null;
    }
  }

  private advanceEmergency(samples: Float64Array): void {
    const emergency = this.memory.emergency!;
    for (let i = 1; i < SETPOINT_SAMPLES; i++) {
      const row = samples.subarray(6 * i, 6 * i + 6);
      this.time[0] = emergency.elapsed_s + (i - 1) * STEP_S;
      sampleEmergencyStop(emergency.stop, this.time, row);
    }
    emergency.elapsed_s += TICK_S;
    if (emergency.elapsed_s >= emergency.stop.duration_s) {
      this.memory.emergency = null;
      this.memory.motion = this.memory.following;
      this.memory.following = null;
    }
  }

  private tryPendingStop(motion: Motion, kind: 'pause' | 'protective'): void {
    sampleProfile(motion.profile, motion.elapsed_s, this.point);
    const { s, v, a } = this.point;
    const { tool_offset_m, tool_speed_m_s, timing } = motion.caps;
    const tool = { offset_m: tool_offset_m, speed_m_s: tool_speed_m_s };
    const attempt = this.memory.attempts++;
    const request = { path: motion.path, point: { s, v, a }, kind, attempt, tool, motion, timing };
    const stop = planStop(request);
    if (!stop) return;
    motion.profile = stop;
    motion.elapsed_s = 0;
    this.memory.wanted_stop = null;
    this.memory.halted = motion;
    this.setRest(motion.path, stop);
  }

  private setRest(path: JointPath, profile: TimeProfile): void {
    sampleProfile(profile, profile.duration_s, this.point);
    samplePath(path, this.point.s, this.sample);
    this.memory.rest.set(this.sample.q);
  }
}

function copyMemory(memory: TrajectoryPlayerMemory): TrajectoryPlayerMemory {
  const { motion, halted } = memory;
  const moving = motion && { ...motion };
  return {
    ...memory,
    rest: Float64Array.from(memory.rest),
    before: Float64Array.from(memory.before),
    motion: moving,
    following: memory.following && { ...memory.following },
    // A motion that is stopping on its path is also the paused one: keep them one object.
    halted: halted === motion ? moving : halted && { ...halted },
    emergency: memory.emergency && { ...memory.emergency },
  };
}
