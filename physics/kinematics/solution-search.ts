/**
 * The complete inverse kinematics: every joint vector that brings the tool to a pose, from all
 * zeros of all loops of the closing condition. Joint limits play no part here; inverse.ts chooses
 * and classifies (spec §4.7).
 */
import { cos, sin, TWO_PI } from '../math/portable.ts';
import { axisNodes, findAxisPassages, passage, passageAngles } from './axis-passages.ts';
import {
  addNodes,
  evaluateNodes,
  layFullLoops,
  layWindowLoop,
  loop,
  turnToOtherLoop,
  vanishes,
  window,
} from './condition-loop.ts';
import { createFrames, FLANGE_FRAME, forward } from './forward.ts';
import type { LocalGoal } from './local-solve.ts';
import { solveLocally } from './local-solve.ts';
import { createPoseError, ERROR_SQUARE, poseError } from './pose-error.ts';
import type { Windows } from './reach-windows.ts';
import { backWindows, findWindows, frontWindows, NARROW_RAD } from './reach-windows.ts';
import { isolateRoots, isolation } from './root-isolation.ts';
import type { Tool } from './tool.ts';
import { FLANGE_TOOL, flangePose, POSE_SIZE } from './tool.ts';
import {
  azimuths,
  azimuthsOnAxis,
  condition,
  evaluateCondition,
  evaluateOnAxis,
  jointsOfCondition,
  PHI,
  setTarget,
} from './wrist-condition.ts';

/** Most solutions that are kept; sixteen is the most that exist off the continua. */
export const SOLUTIONS_MAX = 32;

/** What the last search met besides its solutions. */
export const found = {
  count: 0,
  /** Some wrist position is within reach of the elbow. */
  reachable: false,
  /** A loop was zero everywhere or an azimuth free: solutions form a continuum. */
  continuum: false,
  /** Loops whose split budget or the capacity ran out. */
  exhausted: 0,
};

const POLISH: LocalGoal = { target: 1e-24, accepted: 1e-19, iterations: 12 };
const EXACT = 1e-23;
const SAME_RAD = 1e-7;

const flange = new Float64Array(POSE_SIZE);
const frames = createFrames();
const reached = frames.subarray(12 * FLANGE_FRAME, 12 * FLANGE_FRAME + POSE_SIZE);
const error = createPoseError();
const candidate = new Float64Array(6);
const solutions = new Float64Array(6 * SOLUTIONS_MAX);
/** Joints that decide on continua. */
const preferred = new Float64Array(6);

/** True when the candidate is a solution to working precision, perhaps after polishing. */
function isSolution(): boolean {
  forward(candidate, frames);
  poseError(reached, flange, error);
  if (error[ERROR_SQUARE]! < EXACT) return true;
  if (!solveLocally(candidate, flange, FLANGE_TOOL, POLISH)) return false;
  wrapCandidate();
  return true;
}

function wrapCandidate(): void {
  for (let j = 0; j < 6; j++) {
    candidate[j] = candidate[j]! - TWO_PI * Math.round(candidate[j]! / TWO_PI);
  }
}

/** Both angles lie in [-pi, pi], so that they differ by no more than one turn. */
function isSameAngle(at: number, j: number): boolean {
  const apart = Math.abs(solutions[at]! - candidate[j]!);
  return apart < SAME_RAD || TWO_PI - apart < SAME_RAD;
}

function isKnown(): boolean {
  for (let i = 0; i < found.count; i++) {
    let j = 0;
    while (j < 6 && isSameAngle(6 * i + j, j)) j++;
    if (j === 6) return true;
  }
  return false;
}

/** Keeps the joints of the present evaluation, that bend, if they solve the pose and are new. */
function keep(elbow: number): void {
  jointsOfCondition(elbow, candidate);
  if (!isSolution() || isKnown()) return;
  if (found.count === SOLUTIONS_MAX) {
    found.exhausted++;
    return;
  }
  for (let j = 0; j < 6; j++) solutions[6 * found.count + j] = candidate[j]!;
  found.count++;
}

/** Keeps the joints of the zero that the loop stands on. */
function keepZero(): void {
  keep(loop.elbow);
}

/** A loop on which the condition vanishes: axis 6 lies on axis 1, and q6 is free. */
function keepPreferredPhi(): void {
  found.continuum = true;
  condition[PHI] = preferred[5]!;
  evaluateCondition(loop.side);
  keep(loop.elbow);
  if (loop.windowed) keep(0 - loop.elbow);
}

function searchLoop(): void {
  if (vanishes()) keepPreferredPhi();
  else isolateRoots(keepZero);
}

/** Evaluates what was laid, with nodes where the wrist centre passes axis 1, and searches it. */
function searchLaid(): void {
  if (passage.nodes > 0) addNodes(axisNodes, passage.nodes);
  evaluateNodes();
  searchLoop();
}

function keepStretched(side: number): void {
  condition[PHI] = window[0]!;
  evaluateCondition(side);
  keep(-1);
  keep(1);
}

function searchSide(windows: Windows, side: number): void {
  if (windows.full) {
    layFullLoops(side);
    searchLaid();
    turnToOtherLoop();
    searchLoop();
  }
  for (let i = 0; i < windows.count; i++) {
    const start = windows.start[i]!;
    const end = windows.end[i]!;
    window[0] = 0.5 * (start + end);
    window[1] = 0.5 * (end - start);
    if (end - start < NARROW_RAD) {
      keepStretched(side);
      continue;
    }
    layWindowLoop(side);
    searchLaid();
  }
}

/** Solutions with the wrist centre on axis 1, where the arm's azimuth is not given by it. */
function searchOnAxis(): void {
  for (let i = 0; i < passage.onAxis; i++) {
    for (let elbow = -1; elbow <= 1; elbow += 2) {
      condition[PHI] = passageAngles[i]!;
      const kind = azimuthsOnAxis(elbow);
      if (kind === 'none') continue;
      if (kind === 'free') {
        found.continuum = true;
        azimuths[0] = cos(preferred[0]!);
        azimuths[1] = sin(preferred[0]!);
      }
      for (let which = 0; which < (kind === 'pair' ? 2 : 1); which++) {
        condition[PHI] = passageAngles[i]!;
        evaluateOnAxis(which);
        keep(elbow);
      }
    }
  }
}

/**
 * Writes every solution of tool pose `pose` into `out` (six numbers each, rad in [-pi, pi], room
 * for SOLUTIONS_MAX) and answers how many; joint limits are not asked. On a continuum of solutions
 * the one with q1 or q6 of `near` stands for it. `found` tells what else was met.
 */
export function allSolutions(
  pose: Float64Array,
  tool: Tool,
  near: ArrayLike<number>,
  out: Float64Array,
): number {
  flangePose(pose, tool, flange);
  setTarget(flange);
  for (let j = 0; j < 6; j++) preferred[j] = near[j]!;
  found.count = 0;
  found.continuum = false;
  found.exhausted = 0;
  isolation.exhausted = 0;
  found.reachable = findWindows();
  if (!found.reachable) return 0;
  findAxisPassages();
  searchSide(frontWindows, 1);
  searchSide(backWindows, -1);
  searchOnAxis();
  found.exhausted += isolation.exhausted;
  for (let i = 0; i < 6 * found.count; i++) out[i] = solutions[i]!;
  return found.count;
}

/** True when shoulder and elbow can bring the wrist to where the tool pose needs it. */
export function isWithinReach(pose: Float64Array, tool: Tool): boolean {
  flangePose(pose, tool, flange);
  setTarget(flange);
  return findWindows();
}
