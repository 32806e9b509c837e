/**
 * Emergency stop: from any moment of a motion to rest, on its path wherever the limits of the
 * joints allow that in about the time that the joints need by themselves. Where they do not, the
 * joints that cannot keep the path brake by themselves and the others stay on it. It begins at
 * once: there is no second attempt. Plain data like a segment, so that a snapshot can hold it. D31.
 */
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { brake, phasesOfBrake } from './brake.ts';
import { type PhaseStart, profileOfPhases, restProfile } from './jerk-phases.ts';
import { createPathSample, type JointPath, samplePath } from './joint-path.ts';
import { jointStateAt, jointStops } from './joint-stop.ts';
import type { MotionLimits } from './limits.ts';
import {
  createProfilePoint,
  evaluateInPiece,
  sampleProfile,
  sampleProfileAt,
  type TimeProfile,
} from './time-profile.ts';
import { type MotionInProgress, remainingProfile } from './time-scaled-stop.ts';

export interface EmergencyStop {
  /** Time when the last joint is at rest (s). */
  readonly duration_s: number;
  readonly path: JointPath;
  /** s(t) of the joints that stay on the path. */
  readonly profile: TimeProfile;
  /** Own angles of the joints that leave the path (rad); null for those that stay on it. */
  readonly joints: readonly (TimeProfile | null)[];
}

/** How much longer a stop on the path may take than the joints by themselves. */
const DURATION_SHARE = 1.1;
/** Most rounds of the search, which bounds it to a part of a tick. */
const ROUNDS_MAX = 20;
/** Share of the bounds at which the search starts: the path may curve in the joints' favour. */
const START_SHARE = 1.3;
/** Distance of the checked points (s). */
const STEP_S = 4e-3;
/** Rounding tolerance of a motion planned exactly to its limits. */
const WITHIN = 1 + 1e-9;
/** Least change of a bound in a round, and largest one for jerk that no ramp makes. */
const CHANGE_MIN = 1.002;
const CHANGE_BETWEEN_MAX = 1.05;
/** Change of the bounds where a brake of this form would run backwards. */
const SOFTER_ONSET = 0.9;
const HARDER_RELEASE = 1.3;

const point = createProfilePoint();
const sample = createPathSample();

/**
 * The stop of a motion in progress, within the acceleration and jerk of `limits`; an acceleration
 * beyond them is eased by the jerk limit.
 */
export function planEmergencyStop(
  path: JointPath,
  motion: MotionInProgress,
  limits: MotionLimits,
): EmergencyStop {
  const { position, velocity, acceleration } = jointStateAt(path, motion.profile, motion.elapsed_s);
  const own = jointStops(position, velocity, acceleration, limits);
  const own_s = Math.max(...own.map((joint) => joint.duration_s));
  const within_s = DURATION_SHARE * own_s;
  if (motion.profile.duration_s - motion.elapsed_s <= within_s) {
    return onPath(path, remainingProfile(motion), own);
  }
  sampleProfile(motion.profile, motion.elapsed_s, point);
  const { s, v, a } = point;
  if (own_s === 0) return onPath(path, restProfile(s), own);
  const found = new BrakeSearch(path, limits).from({ s, v, a }, within_s);
  if (!found) return { duration_s: own_s, path, profile: restProfile(s), joints: own };
  return onPath(path, found.profile, own, found.ratios);
}

/** The stop along `profile`; the joints whose ratios exceed 1 brake by themselves. */
function onPath(
  path: JointPath,
  profile: TimeProfile,
  own: readonly TimeProfile[],
  ratios: ArrayLike<number> = NO_RATIOS,
): EmergencyStop {
  const joints = own.map((joint, j) => (ratios[j]! > WITHIN ? joint : null));
  const rests_s = joints.map((joint) => joint?.duration_s ?? profile.duration_s);
  return { duration_s: Math.max(...rests_s), path, profile, joints };
}

const NO_RATIOS = new Float64Array(6);

