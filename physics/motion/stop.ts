/**
 * Stops on the path: from any moment of a motion to rest without leaving the path, jerk-limited.
 * Tries the shortest brake of s that fits, then a time-scaled stop (time-scaled-stop.ts), then the
 * motion's own end if that is near. Where none keeps the limits, the motion continues as planned
 * for one tick, which is always safe and always ends, because the plan ends at rest. §3: pause,
 * protective stop.
 */

import { createFrames, forward } from '../kinematics/forward.ts';
import { createToolMotion, toolMotion } from '../kinematics/tool-motion.ts';
import { length3 } from '../math/vector.ts';
import { type BrakePhases, brake, phasesOfBrake } from './brake.ts';
import { type PhaseStart, profileOfPhases } from './jerk-phases.ts';
import { createPathSample, type JointPath, samplePath } from './joint-path.ts';
import type { MotionLimits } from './limits.ts';
import { type MotionTiming, stopLimitsOf } from './motion-timing.ts';
import { checkJointRates, createJointRateCheck, type JointRateCheck } from './rate-check.ts';
import { evaluateInPiece, type TimeProfile } from './time-profile.ts';
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
