/**
 * Stops on the path: from any moment of a motion to rest without leaving it, jerk-limited: the
 * shortest brake of s that fits, else the motion slowed down (slowed-stop.ts), else its own end if
 * that is near. Where none keeps the limits the motion goes on as planned for one more tick, which
 * is always safe and always ends, because the plan itself ends at rest. Spec §3: pause, protective
 * stop.
 */
import { createFrames, forward } from '../kinematics/forward.ts';
import { length3 } from '../math/vector.ts';
import { type Brake, brake, phasesOfBrake } from './brake.ts';
import { type PhaseStart, profileOfPhases } from './jerk-phases.ts';
import { type MotionLimits, PAUSE_LIMITS, PROTECTIVE_LIMITS } from './limits.ts';
import { createPathSample, type JointPath, samplePath } from './path.ts';
import {
  checkJointRates,
  createJointCheck,
  evaluateInPiece,
  type JointCheck,
} from './rate-check.ts';
import { restOf, slowToRest, type UnderWay } from './slowed-stop.ts';
import type { TimeProfile } from './time-profile.ts';
import { createToolMotion, toolMotion } from './tool-motion.ts';

/** The tool point (m, flange frame) and the speed that it must not pass on the way to rest. */
export interface StopTool {
  readonly offset_m: readonly number[];
  readonly speed_m_s: number;
}

export interface StopRequest {
  readonly path: JointPath;
  /** Where the motion is: s and its first two derivatives with respect to time. */
  readonly point: PhaseStart;
  readonly kind: 'pause' | 'protective';
  /** How many ticks the stop has been wanted; each may look at other candidates. 0 unless given. */
  readonly attempt?: number;
  /** Without a tool its speed is not looked at. */
  readonly tool?: StopTool;
  /** The motion itself: with it there is a stop where no brake fits. */
  readonly motion?: UnderWay;
}

/** Candidates of one set looked at all along the path in one call: a call fits into a tick. */
const CANDIDATES_MAX = 20;
const SHARES = [1, 0.75, 0.5, 0.3, 0.15, 0.06];
/** Shares tried where none of those fits: a motion that brakes already leaves a narrow choice. */
const FINER_SHARES = [0.95, 0.88, 0.8, 0.7, 0.6];
const STEP_S = 2e-3;
/** The tool is looked at every so many steps. */
const TOOL_STEPS = 4;
/** Rounding that a motion planned exactly to its limits may show. */
const WITHIN = 1 + 1e-9;

/** A pause lets a motion end that has no more than this left and that nothing stops sooner (s). */
const ENDS_SOON_S = 0.4;

/**
 * The shortest stop found among the candidates, as a profile that starts at the given s and ends
 * at rest with s <= 1, or null when none of those looked at keeps the limits of its kind. Close to
 * the end of a motion a pause may be its end.
 */
export function planStop(request: StopRequest): TimeProfile | null {
  const { motion } = request;
  const limits = request.kind === 'pause' ? PAUSE_LIMITS : PROTECTIVE_LIMITS;
  const check = createJointCheck(request.path, limits);
  const found = brakeToRest(request, check, SHARES) ?? brakeToRest(request, check, FINER_SHARES);
  if (found || !motion) return found;
  const left_s = motion.profile.duration_s - motion.elapsed_s;
  const endsSoon = request.kind === 'pause' && left_s <= ENDS_SOON_S;
  return slowToRest(check, motion) ?? (endsSoon ? restOf(motion) : null);
}

function brakeToRest(
  request: StopRequest,
  check: JointCheck,
  shares: readonly number[],
): TimeProfile | null {
  let looked = 0;
  let skipped = CANDIDATES_MAX * ((request.attempt ?? 0) % ATTEMPTS);
  for (const candidate of candidatesFrom(request, check.limits, shares)) {
    const { durations_s, jerks } = phasesOfBrake(candidate);
    const profile = profileOfPhases(request.point, durations_s, jerks);
    if (!keepsLimits(check, profile, Number.POSITIVE_INFINITY)) continue;
    if (skipped-- > 0) continue;
    if (keepsLimits(check, profile, STEP_S, request.tool)) return profile;
    if (++looked === CANDIDATES_MAX) return null;
  }
  return null;
}

/** So many attempts go on where the one before left off; then they begin anew. */
const ATTEMPTS = 3;

/** Most onset jerk, deceleration and release jerk of s. */
interface StopBounds {
  onset: number;
  release: number;
  a: number;
}

/**
 * The limits as limits of s at the place of the stop. What the onset may add depends on the jerk
 * that the bend of the path already takes at the speed of the motion.
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

/** All stops that end in time, the shortest first. */
function candidatesFrom(
  request: StopRequest,
  limits: MotionLimits,
  shares: readonly number[],
): Brake[] {
  const found: Brake[] = [];
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
  check: JointCheck,
  profile: TimeProfile,
  step_s: number,
  tool?: StopTool,
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

/** Speed of the tool point at the point just checked (m/s). */
function toolSpeed({ path, point }: JointCheck, tool: StopTool): number {
  samplePath(path, point.s, sample);
  forward(sample.q, frames);
  toolMotion(frames, sample.q1, sample.q2, tool.offset_m, motion);
  return Math.abs(point.v) * length3(motion[0]!, motion[1]!, motion[2]!);
}
