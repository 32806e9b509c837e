/**
 * Stops on the path: from any moment of a motion to rest without leaving the path, jerk-limited.
 * Tries the shortest brake of s that fits, then a time-scaled stop (time-scaled-stop.ts), then the
 * motion's own end if that is near. Where none keeps the limits, the motion continues as planned
 * for one tick, which is always safe and always ends, because the plan ends at rest. §3: pause,
 * protective stop. Also the emergency stop, which brakes each joint by itself, and the motion after
 * a pause.
 */
import { createFrames, createToolMotion, forward, toolMotion } from '../kinematics/forward.ts';
import { length3, type Numbers } from '../math/rotation.ts';
import {
  type BrakePhases,
  brake,
  createProfilePoint,
  type PhaseStart,
  phasesOfBrake,
  profileOfPhases,
  restProfile,
  sampleProfile,
  type TimeProfile,
} from './jerk-phases.ts';
import {
  checkJointRates,
  createJointRateCheck,
  evaluateInPiece,
  type JointRateCheck,
  type MotionLimits,
  type MotionTiming,
  PROTECTIVE_LIMITS,
  stopLimitsOf,
} from './limits.ts';
import {
  createPathSample,
  type JointPath,
  type MotionCaps,
  NO_TRAVEL_RAD,
  restSegment,
  type Segment,
  samplePath,
} from './segment.ts';
import { timePath } from './time-path.ts';
import { type MotionInProgress, planTimeScaledStop, remainingProfile } from './time-scaled-stop.ts';

/** Tool point (m, flange frame) and its speed limit during the stop. */
export interface ToolSpeedLimit {
  readonly offset_m: readonly number[];
  readonly speed_m_s: number;
}

export interface StopRequest {
  readonly path: JointPath;
  /** State of the motion: s and its first two derivatives by time. */
  readonly point: PhaseStart;
  readonly kind: 'pause' | 'protective';
  /**
   * Number of ticks since the stop was requested, 0 by default; each attempt may try other
   * candidates.
   */
  readonly attempt?: number;
  /** Without a tool its speed is not checked. */
  readonly tool?: ToolSpeedLimit;
  /** The motion itself; enables stops where no brake fits. */
  readonly motion?: MotionInProgress;
  /** Timing of the arm's planner; that of the model when absent. */
  readonly timing?: MotionTiming | null | undefined;
}

/** Candidates checked along the whole path in one call; bounds the call to a tick. */
const CANDIDATES_MAX = 20;
const SHARES = [1, 0.75, 0.5, 0.3, 0.15, 0.06];
/** Shares tried when none of those fits: a motion that already brakes leaves few choices. */
const FINER_SHARES = [0.95, 0.88, 0.8, 0.7, 0.6];
const STEP_S = 2e-3;
/** Steps between checks of the tool speed. */
const TOOL_STEPS = 4;
/** Rounding tolerance of a motion planned exactly to its limits. */
const WITHIN = 1 + 1e-9;

/** Remaining time up to which a pause lets a motion end that nothing stops sooner (s). */
const ENDS_SOON_S = 0.4;

/**
 * The shortest stop among the candidates, as a profile that starts at the given s and ends at rest
 * with s <= 1, or null when none keeps the limits of its kind. Close to the end of a motion a pause
 * may be its end.
 */
export function planStop(request: StopRequest): TimeProfile | null {
  const { motion } = request;
  const limits = stopLimitsOf(request.timing, request.kind);
  const check = createJointRateCheck(request.path, limits);
  const found = brakeToRest(request, check, SHARES) ?? brakeToRest(request, check, FINER_SHARES);
  if (found || !motion) return found;
  const left_s = motion.profile.duration_s - motion.elapsed_s;
  const endsSoon = request.kind === 'pause' && left_s <= ENDS_SOON_S;
  return planTimeScaledStop(check, motion) ?? (endsSoon ? remainingProfile(motion) : null);
}

