/**
 * Follows a curve of tool poses on one branch of the inverse kinematics: predictor along the
 * tangent, Newton corrector, and guards that reject a step instead of switching to another branch.
 * A sign change of the determinant is a crossing that no rest-to-rest timing can pass, so it ends
 * the branch. Used by linear and spline moves, nudge and rotate (§2.2, §4.7). Usage:
 * `createTracker`, `startTracking`, then `trackTo` repeatedly with increasing s; each arrival
 * leaves q and dq/ds at that s in the tracker. No allocation after `createTracker`.
 */

import type { ArmRange } from '../arm/arm-range.ts';
import type { Numbers } from '../math/vector.ts';
import { createFrames, forward } from './forward.ts';
import { jacobian } from './jacobian.ts';
import { LIMIT_TOLERANCE_RAD } from './joint-limits.ts';
import { type JointStep, overshootingJoint } from './joint-overshoot.ts';
import { createFactors, type Factors, factorise, solveFactored } from './linear-solve.ts';
import {
  createPoseError,
  ERROR_SQUARE,
  POSE_LENGTH_M,
  poseError,
  scaleJacobian,
} from './pose-error.ts';
import { SINGULAR_DETERMINANT, solveNearSingularity } from './singular-start.ts';
import { POSE_SIZE, type Tool, toolPose } from './tool.ts';

/** A curve of tool poses over s. */
export interface PoseCurve {
  /**
   * Writes the pose at s = `at[0]` (POSE_SIZE numbers) and its derivative by s: velocity of the
   * tool point (m), then angular velocity (rad), world axes. Does not allocate; s is in an array
   * because V8 boxes a number passed to a call that is not inlined.
   */
  evaluate(at: Float64Array, pose: Float64Array, twist: Float64Array): void;
}

/**
 * arrived: q is the solution at the requested s. limit: `joint` would leave its range. branch_end:
 * the branch ends or becomes singular. not_on_curve: the start joints do not give the curve's pose.
 */
export type TrackOutcome = 'arrived' | 'limit' | 'branch_end' | 'not_on_curve';

/** State of a tracker. */
export interface Tracker {
  readonly curve: PoseCurve;
  readonly tool: Tool;
  /** Range that the joints keep to. */
  readonly range: ArmRange;
  /** Joints at `s` (rad): the last good point whatever the outcome. */
  readonly q: Float64Array;
  /** dq/ds at `s`, exact; not defined after a singular start until the first arrival. */
  readonly tangent: Float64Array;
  s: number;
  /** Size of the next step. */
  step: number;
  /** Determinant of the Jacobian at `s`, position rows over 0.3 m; 0 at a singular start. */
  determinant: number;
  /** Joint of the outcome `limit`, 0-based; -1 otherwise. */
  joint: number;
}

const STEP_START = 1 / 32;
const STEP_MIN = 1e-7;
/** Precision of a joint limit's position on the curve. */
const LIMIT_STEP_MIN = 1e-6;
/** Longest joint move of one step (rad). */
const MOVE_MAX_RAD = 0.15;
/** Squared pose error of an accepted point. */
const ACCEPTED = 1e-22;
const CORRECTIONS_MAX = 6;
/** Corrections below this are rounding, not a sign of a wrong branch (rad). */
const ROUNDING_RAD = 1e-9;
const DETERMINANT_MIN = 1e-12;
/** First steps tried from a singular start, and the longest singular stretch of a curve. */
const LEAVE_STEPS: readonly number[] = [1 / 1024, 1 / 256, 1 / 64, 1 / 16, 1 / 4, 1];
const STAY_MAX = 1 / 64;