/** A brake of s, and the largest ratio of each joint to its limits along it. */
interface FoundBrake {
  readonly profile: TimeProfile;
  readonly ratios: Float64Array;
}

/** Largest ratios to the limits in the phases of a brake. */
interface PhaseRatios {
  onset: number;
  a: number;
  release: number;
}

/**
 * Looks for the shortest brake of s that keeps the limits: starts with one that is too hard, and
 * softens each of its phases by as much as it exceeds them.
 */
class BrakeSearch {
  private readonly path: JointPath;
  private readonly limits: MotionLimits;
  private readonly ratios = new Float64Array(6);

  constructor(path: JointPath, limits: MotionLimits) {
    this.path = path;
    this.limits = limits;
  }

  /**
   * The shortest brake found that keeps the limits within the time, else the softest of those that
   * took no longer; null where there is none.
   */
  from(start: PhaseStart, within_s: number): FoundBrake | null {
    const shape = this.boundsAt(start.s);
    let found: FoundBrake | null = null;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const candidate = brake(start, shape);
      if (!candidate) {
        shape.onset *= SOFTER_ONSET;
        shape.release *= HARDER_RELEASE;
        continue;
      }
      if (candidate.duration_s > within_s || start.s + candidate.distance > 1) break;
      const { durations_s, jerks } = phasesOfBrake(candidate);
      const profile = profileOfPhases(start, durations_s, jerks);
      const worst = this.check(profile, durations_s);
      found = { profile, ratios: Float64Array.from(this.ratios) };
      if (Math.max(worst.onset, worst.a, worst.release) <= WITHIN) break;
      const peak = candidate.release_s * candidate.release_jerk;
      shape.onset /= softer(worst.onset);
      shape.release /= softer(worst.release);
      if (worst.a > WITHIN) shape.a = Math.min(shape.a, peak) / softer(worst.a);
    }
    return found;
  }

  /** Limits of s at its start, a little too large. */
  private boundsAt(s: number) {
    samplePath(this.path, s, sample);
    const bounds = { onset: Number.POSITIVE_INFINITY, release: 0, a: Number.POSITIVE_INFINITY };
    for (let j = 0; j < 6; j++) {
      const rate = Math.abs(sample.q1[j]!) / START_SHARE;
      bounds.onset = Math.min(bounds.onset, this.limits.jerk_rad_s3[j]! / rate);
      bounds.a = Math.min(bounds.a, this.limits.acceleration_rad_s2[j]! / rate);
    }
    bounds.release = bounds.onset;
    return bounds;
  }

  /** The ratios of the phases of a brake; those of the joints are in `ratios`. */
  private check(profile: TimeProfile, durations_s: readonly number[]): PhaseRatios {
    const worst: PhaseRatios = { onset: 0, a: 0, release: 0 };
    this.ratios.fill(0);
    let piece = 0;
    durations_s.forEach((duration_s, phase) => {
      if (!(duration_s > 0)) return;
      const steps = Math.max(2, Math.ceil(duration_s / STEP_S));
      for (let k = 0; k <= steps; k++) {
        evaluateInPiece(profile, piece, (duration_s * k) / steps, point);
        // What the motion has at the moment of the stop is no matter of the brake.
        this.checkPoint(phase, phase === 0 && k === 0, worst);
      }
      piece += 1;
    });
    return worst;
  }

  private checkPoint(phase: number, isStart: boolean, worst: PhaseRatios): void {
    const { v, a, j: jerk } = point;
    samplePath(this.path, point.s, sample);
    for (let j = 0; j < 6; j++) {
      const [q1, q2, q3] = [sample.q1[j]!, sample.q2[j]!, sample.q3[j]!];
      const speeding = Math.abs(q1 * a + q2 * v * v) / this.limits.acceleration_rad_s2[j]!;
      const jerking =
        Math.abs(q1 * jerk + 3 * q2 * v * a + q3 * v * v * v) / this.limits.jerk_rad_s3[j]!;
      this.ratios[j] = Math.max(this.ratios[j]!, isStart ? 0 : speeding, jerking);
      if (!isStart) worst.a = Math.max(worst.a, speeding);
      if (phase === 0) worst.onset = Math.max(worst.onset, jerking);
      else if (phase === 2) worst.release = Math.max(worst.release, jerking);
      else worst.a = Math.max(worst.a, Math.min(jerking, CHANGE_BETWEEN_MAX));
    }
  }
}

