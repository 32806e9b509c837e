/**
 * Complete inverse kinematics: every joint vector that brings the tool to a pose, from all zeros of
 * all loops of the closing condition. Ignores joint limits; inverse.ts selects and classifies
 * (§4.7).
 */
import { IS_SPHERICAL } from '../arm/arm-model.ts';
import { atan2, cos, HALF_PI, PI, sin, TWO_PI } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { axisNodes, findAxisPassages, passage, passageAngles } from './axis-passages.ts';
import { chainAngle, reduceJoint } from './chain-angles.ts';
import {
  activeLoop,
  addNodes,
  evaluateNodes,
  reachWindow,
  sampleFullLoops,
  sampleWindowLoop,
  selectOtherLoop,
  vanishes,
} from './condition-loop.ts';
import { createFrames, FLANGE_FRAME, forward } from './forward.ts';
import { type SolverGoal, solveLocally } from './local-solve.ts';
import { isSideSought, neighbourhood, seekEverywhere, seekNear } from './neighbourhood.ts';
import { createPoseError, ERROR_SQUARE, poseError } from './pose-error.ts';
import {
  backWindows,
  findWindows,
  frontWindows,
  NARROW_RAD,
  type Windows,
} from './reach-windows.ts';
import { isolateRoots, isolation } from './root-isolation.ts';
import { FLANGE_TOOL, flangePose, POSE_SIZE, type Tool } from './tool.ts';
import {
  azimuths,
  azimuthsOnAxis,
  closingCondition,
  evaluateCondition,
  evaluateOnAxis,
  jointsOfCondition,
  OTHER_BEND,
  PHI,
  RADIUS,
  setTarget,
  VALUE,
} from './wrist-condition.ts';

/** Maximum number of stored solutions; at most sixteen exist off the continua. */
export const SOLUTIONS_MAX = 32;

/** Status of the last search. */
export const searchStatus = {
  count: 0,
  /** True when some wrist position is within reach of the elbow. */
  reachable: false,
  /** True when a loop vanishes or an azimuth is free: solutions form a continuum. */
  continuum: false,
  /** Number of loops that exceeded the split budget or the capacity. */
  exhausted: 0,
};

/** A tool pose, and the joints near which it is sought. */
export interface NearRequest {
  readonly pose: Float64Array;
  readonly tool: Tool;
  readonly guess: Numbers;
}

const POLISH: SolverGoal = { target: 1e-24, accepted: 1e-19, iterations: 12 };
const EXACT = 1e-23;
const SAME_RAD = 1e-7;
/** A condition of a spherical wrist below this is zero at every phi. */
const FREE_ROLL = 1e-9;
/** Distance from axis 1 below which the centre of a spherical wrist gives no azimuth (m). */
const SPHERE_ON_AXIS_M = 1e-9;
/** Azimuths that are tried there; each has up to four solutions. */
const SPHERE_AZIMUTHS = 7;

const flange = new Float64Array(POSE_SIZE);
const frames = createFrames();
const reached = frames.subarray(12 * FLANGE_FRAME, 12 * FLANGE_FRAME + POSE_SIZE);
const error = createPoseError();
const candidate = new Float64Array(6);
const solutions = new Float64Array(6 * SOLUTIONS_MAX);
/** Joints that select a solution on continua. */
const preferred = new Float64Array(6);

/** True when the candidate is a solution to working precision, after polishing if needed. */
function isSolution(): boolean {
  forward(candidate, frames);
  poseError(reached, flange, error);
  if (error[ERROR_SQUARE]! < EXACT) return true;
  if (!solveLocally(candidate, flange, FLANGE_TOOL, POLISH)) return false;
  wrapCandidate();
  return true;
}

function wrapCandidate(): void {
  for (let j = 0; j < 6; j++) candidate[j] = reduceJoint(j, candidate[j]!);
}