function brakeToRest(
  request: StopRequest,
  check: JointRateCheck,
  shares: readonly number[],
): TimeProfile | null {
  let checked = 0;
  let skipped = CANDIDATES_MAX * ((request.attempt ?? 0) % ATTEMPTS);
  for (const candidate of candidatesFrom(request, check.limits, shares)) {
    const { durations_s, jerks } = phasesOfBrake(candidate);
    const profile = profileOfPhases(request.point, durations_s, jerks);
    if (!keepsLimits(check, profile, Number.POSITIVE_INFINITY)) continue;
    if (skipped-- > 0) continue;
    if (keepsLimits(check, profile, STEP_S, request.tool)) return profile;
    if (++checked === CANDIDATES_MAX) return null;
  }
  return null;
}

/** Number of attempts that continue with further candidates; then they start over. */
const ATTEMPTS = 3;

/** Maximum onset jerk, release jerk and deceleration of s. */
interface StopBounds {
  onset: number;
  release: number;
  a: number;
}

/**
 * Converts the joint limits to limits of s at the position of the stop. The onset jerk depends on
 * the jerk that the path's curvature already uses at the current speed.
 */
function boundsAt({ path, point }: StopRequest, limits: MotionLimits): StopBounds {
  samplePath(path, point.s, sample);
  const { v, a } = point;
  const infinity = Number.POSITIVE_INFINITY;
  const bounds: StopBounds = { onset: infinity, release: infinity, a: infinity };
  for (let k = 0; k < 6; k++) {
    const q1 = sample.q1[k]!;
    const rate = Math.abs(q1);
    const jerk = limits.jerk_rad_s3[k]!;
    const bend = Math.sign(q1) * (3 * sample.q2[k]! * v * a + sample.q3[k]! * v * v * v);
    bounds.onset = Math.min(bounds.onset, (jerk + bend) / rate);
    bounds.release = Math.min(bounds.release, jerk / rate);
    bounds.a = Math.min(bounds.a, limits.acceleration_rad_s2[k]! / rate);
  }
  return bounds;
}

/** All brakes that end on the path, the shortest first. */
function candidatesFrom(
  request: StopRequest,
  limits: MotionLimits,
  shares: readonly number[],
): BrakePhases[] {
  const found: BrakePhases[] = [];
  const { point } = request;
  const most = boundsAt(request, limits);
  if (!(most.onset > 0) || !(most.a < Number.POSITIVE_INFINITY)) return found;
  for (const onset of shares) {
    for (const release of shares) {
      for (const share of shares) {
        const shape = {
          onset: onset * most.onset,
          release: release * most.release,
          a: share * most.a,
        };
        const candidate = brake(point, shape);
        if (candidate && point.s + candidate.distance <= 1) found.push(candidate);
      }
    }
  }
  return found.sort((one, other) => one.duration_s - other.duration_s);
}

/**
 * True when the profile keeps the limits at both ends and the middle of each phase, and every
 * `step_s` between.
 */
function keepsLimits(
  check: JointRateCheck,
  profile: TimeProfile,
  step_s: number,
  tool?: ToolSpeedLimit,
): boolean {
  const { point, ratios } = check;
  for (let i = 0; i < profile.knots_s.length - 1; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    const steps = width > 0 ? Math.max(2, Math.ceil(width / step_s)) : 0;
    for (let k = 0; k <= steps && steps > 0; k++) {
      evaluateInPiece(profile, i, (width * k) / steps, point);
      checkJointRates(check, point);
      const worst = Math.max(ratios.velocity, ratios.acceleration, ratios.jerk);
      if (!(worst <= WITHIN)) return false;
      if (tool && k % TOOL_STEPS === 0 && toolSpeed(check, tool) > tool.speed_m_s) return false;
    }
  }
  return true;
}

const frames = createFrames();
const motion = createToolMotion();
const sample = createPathSample();

/** Speed of the tool point at the last checked point (m/s). */
function toolSpeed({ path, point }: JointRateCheck, tool: ToolSpeedLimit): number {
  samplePath(path, point.s, sample);
  forward(sample.q, frames);
  toolMotion(frames, sample.q1, sample.q2, tool.offset_m, motion);
  return Math.abs(point.v) * length3(motion[0]!, motion[1]!, motion[2]!);
}

/**
 * Emergency stop: each joint brakes to rest by itself, as fast as its limits allow, off the path if
 * needed. Plain data like a segment, so that a snapshot can hold it. D31.
 */

/** One profile for each joint (rad); a stopped joint rests at its end. */
export interface JointStop {
  /** Time when the last joint is at rest (s). */
  readonly duration_s: number;
  readonly joints: readonly TimeProfile[];
}