const frames = createFrames();
const pose = new Float64Array(POSE_SIZE);
const goal = new Float64Array(POSE_SIZE);
const twist = new Float64Array(6);
const error = createPoseError();
const factors: Factors = createFactors();
/** Target s, one number; arrays keep numbers out of calls, also for the next three. */
const target = new Float64Array(1);
/** Trial s. */
const next = new Float64Array(1);
/** Step to the trial s. */
const stride = new Float64Array(1);
/** Largest joint change that the tangent predicts (rad). */
const predicted = new Float64Array(1);
const tried = new Float64Array(6);
const move = new Float64Array(6);
/** dq/ds at `tried`. */
const arrivalTangent = new Float64Array(6);
const swing: JointStep = {
  from: new Float64Array(6),
  to: new Float64Array(6),
  fromRate: new Float64Array(6),
  toRate: new Float64Array(6),
};

export function createTracker(curve: PoseCurve, tool: Tool, range: ArmRange): Tracker {
  return {
    curve,
    tool,
    range,
    q: new Float64Array(6),
    tangent: new Float64Array(6),
    s: 0.5,
    step: STEP_START,
    determinant: 0.5,
    joint: -1,
  };
}

function evaluateGoal(tracker: Tracker): void {
  tracker.curve.evaluate(next, goal, twist);
  for (let i = 0; i < 3; i++) twist[i] = twist[i]! / POSE_LENGTH_M;
}

function measure(q: Numbers, tool: Tool): void {
  forward(q, frames);
  toolPose(frames, tool, pose);
  poseError(pose, goal, error);
}

function factoriseHere(): boolean {
  jacobian(frames, pose, 9, factors.a);
  scaleJacobian(factors.a);
  return factorise(factors);
}

/**
 * Places the tracker on the curve at `s` with joints `q`. A singular start is allowed: the first
 * `trackTo` then finds the branch that leaves it. `not_on_curve` when the joints miss the curve's
 * pose by more than 3e-7 (rad, or 0.3 m).
 */
export function startTracking(tracker: Tracker, q: Numbers, s: number): TrackOutcome {
  for (let j = 0; j < 6; j++) tracker.q[j] = q[j]!;
  tracker.s = s;
  tracker.step = STEP_START;
  tracker.joint = -1;
  tracker.determinant = 0;
  next[0] = s;
  evaluateGoal(tracker);
  measure(tracker.q, tracker.tool);
  if (!(error[ERROR_SQUARE]! < 1e-13)) return 'not_on_curve';
  if (factoriseHere() && Math.abs(factors.determinant[0]!) >= SINGULAR_DETERMINANT) {
    tracker.determinant = factors.determinant[0]!;
    solveFactored(factors, twist, tracker.tangent);
  }
  return 'arrived';
}

/**
 * Newton correction from `tried` onto the goal; true when it converges within the neighbourhood.
 */
function correct(tool: Tool): boolean {
  let allowed = 0.25 * predicted[0]! + ROUNDING_RAD;
  for (let i = 0; i <= CORRECTIONS_MAX; i++) {
    measure(tried, tool);
    if (!factoriseHere()) return false;
    if (error[ERROR_SQUARE]! < ACCEPTED) return true;
    solveFactored(factors, error, move);
    let size = 0;
    for (let j = 0; j < 6; j++) {
      size = Math.max(size, Math.abs(move[j]!));
      tried[j] = tried[j]! + move[j]!;
    }
    if (!(size <= allowed)) return false;
    allowed = 0.5 * size + ROUNDING_RAD;
  }
  return false;
}

/** First joint of `tried` outside the range, or -1. */
function jointOutside({ min_rad, max_rad }: ArmRange): number {
  for (let j = 0; j < 6; j++) {
    if (tried[j]! < min_rad[j]! - LIMIT_TOLERANCE_RAD) return j;
    if (tried[j]! > max_rad[j]! + LIMIT_TOLERANCE_RAD) return j;
  }
  return -1;
}

/** Accepts `tried` as the tracker's point at `next`; `goal` and `factors` belong to it. */
function acceptPoint(tracker: Tracker): void {
  for (let j = 0; j < 6; j++) {
    tracker.q[j] = tried[j]!;
    tracker.tangent[j] = arrivalTangent[j]!;
  }
  tracker.determinant = factors.determinant[0]!;
  tracker.s = next[0]!;
}

/**
 * Tries one step to `next`: arrived, limit (joint set) or branch_end when the step must be smaller.
 */