/** Compares angles in the turn of joint j, which differ by at most one turn. */
function isSameAngle(at: number, j: number): boolean {
  const apart = Math.abs(solutions[at]! - candidate[j]!);
  return apart < SAME_RAD || TWO_PI - apart < SAME_RAD;
}

function isKnown(): boolean {
  for (let i = 0; i < searchStatus.count; i++) {
    let j = 0;
    while (j < 6 && isSameAngle(6 * i + j, j)) j++;
    if (j === 6) return true;
  }
  return false;
}

/**
 * Stores the joints of the current evaluation with that bend if they solve the pose and are new.
 */
function keep(elbow: number): void {
  jointsOfCondition(elbow, candidate);
  if (!isSolution() || isKnown()) return;
  if (searchStatus.count === SOLUTIONS_MAX) {
    searchStatus.exhausted++;
    return;
  }
  for (let j = 0; j < 6; j++) solutions[6 * searchStatus.count + j] = candidate[j]!;
  searchStatus.count++;
}

/** Stores the joints at the current zero of the loop. */
function keepZero(): void {
  keep(activeLoop.elbow);
}

/** Stores the preferred q6 on a loop where the condition vanishes: axis 6 lies on axis 1. */
function keepPreferredPhi(): void {
  searchStatus.continuum = true;
  closingCondition[PHI] = chainAngle(5, preferred[5]!);
  evaluateCondition(activeLoop.side);
  keep(activeLoop.elbow);
  if (activeLoop.windowed) keep(0 - activeLoop.elbow);
}

function searchLoop(): void {
  if (vanishes()) keepPreferredPhi();
  else isolateRoots(keepZero);
}

/**
 * Evaluates the sampled loop, with extra nodes where the wrist centre passes axis 1; false where
 * nothing is sought on it.
 */
function sampleLoop(): boolean {
  if (passage.nodes > 0) addNodes(axisNodes, passage.nodes);
  return evaluateNodes();
}

/** Searches the full loops of both bends, or of the sought one. */
function searchFullLoops(): void {
  const { isAll, bothBends, elbow } = neighbourhood;
  const both = isAll || bothBends;
  if (both || elbow > 0) searchLoop();
  selectOtherLoop();
  if (both || elbow < 0) searchLoop();
}

function keepStretched(side: number): void {
  closingCondition[PHI] = reachWindow[0]!;
  evaluateCondition(side);
  keep(-1);
  keep(1);
}

/** Makes the azimuth of the preferred q1, turned by `turn` (rad), the first of `azimuths`. */
function preferAzimuth(turn: number): void {
  const angle = chainAngle(0, preferred[0]!) + turn;
  azimuths[0] = cos(angle);
  azimuths[1] = sin(angle);
}

/**
 * Finds the solutions with a bend of the elbow and a spherical wrist, whose condition is a cosine of
 * phi: two zeros, or none and all where axes 4 and 6 are one. `evaluate` evaluates it at phi.
 */
function searchCosine(elbow: number, evaluate: () => void): void {
  const bend = elbow > 0 ? 0 : OTHER_BEND;
  closingCondition[PHI] = 0;
  evaluate();
  const along = closingCondition[VALUE + bend]!;
  closingCondition[PHI] = HALF_PI;
  evaluate();
  const across = closingCondition[VALUE + bend]!;
  const isFree = Math.max(Math.abs(along), Math.abs(across)) < FREE_ROLL;
  if (isFree) searchStatus.continuum = true;
  const phi = isFree ? chainAngle(5, preferred[5]!) : atan2(0 - along, across);
  for (let turn = 0; turn < (isFree ? 1 : 2); turn++) {
    closingCondition[PHI] = phi + turn * PI;
    evaluate();
    keep(elbow);
  }
}

