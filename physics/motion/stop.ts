/**
 * Stops on the path: from any moment of a motion to rest without leaving it, jerk-limited. Where
 * no candidate keeps the limits the motion goes on as planned for one more tick, which is always
 * safe and always ends, because the plan itself ends at rest. Spec §3: pause, protective stop.
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
  /** How many ticks the stop has been wanted: each tries other candidates. 0 unless given. */
  readonly attempt?: number;
  /** Without a tool its speed is not looked at. */
  readonly tool?: StopTool;
}

/** Candidates looked at along the path in one call: a call fits into a tick. */
export const CANDIDATES_MAX = 20;
const JERK_SHARES = [1, 0.6, 0.35, 0.2, 0.1, 0.04];
const ACCELERATION_SHARES = [1, 0.75, 0.5, 0.3, 0.15, 0.06];
const STEP_S = 2e-3;
/** The tool is looked at every so many steps. */
const TOOL_STEPS = 4;
/** Rounding that a motion planned exactly to its limits may show. */
const WITHIN = 1 + 1e-9;

/**
 * The shortest stop found among the candidates, as a profile that starts at the given s and ends
 * at rest with s <= 1, or null when none of those looked at keeps the limits of its kind.
 */
export function planStop(request: StopRequest): TimeProfile | null {
  const limits = request.kind === 'pause' ? PAUSE_LIMITS : PROTECTIVE_LIMITS;
  const check = createJointCheck(request.path, limits);
  const candidates = candidatesFrom(request.point, localLimits(request, limits));
  let passed: TimeProfile | null = null;
  let low = -1;
  let high = candidates.length;
  let looked = 0;
  for (let i = 0; i < high && looked < CANDIDATES_MAX; i = nextIndex(i, request.attempt ?? 0)) {
    looked++;
    passed = profileWithin(check, request, candidates[i]!);
    if (passed) high = i;
    else low = i;
  }
  while (passed && high - low > 1 && looked < CANDIDATES_MAX) {
    looked++;
    const middle = (low + high) >> 1;
    const shorter = profileWithin(check, request, candidates[middle]!);
    if (shorter) high = middle;
    else low = middle;
    passed = shorter ?? passed;
  }
  return passed;
}

/** From the shortest stop on in doubling strides, which differ from attempt to attempt. */
function nextIndex(i: number, attempt: number): number {
  return 2 * i + 1 + (attempt % 3);
}

/** The limits as limits of s, by the joint rates at the place of the stop. */
function localLimits({ path, point }: StopRequest, limits: MotionLimits): { a: number; j: number } {
  const sample = createPathSample();
  samplePath(path, point.s, sample);
  let a = Number.POSITIVE_INFINITY;
  let j = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 6; k++) {
    const rate = Math.abs(sample.q1[k]!);
    a = Math.min(a, limits.acceleration_rad_s2[k]! / rate);
    j = Math.min(j, limits.jerk_rad_s3[k]! / rate);
  }
  return { a, j };
}

/** All stops that end in time, the shortest first. */
function candidatesFrom(point: PhaseStart, most: { a: number; j: number }): Brake[] {
  const found: Brake[] = [];
  if (!(most.a < Number.POSITIVE_INFINITY)) return found;
  for (const onset of JERK_SHARES) {
    for (const release of JERK_SHARES) {
      for (const share of ACCELERATION_SHARES) {
        const shape = { onset: onset * most.j, release: release * most.j, a: share * most.a };
        const candidate = brake(point, shape);
        if (candidate && point.s + candidate.distance <= 1) found.push(candidate);
      }
    }
  }
  return found.sort((one, other) => one.duration_s - other.duration_s);
}

function profileWithin(check: JointCheck, request: StopRequest, candidate: Brake) {
  const phases = phasesOfBrake(candidate);
  const profile = profileOfPhases(request.point, phases.durations_s, phases.jerks);
  return keepsLimits(check, profile, request.tool) ? profile : null;
}

function keepsLimits(check: JointCheck, profile: TimeProfile, tool?: StopTool): boolean {
  const { point, ratios } = check;
  for (let i = 0; i < profile.knots_s.length - 1; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    const steps = width > 0 ? Math.max(1, Math.ceil(width / STEP_S)) : 0;
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