/** The joints of a motion `time_s` after its start (rad, rad/s, rad/s²). */
export function jointStateAt(path: JointPath, profile: TimeProfile, time_s: number) {
  const at = createProfilePoint();
  const sampled = createPathSample();
  sampleProfile(profile, time_s, at);
  samplePath(path, at.s, sampled);
  const { q, q1, q2 } = sampled;
  return {
    position: Float64Array.from(q),
    velocity: q1.map((rate) => rate * at.v),
    acceleration: q1.map((rate, joint) => rate * at.a + q2[joint]! * at.v * at.v),
  };
}

/**
 * The stop from joint positions (rad), velocities (rad/s) and accelerations (rad/s²), within the
 * acceleration and jerk of `limits`; an acceleration beyond them is eased by the jerk limit.
 */
export function emergencyStop(
  position: Numbers,
  velocity: Numbers,
  acceleration: Numbers,
  limits: MotionLimits = PROTECTIVE_LIMITS,
): JointStop {
  const joints = Array.from({ length: 6 }, (_, j) =>
    stopJoint(
      { q: position[j]!, v: velocity[j]!, a: acceleration[j]! },
      limits.acceleration_rad_s2[j]!,
      limits.jerk_rad_s3[j]!,
    ),
  );
  return { duration_s: Math.max(...joints.map((joint) => joint.duration_s)), joints };
}

/** Joint state. */
interface JointState {
  readonly q: number;
  readonly v: number;
  readonly a: number;
}

/**
 * Brakes toward the side to which releasing the acceleration alone would leave the joint moving: a
 * joint that brakes too hard for its speed reverses once, as little as its jerk allows.
 */
function stopJoint({ q, v, a }: JointState, a_most: number, j_most: number): TimeProfile {
  if (v === 0 && a === 0) return restProfile(q);
  const side = v + (a * Math.abs(a)) / (2 * j_most) < 0 ? -1 : 1;
  const shape = { onset: j_most, release: j_most, a: a_most };
  const stop = brake({ v: side * v, a: side * a }, shape);
  const { durations_s, jerks } = stop ? phasesOfBrake(stop) : release(side * a, j_most);
  return profileOfPhases(
    { s: q, v, a },
    durations_s,
    jerks.map((jerk) => side * jerk),
  );
}

/** Releases the remaining acceleration; rounding leaves no margin for the closed form. */
function release(a: number, j_most: number) {
  return { durations_s: [Math.abs(a) / j_most], jerks: [a < 0 ? j_most : -j_most] };
}

const point = createProfilePoint();

/** Writes the joint positions at `t_s` into `out` (rad, six). No allocation. */
export function sampleJointStop(stop: JointStop, t_s: number, out: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    sampleProfile(stop.joints[j]!, t_s, point);
    out[j] = point.s;
  }
}

/**
 * The rest of a path after a pause, from rest at s to rest at the end, on the same path object so
 * that s keeps its meaning (§3: resume).
 */

/** Position of the pause and the caps of the rest. */
export interface ResumeRequest {
  readonly path: JointPath;
  /** Position on the path, at rest. */
  readonly s: number;
  /** Caps; the requested time was for the whole motion and is ignored. */
  readonly caps: MotionCaps;
  readonly waypoints?: readonly number[];
  readonly limits?: MotionLimits;
}

/** The fastest motion from rest at `s` to the end of the path; its profile starts at `s`. */
export function planResume(request: ResumeRequest): Segment {
  const { path, s, caps } = request;
  const waypoints = request.waypoints ?? [];
  if (remainingTravel(path, s) <= NO_TRAVEL_RAD) return restSegment(path, { waypoints }, null);
  const limits = request.limits ? { limits: request.limits } : {};
  const { profile, minimum_time_s } = timePath({ path, caps, from_s: s, ...limits });
  return { path, profile, waypoints, problem: null, warnings: [], minimum_time_s };
}

/**
 * Joint travel of the rest, from joint rates: a path may turn back on itself, so its end pose does
 * not show travel.
 */
function remainingTravel(path: JointPath, s: number): number {
  const sample = createPathSample();
  samplePath(path, s, sample);
  return (1 - s) * sample.q1.reduce((most, rate) => Math.max(most, Math.abs(rate)), 0);
}
