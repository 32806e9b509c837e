/**
 * Motion timing against a plain textbook planner in the same run: per joint a trapezoid of speed
 * stretched to the slowest joint, for Cartesian moves inverse kinematics of every sample of a
 * trapezoid along the line, slowed down until no sample breaks a limit.
 * Run: npm run bench bench/motion-parts.bench.ts
 */

import type { AvoidanceZone } from '../contract/types.ts';
import { createSpeedCurve, traceSpeeds } from '../physics/motion/jerk-filter.ts';
import { planJointMove } from '../physics/motion/joint-move.ts';
import { PLANNING_LIMITS } from '../physics/motion/limits.ts';
import { planLinearMove, toolOf } from '../physics/motion/linear-move.ts';
import {
  createPathSample,
  type JointPath,
  type PathTable,
  samplePath,
} from '../physics/motion/path.ts';
import {
  lineEnd,
  randomLinearMove,
  randomPose,
  randomSource,
} from '../physics/motion/poses.cases.ts';
import { planResume } from '../physics/motion/resume.ts';
import type { MotionCaps } from '../physics/motion/segment.ts';
import { emitSetpoints } from '../physics/motion/setpoints.ts';
import { planSplineMove } from '../physics/motion/spline-move.ts';
import { planStop } from '../physics/motion/stop.ts';
import { createProfilePoint, sampleProfile } from '../physics/motion/time-profile.ts';
import { createTimingGrid } from '../physics/motion/timing-grid.ts';
import { createSpeedRows, solveSpeeds } from '../physics/motion/topp-ra.ts';
import { createSurroundings, planLeg } from '../physics/toolpath/leg.ts';
import { type Move, planTrapezoidJoints, planTrapezoidLine } from './motion-textbook.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.75, tool_offset_m: [0, 0, 0.1] };
const TOOL = toolOf(CAPS);
const COUNT = 100;

function report(name: string, values: number[], unit: string): void {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  const digits = (value: number) => value.toPrecision(3).padStart(9);
  const shares = [0.5, 0.95, 0.99].map((share) => `p${100 * share} ${digits(at(share))}`);
  console.log(`${name.padEnd(44)} ${shares.join(' ')} ${unit}`);
}

const ROUNDS = 4;

/** Best of a few rounds of `run` on each item (µs): what a busy machine adds is left out. */
function time<T>(items: readonly T[], run: (item: T) => unknown): number[] {
  const best = items.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    items.forEach((item, i) => {
      const begun = performance.now();
      run(item);
      best[i] = Math.min(best[i]!, 1000 * (performance.now() - begun));
    });
  }
  return best;
}

const random = randomSource(1);
const joints: Move[] = Array.from({ length: COUNT }, () => ({
  start: randomPose(random),
  end: randomPose(random),
}));
const lines: Move[] = Array.from({ length: COUNT }, () => randomLinearMove(random, TOOL));

for (const tool_speed_m_s of [1.5, 0.25]) {
  const caps = { ...CAPS, tool_speed_m_s };
  const plan = (move: Move) => planJointMove({ ...move, caps, waypoints: [] });
  report(`joint move at ${tool_speed_m_s} m/s`, time(joints, plan), 'µs');
}
report('  textbook: trapezoid per sample', time(joints, planTrapezoidJoints), 'µs');

const planLine = (move: Move) => planLinearMove({ ...move, caps: CAPS, waypoints: [] });
report('linear move, path and timing', time(lines, planLine), 'µs');
report(
  '  textbook: trapezoid, IK per sample',
  time(lines, (move) => planTrapezoidLine(move, CAPS)),
  'µs',
);

const zones = Array.from({ length: 10 }, (_, i): AvoidanceZone => {
  const position = { x: 0.6 * Math.cos(0.6 * i), y: 0.6 * Math.sin(0.6 * i), z: 0.4 };
  const orientation = { w: 0.9, x: 0, y: 0.1, z: 0.2 };
  const dimensions = { x: 0.1, y: 0.1, z: 0.3 };
  return { name: `zone ${i}`, position, orientation, dimensions, avoid: 'inside' };
});
const surroundings = createSurroundings({
  tcp_config: { offsets: { x: 0, y: 0, z: 0.1 }, rotations: { x: 0, y: 0, z: 0 }, radius: 0.03 },
  avoidance_zones: zones,
});
const place = (joints: Float64Array) => ({ joints, waypoint: -1, problem: null });
report(
  'linear move, path, timing, 10 zones (goal 2000)',
  time(lines, ({ start, end }) => {
    const motion = { kind: 'linear', time_s: null, tool_speed_m_s: 0.75 } as const;
    planLeg({ start: place(start), target: place(end), via: [], motion }, surroundings, 1.5);
  }),
  'µs',
);

