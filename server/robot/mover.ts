/**
 * Plays motions: where the joints shall be at every millisecond of the coming tick. Holds at most
 * one motion and one to follow; stops leave the path only in an emergency. Plain memory, so that a
 * snapshot of the robot holds the motion too.
 */
import { SETPOINT_SAMPLES, STEPS_PER_TICK, TICK_S } from '../../bridge/arm-driver.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import { emergencyStop, type JointStop, sampleJointStop } from '../../physics/motion/joint-stop.ts';
import {
  createPathSample,
  type JointPath,
  samplePath,
  samplePathAt,
} from '../../physics/motion/path.ts';
import { planStop } from '../../physics/motion/stop.ts';
import {
  createProfilePoint,
  sampleProfile,
  sampleProfileAt,
  type TimeProfile,
  timeAt,
} from '../../physics/motion/time-profile.ts';

const STEP_S = TICK_S / STEPS_PER_TICK;
/** A plan that starts farther from where the arm stands is stale (rad). */
const STALE_START_RAD = 1e-6;

/** What a stop and a resume have to keep to: the tool point and the speed it may have. */
export interface ToolCaps {
  readonly tool_speed_m_s: number;
  readonly tool_offset_m: readonly [number, number, number];
}

/** A path with its timing, from rest to rest. */
export interface PlayedMotion {
  readonly path: JointPath;
  readonly profile: TimeProfile;
  readonly caps: ToolCaps;
}

/** Where a path was left: enough to plan the rest of it. */
export interface Halt {
  readonly path: JointPath;
  readonly s: number;
  readonly caps: ToolCaps;
  /** What the rest would have taken without the stop (s): a slow motion stays slow. */
  readonly nominal_rest_s: number;
}

/** A motion under way; `profile` becomes a stop, `nominal` stays what was planned. */
interface Motion {
  readonly path: JointPath;
  readonly nominal: TimeProfile;
  readonly caps: ToolCaps;
  profile: TimeProfile;
  elapsed_s: number;
}

/** Which stop is wanted but has not yet found its profile. */
type WantedStop = 'pause' | 'protective' | null;

/** All that the mover remembers; paths and profiles are never changed once made. */
export interface MoverMemory {
  /** Where the arm stands, or will stand when the motions are done (rad). */
  readonly rest: Float64Array;
  motion: Motion | null;
  following: Motion | null;
  wanted_stop: WantedStop;
  /** Ticks for which the stop has been wanted: each looks at other candidates. */
  attempts: number;
  /** The motion whose profile became a stop: what remains of its path can be resumed. */
  halted: Motion | null;
  /** Reference 1 ms before the coming tick: the servo needs it across every change of profile. */
  readonly before: Float64Array;
  emergency: { readonly stop: JointStop; elapsed_s: number } | null;
}

export class Mover {
  private memory: MoverMemory;
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

  /** The memory as a value of its own, and back: what follows has the same bits. */
  save(): MoverMemory {
    return copyOf(this.memory);
  }

  restore(memory: MoverMemory): void {
    this.memory = copyOf(memory);
  }

  /** True while setpoints change. */
  get moving(): boolean {
    return this.memory.motion !== null || this.memory.emergency !== null;
  }

  /** Where the arm stands or comes to rest (rad); the start of the next plan. */
  get restPose(): Float64Array {
    return this.memory.rest;
  }

  /** True when a path was left unfinished by a stop and could be resumed. */
  get halted(): boolean {
    return this.memory.halted !== null;
  }

  /** Tells whether a motion from `start` fits where the arm will stand. */
  fits(start: ArrayLike<number>): boolean {
    return largestDifference(start, this.memory.rest) <= STALE_START_RAD;
  }

  /** Plays a motion from rest, at once or after the one that is ending. */
  begin({ path, profile, caps }: PlayedMotion): void {
    const motion: Motion = { path, profile, caps, nominal: profile, elapsed_s: 0 };
    if (this.moving) this.memory.following = motion;
    else this.memory.motion = motion;
    this.memory.halted = null;
    this.setRest(path, profile);
  }

  /** Comes to rest on the path, jerk-limited, from the coming tick on or as soon as a stop fits. */
  stopOnPath(kind: 'pause' | 'protective'): void {
    const { motion, emergency } = this.memory;
    if (!motion || emergency) return;
    this.memory.wanted_stop = kind;
    this.memory.attempts = 0;
    this.tryStop(motion, kind);
  }

