/**
 * Times of kinematics against the goals, and against the textbook baseline in the same run, since
 * only ratios survive a change of machine. Run: npx tsx bench/kinematics.bench.ts
 */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../physics/arm/arm-model.ts';
import { createLineBy } from '../physics/kinematics/cartesian-line.ts';
import { createFrames, forward } from '../physics/kinematics/forward.ts';
import { solveInverse } from '../physics/kinematics/inverse.ts';
import { createRandom, poseAt, randomJoints } from '../physics/kinematics/joint-samples.cases.ts';
import { allSolutions, SOLUTIONS_MAX } from '../physics/kinematics/solution-search.ts';
import { FLANGE_TOOL } from '../physics/kinematics/tool.ts';
import type { PoseCurve } from '../physics/kinematics/tracking.ts';
import { createTracker, startTracking, trackTo } from '../physics/kinematics/tracking.ts';
import { plainForward, plainInverse } from './kinematics.baseline.ts';

const random = createRandom(1);
const COUNT = 5000;
const joints = Array.from({ length: COUNT }, () => randomJoints(random));
const poses = joints.map((q) => poseAt(q));

/** Mean of `work` over `calls` calls, the best of many short rounds (µs). */
function mean(calls: number, work: (i: number) => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20; round++) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) work(i);
    best = Math.min(best, performance.now() - start);
  }
  return (best * 1000) / calls;
}

/** Median and 99th percentile of single calls, each the best of three (µs). */
function percentiles(work: (i: number) => void): { p50: number; p99: number } {
  for (let i = 0; i < COUNT; i++) work(i);
  const times = Array.from({ length: COUNT }, (_, i) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const start = performance.now();
      work(i);
      best = Math.min(best, performance.now() - start);
    }
    return best * 1000;
  }).sort((a, b) => a - b);
  return { p50: times[COUNT >> 1]!, p99: times[Math.floor(COUNT * 0.99)]! };
}

function report(name: string, measured: string, goal: string, ratio: string): void {
  console.log(`${name.padEnd(34)}${measured.padEnd(26)}${goal.padEnd(22)}${ratio}`);
}

function timeTracking(): number {
  let attempts = 0;
  const trackers = poses.slice(0, 600).map((pose) => {
    const travel = [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 0.4 * x);
    const line = createLineBy(pose, travel, [0.3 * random(), 0, 0]);
    const curve: PoseCurve = {
      evaluate(at, out, twist) {
        attempts++;
        line.evaluate(at, out, twist);
      },
    };
    return createTracker(curve, FLANGE_TOOL);
  });
  const run = (from: number) => {
    trackers.slice(from, from + 60).forEach((tracker, i) => {
      const n = from + i;
      startTracking(tracker, joints[n]!, 0);
      for (let k = 1; k <= 60; k++) if (trackTo(tracker, k / 60) !== 'arrived') return;
    });
  };
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 60; round++) {
    attempts = 0;
    const start = performance.now();
    run((60 * round) % 600);
    best = Math.min(best, ((performance.now() - start) * 1000) / attempts);
  }
  return best;
}

const show = (p: { p50: number; p99: number }) =>
  `p50 ${p.p50.toFixed(2)}  p99 ${p.p99.toFixed(2)} µs`;

report('what', 'measured', 'goal', 'baseline ÷ ours');
const frames = createFrames();
const fk = mean(20_000, (i) => forward(joints[i % COUNT]!, frames));
const plainJoints = joints.map((q) => Array.from(q));
const plainFk = mean(500, (i) => plainForward(plainJoints[i % COUNT]!));
report('forward', `${fk.toFixed(3)} µs`, '≤ 0.25 µs', (plainFk / fk).toFixed(0));

const guesses = joints.map((q) => q.map((x) => x + 0.4 * (random() - 0.5)));
const near = percentiles((i) => {
  solveInverse({ pose: poses[i]!, guess: guesses[i]!, tool: FLANGE_TOOL });
});
const box = { low: JOINT_MIN_RAD, high: JOINT_MAX_RAD, random: createRandom(2) };
const goals = plainJoints.map((q) => plainForward(q));
const plainNear = mean(20, (i) => {
  plainInverse(goals[i]!, Array.from(guesses[i]!), box);
});
report(
  'inverse, guess within 0.2 rad',
  show(near),
  'p50 ≤ 5, p99 ≤ 10 µs',
  (plainNear / near.p50).toFixed(0),
);

const out = new Float64Array(6 * SOLUTIONS_MAX);
const all = percentiles((i) => {
  allSolutions(poses[i]!, FLANGE_TOOL, joints[i]!, out);
});
const plainFar = mean(10, (i) => {
  plainInverse(goals[i]!, plainJoints[(i + 7) % COUNT]!, box);
});
report(
  'inverse, all branches',
  show(all),
  'p50 ≤ 12, p99 ≤ 35 µs',
  `${(plainFar / all.p50).toFixed(0)} (for one solution)`,
);
report('tracking step', `${timeTracking().toFixed(2)} µs`, '≤ 3 µs', '');