const segments = lines.flatMap((move) => {
  const plan = planLine(move);
  return plan.kind === 'planned' ? [plan.segment] : [];
});
const ratios = segments.map(({ path, minimum_time_s }) => {
  const grid = createTimingGrid(path, 0, CAPS.tool_offset_m);
  const rows = createSpeedRows(grid, PLANNING_LIMITS, CAPS.tool_speed_m_s);
  const x = new Float64Array(rows.s.length);
  solveSpeeds(rows, null, x);
  return minimum_time_s / traceSpeeds(createSpeedCurve(rows.s), x);
});
report('linear duration / floor without jerk limit', ratios, '');
const longer = lines.flatMap((move) => {
  const plan = planLine(move);
  const simple_s = planTrapezoidLine(move, CAPS);
  return plan.kind === 'planned' && simple_s > 0 ? [simple_s / plan.segment.minimum_time_s] : [];
});
report('  textbook duration (no jerk limit) / ours', longer, '');

const splines = Array.from({ length: 400 }, () => {
  const { start, end: first } = randomLinearMove(random, TOOL);
  const second = lineEnd(random, first, TOOL);
  const end = second && lineEnd(random, second, TOOL);
  return end ? { start, through: [first, second], end } : null;
}).flatMap((move) => (move ? [{ ...move, caps: CAPS, waypoints: [] }] : []));
const sound = splines.filter((move) => planSplineMove(move).kind === 'planned').slice(0, 40);
report('spline of 4 waypoints', time(sound, planSplineMove), 'µs');

const wide = segments.map(({ path }) => {
  const grid = createTimingGrid(evenTable(path, 1001), 0, CAPS.tool_offset_m);
  return createSpeedRows(grid, PLANNING_LIMITS, CAPS.tool_speed_m_s);
});
const x = new Float64Array(1001);
report(
  'TOPP-RA, 1000 intervals',
  time(wide, (rows) => solveSpeeds(rows, null, x)),
  'µs',
);
report(
  'TOPP-RA, 1000 intervals, with its times',
  time(wide, (rows) => {
    solveSpeeds(rows, null, x);
    return traceSpeeds(createSpeedCurve(rows.s), x);
  }),
  'µs',
);

const point = createProfilePoint();
const pauses = segments.flatMap(({ path, profile }) =>
  [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => {
    const motion = { profile, elapsed_s: share * profile.duration_s };
    sampleProfile(profile, motion.elapsed_s, point);
    return { path, point: { ...point }, kind: 'pause' as const, motion };
  }),
);
report('stop planning, linear', time(pauses, planStop), 'µs');
report(
  'resume planning, linear',
  time(segments, ({ path }) => planResume({ path, s: 0.4, caps: CAPS })),
  'µs',
);
report(
  'setpoints at 100 Hz',
  time(segments, (segment) => emitSetpoints(segment, 0.01, { ...CAPS, payload_kg: 1 })),
  'µs',
);

/** The path as a table of evenly laid nodes. */
function evenTable(path: JointPath, count: number): PathTable {
  const zeros = new Float64Array(6 * count);
  const table: PathTable = {
    kind: 'table',
    s: Float64Array.from({ length: count }, (_, i) => i / (count - 1)),
    q: new Float64Array(6 * count),
    q1: new Float64Array(6 * count),
    q2: new Float64Array(6 * count),
    q3_left: zeros,
    q3_right: zeros,
  };
  const sample = createPathSample();
  table.s.forEach((s, i) => {
    samplePath(path, s, sample);
    table.q.set(sample.q, 6 * i);
    table.q1.set(sample.q1, 6 * i);
    table.q2.set(sample.q2, 6 * i);
  });
  return table;
}