function softer(ratio: number): number {
  return ratio > WITHIN ? Math.max(ratio, CHANGE_MIN) : 1;
}

/** Writes the joint positions `at[0]` s after the start of the stop to `out` (rad). No allocation. */
export function sampleEmergencyStop(
  stop: EmergencyStop,
  at: Float64Array,
  out: Float64Array,
): void {
  sampleProfileAt(stop.profile, at, point);
  samplePath(stop.path, point.s, sample);
  for (let j = 0; j < 6; j++) {
    const own = stop.joints[j]!;
    if (own) sampleProfileAt(own, at, point);
    out[j] = own ? point.s : sample.q[j]!;
  }
}

/** Points of the path to which a stop is compared. */
const PATH_POINTS = 64;

/** Poses of a stop, from its start to rest (rad), 4 ms apart at most. */
export function posesOfStop(stop: EmergencyStop): Float64Array[] {
  const steps = Math.max(1, Math.ceil(stop.duration_s / STEP_S));
  const at = new Float64Array(1);
  return Array.from({ length: steps + 1 }, (_, k) => {
    const pose = new Float64Array(6);
    at[0] = (stop.duration_s * k) / steps;
    sampleEmergencyStop(stop, at, pose);
    return pose;
  });
}

/** Largest distance of the flange from the path during a stop (m); 0 where all joints stay on it. */
export function stopDeviation_m(stop: EmergencyStop): number {
  if (stop.joints.every((own) => own === null)) return 0;
  const poses = posesOfStop(stop);
  const places = placesOnPath(stop, poses);
  return Math.max(...poses.map((pose) => distanceFrom(places, flangeAt(pose))));
}

/** Places of the flange on the path, over twice the way of the joint that goes farthest. */
function placesOnPath({ path, profile }: EmergencyStop, poses: readonly Float64Array[]) {
  sampleProfile(profile, 0, point);
  const from = point.s;
  samplePath(path, from, sample);
  let way = 0;
  for (let j = 0; j < 6; j++) {
    const travel = Math.abs(poses.at(-1)![j]! - poses[0]![j]!);
    if (travel > 0) way = Math.max(way, Math.min(1, travel / Math.abs(sample.q1[j]!)));
  }
  const to = Math.min(1, from + 2 * way);
  return Array.from({ length: PATH_POINTS + 1 }, (_, k) => {
    samplePath(path, from + ((to - from) * k) / PATH_POINTS, sample);
    return flangeAt(sample.q);
  });
}

const frames = createFrames();

function flangeAt(q: Float64Array): Float64Array {
  forward(q, frames);
  const at = FLANGE_FRAME * FRAME_SIZE + 9;
  return Float64Array.from(frames.subarray(at, at + 3));
}

/** Distance of a place from a line of places. */
function distanceFrom(line: readonly Float64Array[], place: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 1; k < line.length; k++) {
    const [from, to] = [line[k - 1]!, line[k]!];
    let [along, length] = [0, 0];
    for (let i = 0; i < 3; i++) {
      const step = to[i]! - from[i]!;
      along += step * (place[i]! - from[i]!);
      length += step * step;
    }
    const share = length > 0 ? Math.min(Math.max(along / length, 0), 1) : 0;
    let square = 0;
    for (let i = 0; i < 3; i++) {
      const apart = place[i]! - from[i]! - share * (to[i]! - from[i]!);
      square += apart * apart;
    }
    least = Math.min(least, square);
  }
  return Math.sqrt(least);
}