/** Finds the solutions of a side with a spherical wrist, whose centre phi does not move. */
function searchSphere(side: number): void {
  closingCondition[PHI] = 0;
  evaluateCondition(side);
  if (Math.abs(closingCondition[RADIUS]!) < SPHERE_ON_AXIS_M) {
    // With the centre on axis 1 both sides are one, and every azimuth has solutions.
    searchStatus.continuum = true;
    if (side < 0) return;
    for (let i = 0; i < SPHERE_AZIMUTHS; i++) {
      preferAzimuth((i * TWO_PI) / SPHERE_AZIMUTHS);
      searchCosine(1, () => evaluateOnAxis(0));
      searchCosine(-1, () => evaluateOnAxis(0));
    }
    return;
  }
  searchCosine(1, () => evaluateCondition(side));
  searchCosine(-1, () => evaluateCondition(side));
}

function searchSide(windows: Windows, side: number): void {
  if (!isSideSought(side)) return;
  if (IS_SPHERICAL) {
    if (windows.full) searchSphere(side);
    return;
  }
  if (windows.full) {
    sampleFullLoops(side);
    if (sampleLoop()) searchFullLoops();
  }
  for (let i = 0; i < windows.count; i++) {
    const start = windows.start[i]!;
    const end = windows.end[i]!;
    reachWindow[0] = 0.5 * (start + end);
    reachWindow[1] = 0.5 * (end - start);
    if (end - start < NARROW_RAD) {
      keepStretched(side);
      continue;
    }
    sampleWindowLoop(side);
    if (sampleLoop()) searchLoop();
  }
}

/** Finds solutions with the wrist centre on axis 1, where it does not determine the azimuth. */
function searchOnAxis(): void {
  for (let i = 0; i < passage.onAxis; i++) {
    for (let elbow = -1; elbow <= 1; elbow += 2) {
      closingCondition[PHI] = passageAngles[i]!;
      const kind = azimuthsOnAxis(elbow);
      if (kind === 'none') continue;
      if (kind === 'free') {
        searchStatus.continuum = true;
        preferAzimuth(0);
      }
      for (let which = 0; which < (kind === 'pair' ? 2 : 1); which++) {
        closingCondition[PHI] = passageAngles[i]!;
        evaluateOnAxis(which);
        keep(elbow);
      }
    }
  }
}

/**
 * Writes every solution of tool pose `pose` to `out` (six numbers each, rad in their turns, capacity
 * SOLUTIONS_MAX) and returns their number; ignores joint limits. On a continuum it returns the
 * solution with q1 or q6 of `near`. `searchStatus` holds the rest.
 */
export function allSolutions(
  pose: Float64Array,
  tool: Tool,
  near: ArrayLike<number>,
  out: Float64Array,
): number {
  seekEverywhere();
  return search(pose, tool, near, out);
}

/**
 * As `allSolutions`, but only those within the weighted distance `d` (rad) of `guess` suffice: others
 * may be missing.
 */
export function solutionsNear(
  { pose, tool, guess }: NearRequest,
  d: number,
  out: Float64Array,
): number {
  seekNear(guess, d);
  return search(pose, tool, guess, out);
}

function search(
  pose: Float64Array,
  tool: Tool,
  near: ArrayLike<number>,
  out: Float64Array,
): number {
  flangePose(pose, tool, flange);
  setTarget(flange);
  for (let j = 0; j < 6; j++) preferred[j] = near[j]!;
  searchStatus.count = 0;
  searchStatus.continuum = false;
  searchStatus.exhausted = 0;
  isolation.exhausted = 0;
  searchStatus.reachable = findWindows();
  if (!searchStatus.reachable) return 0;
  findAxisPassages();
  searchSide(frontWindows, 1);
  searchSide(backWindows, -1);
  searchOnAxis();
  searchStatus.exhausted += isolation.exhausted;
  for (let i = 0; i < 6 * searchStatus.count; i++) out[i] = solutions[i]!;
  return searchStatus.count;
}

/**
 * True when shoulder and elbow can bring the wrist centre to the position that the tool pose
 * requires.
 */
export function isWithinReach(pose: Float64Array, tool: Tool): boolean {
  flangePose(pose, tool, flange);
  setTarget(flange);
  return findWindows();
}