  /** What a resume has to be planned for; null when nothing was halted. */
  get halt(): Halt | null {
    const motion = this.memory.halted;
    if (!motion) return null;
    const { path, caps, profile, nominal } = motion;
    sampleProfile(profile, profile.duration_s, this.point);
    const { s } = this.point;
    return { path, s, caps, nominal_rest_s: nominal.duration_s - timeAt(nominal, s) };
  }

  /** True while a wanted stop has not yet found its profile: the motion is still as planned. */
  get stopPending(): boolean {
    return this.memory.wanted_stop !== null;
  }

  /** Takes a pending stop back: the motion goes on as planned. */
  keepGoing(): void {
    this.memory.wanted_stop = null;
  }

  /** Forgets what was halted: the motion is cancelled. A stop under way runs to its end. */
  forget(): void {
    this.memory.halted = null;
    this.memory.following = null;
  }

  /** Plays the rest of a halted path with a profile that starts at its place. */
  resume(profile: TimeProfile): void {
    const halt = this.halt;
    if (halt) this.begin({ path: halt.path, profile, caps: halt.caps });
  }

  /** Brings every joint to rest as fast as its limits allow, off the path if need be. */
  emergencyStop(): void {
    const memory = this.memory;
    if (memory.motion && !memory.emergency) {
      const { position, velocity, acceleration } = this.stateOf(memory.motion);
      const stop = emergencyStop(position, velocity, acceleration);
      memory.emergency = { stop, elapsed_s: 0 };
      sampleJointStop(stop, stop.duration_s, memory.rest);
    }
    memory.motion = null;
    memory.wanted_stop = null;
    this.forget();
  }

  /** The arm was moved by hand, or placed: it stands at `q`, nothing is left to play. */
  standAt(q: ArrayLike<number>): void {
    this.memory.rest.set(q);
    this.memory.before.set(q);
    this.memory.motion = null;
    this.memory.emergency = null;
    this.memory.wanted_stop = null;
    this.forget();
  }

  /** While it is moving: writes the samples of the coming tick and moves on by one tick. */
  advance(samples: Float64Array): void {
    const memory = this.memory;
    if (memory.wanted_stop && memory.motion) this.tryStop(memory.motion, memory.wanted_stop);
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
      samples.set(this.sample.q, 6 * i);
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
      sampleJointStop(emergency.stop, emergency.elapsed_s + (i - 1) * STEP_S, row);
    }
    emergency.elapsed_s += TICK_S;
    if (emergency.elapsed_s >= emergency.stop.duration_s) {
      this.memory.emergency = null;
      this.memory.motion = this.memory.following;
      this.memory.following = null;
    }
  }

  private tryStop(motion: Motion, kind: 'pause' | 'protective'): void {
    sampleProfile(motion.profile, motion.elapsed_s, this.point);
    const { s, v, a } = this.point;
    const { tool_offset_m: offset_m, tool_speed_m_s: speed_m_s } = motion.caps;
    const tool = { offset_m, speed_m_s };
    const attempt = this.memory.attempts++;
    const { path, profile, elapsed_s } = motion;
    const under_way = { profile, elapsed_s };
    const point = { s, v, a };
    const stop = planStop({ path, point, kind, attempt, tool, motion: under_way });
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

  /** Reference state of the joints at the start of the coming tick. */
  private stateOf(motion: Motion): Record<'position' | 'velocity' | 'acceleration', Float64Array> {
    sampleProfile(motion.profile, motion.elapsed_s, this.point);
    samplePath(motion.path, this.point.s, this.sample);
    const { v, a } = this.point;
    const { q, q1, q2 } = this.sample;
    return {
      position: Float64Array.from(q),
      velocity: q1.map((rate) => rate * v),
      acceleration: q1.map((rate, joint) => rate * a + q2[joint]! * v * v),
    };
  }
}

function copyOf(memory: MoverMemory): MoverMemory {
  const { motion, halted } = memory;
  const moving = motion && { ...motion };
  return {
    ...memory,
    rest: Float64Array.from(memory.rest),
    before: Float64Array.from(memory.before),
    motion: moving,
    following: memory.following && { ...memory.following },
    // A motion that comes to rest on its path is the halted one already.
    halted: halted === motion ? moving : halted && { ...halted },
    emergency: memory.emergency && { ...memory.emergency },
  };
}
