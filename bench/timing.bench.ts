/**
 * Motion durations relative to the reference of reference.cases.ts: lines with little joint travel
 * (mild), lines near singularities (near), rotations of the tool in place (rotation), and straight
 * joint lines, where the double-S is exact and shows the error of the reference. Run: npm run bench
 * timing -- [moves per class] [intervals of the reference] [class]
 */
import { MODEL_RANGE } from '../physics/arm/arm-range.ts';
import { createLineBy } from '../physics/kinematics/cartesian-line.ts';
import { toolPoseAt } from '../physics/kinematics/tool.ts';
import { createTracker, startTracking, trackTo } from '../physics/kinematics/tracking.ts';
import { createPrng } from '../physics/math/prng.ts';
import { createSpeedCurve, traceSpeeds } from '../physics/motion/jerk-filter.ts';
import { planJointMove } from '../physics/motion/joint-move.ts';
import { PLANNING_LIMITS, PLANNING_SHARE } from '../physics/motion/limits.ts';
import { planLinearMove } from '../physics/motion/linear-move.ts';
import type { MotionCaps } from '../physics/motion/motion-caps.ts';
import { toolOf } from '../physics/motion/motion-caps.ts';
import { lineEnd, randomPose } from '../physics/motion/poses.cases.ts';
import { referenceDuration, referenceNodes } from '../physics/motion/reference.cases.ts';
import type { Segment } from '../physics/motion/segment.ts';
import { gridAt } from '../physics/motion/timing-grid.ts';
import { createSpeedRows, solveSpeeds } from '../physics/motion/topp-ra.ts';

const MOVES = Number(process.argv[2] ?? 25);
const INTERVALS = Number(process.argv[3] ?? 120);
const OFFSET_M = [0, 0, 0.1] as const;
const TOOL = toolOf({ tool_speed_m_s: 1, tool_offset_m: OFFSET_M });
/** Largest joint travel per metre of tool travel of mild lines (rad/m). */
const MILD_RAD_M = 12;
const NEAR_RAD_M = 200;

interface Timed {
  readonly segment: Segment;
  readonly caps: MotionCaps;
}

function planLine(start: Float64Array, end: Float64Array, caps: MotionCaps): Segment | null {
  const plan = planLinearMove({ start, end, caps, waypoints: [] });
  return plan.kind === 'planned' ? plan.segment : null;
}

/** Largest joint travel per metre of tool travel along the path (rad/m). */
function steepness({ path }: Segment): number {
  const grid = gridAt(path, referenceNodes(INTERVALS), OFFSET_M);
  let worst = 0;
  for (let i = 0; i < grid.s.length; i++) {
    const speed = Math.hypot(...grid.p1.subarray(3 * i, 3 * i + 3));
    for (const rate of grid.q1.subarray(6 * i, 6 * i + 6)) {
      worst = Math.max(worst, Math.abs(rate) / speed);
    }
  }
  return worst;
}

type Source = (random: () => number, caps: MotionCaps) => Segment | null;

const line: Source = (random, caps) => {
  const start = randomPose(random);
  const end = lineEnd(random, start, TOOL);
  return end && planLine(start, end, caps);
};

const between =
  (least: number, most: number): Source =>
  (random, caps) => {
    const segment = line(random, caps);
    const steep = segment ? steepness(segment) : 0;
    return steep > least && steep <= most ? segment : null;
  };

const rotation: Source = (random, caps) => {
  const start = randomPose(random);
  const turn = [0, 1, 2].map(() => 3 * (random() - 0.5));
  const tracker = createTracker(
    createLineBy(toolPoseAt(start, TOOL), [0, 0, 0], turn),
    TOOL,
    MODEL_RANGE,
  );
  startTracking(tracker, start, 0);
  if (trackTo(tracker, 1) !== 'arrived') return null;
  return planLine(start, Float64Array.from(tracker.q), caps);
};

const joints: Source = (random, caps) =>
  planJointMove({ start: randomPose(random), end: randomPose(random), caps, waypoints: [] });

const CLASSES: readonly (readonly [string, readonly number[], Source])[] = [
  ['mild', [0.25, 1.5], between(0, MILD_RAD_M)],
  ['near', [0.25, 1.5], between(MILD_RAD_M, NEAR_RAD_M)],
  ['rotation', [0.25], rotation],
  ['joint line, no tool cap', [100], joints],
  ['joint line, tool cap', [0.25, 1.5], joints],
];

function collect(source: Source, speeds: readonly number[]): Timed[] {
  const random = createPrng(5);
  const found: Timed[] = [];
  while (found.length < MOVES) {
    const tool_speed_m_s = speeds[found.length % speeds.length]!;
    const caps = { tool_speed_m_s, tool_offset_m: OFFSET_M };
    const segment = source(random, caps);
    if (segment) found.push({ segment, caps });
  }
  return found;
}

function report(name: string, values: readonly number[], digits = 3): void {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(digits);
  console.log(`  ${name.padEnd(28)} min ${at(0)} p50 ${at(0.5)} p90 ${at(0.9)} max ${at(1)}`);
}

for (const [name, speeds, source] of CLASSES) {
  if (!name.startsWith(process.argv[4] ?? '')) continue;
  const moves = collect(source, speeds);
  const ratios: number[] = [];
  const floors: number[] = [];
  const times: number[] = [];
  for (const { segment, caps } of moves) {
    const start_ms = performance.now();
    const tool_speed = caps.tool_speed_m_s * PLANNING_SHARE;
    const grid = gridAt(segment.path, referenceNodes(INTERVALS), OFFSET_M);
    const { duration_s } = referenceDuration(grid, PLANNING_LIMITS, tool_speed);
    times.push(performance.now() - start_ms);
    ratios.push(segment.minimum_time_s / duration_s);
    const x = new Float64Array(grid.s.length);
    const rows = createSpeedRows(grid, PLANNING_LIMITS, tool_speed);
    solveSpeeds(rows, null, x);
    floors.push(duration_s / traceSpeeds(createSpeedCurve(grid.s), x));
  }
  console.log(`${name}, ${moves.length} moves`);
  report('ours / yardstick', ratios, 4);
  report('yardstick / without jerk', floors);
  report('yardstick (ms)', times, 1);
}
