/** Kinematics and collision figures of bench/motion.bench.ts. */

import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../physics/arm/arm-model.ts';
import { MODEL_RANGE } from '../physics/arm/arm-range.ts';
import { plateAt, randomLine } from '../physics/collision/path.cases.ts';
import { checkPath } from '../physics/collision/path-check.ts';
import { checkPose } from '../physics/collision/pose-check.ts';
import { type CollisionScene, createCollisionScene } from '../physics/collision/scene.ts';
import { createLineBy } from '../physics/kinematics/cartesian-line.ts';
import { createFrames, forward } from '../physics/kinematics/forward.ts';
import { solveInverse } from '../physics/kinematics/inverse.ts';
import { jointDistance, poseAt, randomJoints } from '../physics/kinematics/joint-samples.cases.ts';
import { allSolutions, SOLUTIONS_MAX } from '../physics/kinematics/solution-search.ts';
import { FLANGE_TOOL } from '../physics/kinematics/tool.ts';
import { createTracker, startTracking, trackTo } from '../physics/kinematics/tracking.ts';
import { createPrng } from '../physics/math/prng.ts';
import { createPathSample, samplePath } from '../physics/motion/joint-path.ts';
import { type Figure, quantileOf, timeEach, timeMean } from './figure-table.ts';
import { baselineForwardKinematics, baselineInverseKinematics } from './kinematics.baseline.ts';

const COUNT = 3000;
const PLATES = 2000;
const PLAIN_POSES = 30;
const random = createPrng(1);
const joints = Array.from({ length: COUNT }, () => randomJoints(random));
const poses = joints.map((q) => poseAt(q));
const places = joints.map((_, i) => i);
const frames = createFrames();

export function* kinematicFigures(): Iterable<Figure> {
  const plain = joints.map((q) => Array.from(q));
  const fk = timeMean(20_000, (i) => forward(joints[i % COUNT]!, frames));
  const plainFk = timeMean(500, (i) => baselineForwardKinematics(plain[i % COUNT]!));
  yield { what: 'forward', measured: fk, goal: 0.25, unit: 'µs', baseline: plainFk };
  yield* inverseFigures(plain);
  yield { what: 'tracking, a step', measured: trackingStep(), goal: 3, unit: 'µs' };
}

/** Guesses within 0.2 rad of the joints. */
const guessesNear = () => joints.map((q) => q.map((x) => x + 0.4 * (random() - 0.5)));

/** Time of each inverse solution with a near guess (µs). */
export function nearTimes(guesses = guessesNear()): number[] {
  return timeEach(places, (i) => {
    solveInverse({ pose: poses[i]!, guess: guesses[i]!, tool: FLANGE_TOOL, range: MODEL_RANGE });
  });
}

/** Time of each search of all branches (µs). */
export function branchTimes(): number[] {
  const out = new Float64Array(6 * SOLUTIONS_MAX);
  return timeEach(places, (i) => allSolutions(poses[i]!, FLANGE_TOOL, joints[i]!, out));
}

function* inverseFigures(plain: number[][]): Iterable<Figure> {
  const guesses = guessesNear();
  const near = nearTimes(guesses);
  const box = { low: JOINT_MIN_RAD, high: JOINT_MAX_RAD, random: createPrng(2) };
  const goals = plain.map((q) => baselineForwardKinematics(q));
  const baseline = timeMean(
    20,
    (i) => baselineInverseKinematics(goals[i]!, Array.from(guesses[i]!), box),
    5,
  );
  const unit = 'µs';
  const guess = 'inverse, guess within 0.2 rad';
  yield { what: `${guess}, p50`, measured: quantileOf(near, 0.5), goal: 12, unit, baseline };
  yield { what: `${guess}, p99`, measured: quantileOf(near, 0.99), goal: 35, unit };
  const all = branchTimes();
  const far = timeMean(
    10,
    (i) => baselineInverseKinematics(goals[i]!, plain[(i + 7) % COUNT]!, box),
    5,
  );
  const what = 'inverse, all branches';
  yield { what: `${what}, p50`, measured: quantileOf(all, 0.5), goal: 12, unit, baseline: far };
  yield { what: `${what}, p99`, measured: quantileOf(all, 0.99), goal: 35, unit };
  const { missed, error } = checkSolutions();
  yield { what: `${what}, misses of ${COUNT}`, measured: missed, goal: 0, unit: 'poses' };
  yield { what: `${what}, pose error`, measured: error, goal: 1e-11, unit: 'm, rad' };
}