function attempt(tracker: Tracker): TrackOutcome {
  const step = next[0]! - tracker.s;
  let largest = 0;
  for (let j = 0; j < 6; j++) {
    const change = tracker.tangent[j]! * step;
    largest = Math.max(largest, Math.abs(change));
    tried[j] = tracker.q[j]! + change;
  }
  predicted[0] = largest;
  evaluateGoal(tracker);
  if (!correct(tracker.tool)) return 'branch_end';
  const now = factors.determinant[0]!;
  if (Math.abs(now) < DETERMINANT_MIN || now * tracker.determinant < 0) return 'branch_end';
  solveFactored(factors, twist, arrivalTangent);
  tracker.joint = jointOutside(tracker.range);
  if (tracker.joint < 0) tracker.joint = jointSwinging(tracker);
  if (tracker.joint >= 0) return 'limit';
  acceptPoint(tracker);
  return 'arrived';
}

/**
 * The first joint that leaves its range inside the step to `next` and is back at its end, or -1.
 */
function jointSwinging(tracker: Tracker): number {
  const size = next[0]! - tracker.s;
  for (let j = 0; j < 6; j++) {
    swing.from[j] = tracker.q[j]!;
    swing.to[j] = tried[j]!;
    swing.fromRate[j] = tracker.tangent[j]! * size;
    swing.toRate[j] = arrivalTangent[j]! * size;
  }
  return overshootingJoint(tracker.range, swing);
}

/** Leaves a singular start: moves to the nearest regular point of the curve toward the target. */
function leaveSingularity(tracker: Tracker): TrackOutcome {
  const s = target[0]!;
  for (const step of LEAVE_STEPS) {
    next[0] = Math.min(s, tracker.s + step);
    evaluateGoal(tracker);
    const found = solveNearSingularity(tracker.q, goal, tracker.tool, tried);
    if (found === 'none' || jointOutside(tracker.range) >= 0) continue;
    if (found === 'regular') {
      measure(tried, tracker.tool);
      if (!factoriseHere()) continue;
      solveFactored(factors, twist, arrivalTangent);
      acceptPoint(tracker);
      return 'arrived';
    }
    if (next[0] === s && s <= STAY_MAX) {
      for (let j = 0; j < 6; j++) tracker.q[j] = tried[j]!;
      tracker.s = s;
      return 'arrived';
    }
  }
  return 'branch_end';
}

/**
 * Sets the next step: as the last ones, limited by the joint change and by the remaining distance.
 */
function chooseStep(tracker: Tracker): void {
  let rate = 0;
  for (let j = 0; j < 6; j++) rate = Math.max(rate, Math.abs(tracker.tangent[j]!));
  const remaining = target[0]! - tracker.s;
  const wanted = Math.min(tracker.step, remaining);
  const step = rate * wanted > MOVE_MAX_RAD ? MOVE_MAX_RAD / rate : wanted;
  stride[0] = step;
  next[0] = step === remaining ? target[0]! : tracker.s + step;
}

/**
 * Advances to `s` (not below the tracker's). After any outcome but `arrived` the tracker is at the
 * last good point: within 1e-6 of a limit, 1e-7 of a branch end. After `arrived` the tracker can
 * continue to a larger s. No allocation.
 */
export function trackTo(tracker: Tracker, s: number): TrackOutcome {
  target[0] = s;
  return advance(tracker);
}

function advance(tracker: Tracker): TrackOutcome {
  while (tracker.s < target[0]!) {
    if (tracker.determinant === 0) {
      if (leaveSingularity(tracker) === 'arrived') continue;
      return 'branch_end';
    }
    chooseStep(tracker);
    const outcome = attempt(tracker);
    const step = stride[0]!;
    if (outcome === 'arrived') {
      if (step === tracker.step) tracker.step = 2 * step;
      continue;
    }
    tracker.step = 0.5 * step;
    if (step < (outcome === 'limit' ? LIMIT_STEP_MIN : STEP_MIN)) return outcome;
  }
  return 'arrived';
}