/** Poses whose joints are not among the solutions, and the largest pose error of all solutions. */
function checkSolutions(): { missed: number; error: number } {
  const out = new Float64Array(6 * SOLUTIONS_MAX);
  let missed = 0;
  let error = 0;
  for (const i of places) {
    const count = allSolutions(poses[i]!, FLANGE_TOOL, joints[i]!, out);
    let nearest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < count; k++) {
      nearest = Math.min(nearest, jointDistance(out, 6 * k, joints[i]!));
      const reached = poseAt(out.slice(6 * k, 6 * k + 6));
      reached.forEach((value, n) => {
        error = Math.max(error, Math.abs(value - poses[i]![n]!));
      });
    }
    if (!(nearest < 1e-6)) missed++;
  }
  return { missed, error };
}

/** Mean time of a tracking step on lines from random poses (µs). */
function trackingStep(): number {
  let attempts = 0;
  const trackers = poses.slice(0, 600).map((pose) => {
    const travel = [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 0.4 * x);
    const line = createLineBy(pose, travel, [0.3 * random(), 0, 0]);
    const tracker = createTracker(
      {
        evaluate(at, out, twist) {
          attempts++;
          line.evaluate(at, out, twist);
        },
      },
      FLANGE_TOOL,
      MODEL_RANGE,
    );
    return tracker;
  });
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 80; round++) {
    attempts = 0;
    const from = (30 * round) % 600;
    const start_ms = performance.now();
    trackers.slice(from, from + 30).forEach((tracker, i) => {
      startTracking(tracker, joints[from + i]!, 0);
      for (let k = 1; k <= 60; k++) if (trackTo(tracker, k / 60) !== 'arrived') return;
    });
    best = Math.min(best, (1000 * (performance.now() - start_ms)) / attempts);
  }
  return best;
}

/** Zones with random orientation in a ring around the arm, all within reach. */
function ringOfZones(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    name: `zone ${i}`,
    position: { x: 0.4 * Math.cos(0.63 * i), y: 0.4 * Math.sin(0.63 * i), z: 0.2 + 0.06 * i },
    orientation: { w: 1, x: random(), y: random(), z: random() },
    dimensions: { x: 0.08, y: 0.08, z: 0.08 },
    avoid: 'inside' as const,
  }));
}

export function* collisionFigures(): Iterable<Figure> {
  const scene = createCollisionScene({ zones: ringOfZones(10) });
  const free: Float64Array[] = [];
  for (const q of joints) {
    const placed = createFrames();
    forward(q, placed);
    if (!checkPose(scene, placed)) free.push(placed);
  }
  const pose = timeMean(free.length, (i) => checkPose(scene, free[i]!), 100);
  yield { what: 'pose check, 10 zones', measured: pose, goal: 2, unit: 'µs' };
  const q = new Float64Array(6);
  const many = timeMean(
    1000,
    (i) => {
      q.fill(0.3e-3 * i);
      forward(q, frames);
      checkPose(scene, frames);
    },
    100,
  );
  yield { what: 'path of 10,000 poses', measured: 10 * many, goal: 20, unit: 'ms' };
  const { ours, plain } = tunnelled();
  const what = `plates of 1 mm passed through, of ${PLATES}`;
  yield { what, measured: ours, goal: 0, unit: 'moves', baseline: plain };
}

/** Undetected collisions with a thin plate: by checkPath, and by poses at equal distances. */
function tunnelled(): { ours: number; plain: number } {
  const sample = createPathSample();
  let ours = 0;
  let plain = 0;
  const hitAt = (scene: CollisionScene, path: ReturnType<typeof randomLine>, s: number) => {
    samplePath(path, s, sample);
    forward(sample.q, frames);
    return checkPose(scene, frames)?.code === 'object_collision';
  };
  for (let i = 0; i < PLATES; i++) {
    const path = randomLine(random);
    const s = random();
    const scene = createCollisionScene({ zones: [plateAt(path, s, random)] });
    if (!hitAt(scene, path, s)) continue;
    const found = checkPath(scene, path);
    if (!found || found.s > s) ours++;
    const looks = Array.from({ length: PLAIN_POSES }, (_, k) => k / (PLAIN_POSES - 1));
    if (!looks.some((place) => hitAt(scene, path, place))) plain++;
  }
  return { ours, plain };
}
