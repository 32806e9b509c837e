/**
 * Parts of motion timing that bench/motion.bench.ts combines or omits: joint moves and splines,
 * resuming, setpoints of replies, and durations relative to the lower bound without a jerk limit.
 * Run: npm run bench motion-parts
 */

import { createSpeedCurve, traceSpeeds } from '../physics/motion/jerk-filter.ts';
import { planJointMove } from '../physics/motion/joint-move.ts';
import { PLANNING_LIMITS } from '../physics/motion/limits.ts';
import { lineEnd, randomLinearMove, randomPose } from '../physics/motion/poses.cases.ts';
import { planResume } from '../physics/motion/resume.ts';
import { emitSetpoints } from '../physics/motion/setpoints.ts';
import { planSplineMove } from '../physics/motion/spline-move.ts';
import { createTimingGrid } from '../physics/motion/timing-grid.ts';
import { createSpeedRows, solveSpeeds } from '../physics/motion/topp-ra.ts';
import { quantileOf, timeEach } from './figure-table.ts';
import { type BaselineMove, planTrapezoidJoints, planTrapezoidLine } from './motion.baseline.ts';
import { CAPS, lines, planLine, random, segments, TOOL } from './random-moves.ts';

function report(name: string, values: number[], unit: string): void {
  const digits = (share: number) => quantileOf(values, share).toPrecision(3).padStart(9);
  const shares = [0.5, 0.95, 0.99].map((share) => `p${100 * share} ${digits(share)}`);
  console.log(`${name.padEnd(44)} ${shares.join(' ')} ${unit}`);
}

const joints: BaselineMove[] = Array.from({ length: 100 }, () => ({
  start: randomPose(random),
  end: randomPose(random),
}));

for (const tool_speed_m_s of [1.5, 0.25]) {
  const caps = { ...CAPS, tool_speed_m_s };
  const plan = (move: BaselineMove) => planJointMove({ ...move, caps, waypoints: [] });
  report(`joint move at ${tool_speed_m_s} m/s`, timeEach(joints, plan), 'µs');
}
report('  baseline: trapezoid per sample', timeEach(joints, planTrapezoidJoints), 'µs');

report('linear move, path and timing', timeEach(lines, planLine), 'µs');

const ratios = segments.map(({ path, minimum_time_s }) => {
  const grid = createTimingGrid(path, 0, CAPS.tool_offset_m);
  const rows = createSpeedRows(grid, PLANNING_LIMITS, CAPS.tool_speed_m_s);
  const x = new Float64Array(rows.s.length);
  solveSpeeds(rows, null, x);
  return minimum_time_s / traceSpeeds(createSpeedCurve(rows.s), x);
});
report('linear duration / lower bound without jerk limit', ratios, '');
const longer = lines.flatMap((move) => {
  const plan = planLine(move);
  const simple_s = planTrapezoidLine(move, CAPS);
  return plan.kind === 'planned' && simple_s > 0 ? [simple_s / plan.segment.minimum_time_s] : [];
});
report('  baseline duration (no jerk limit) / ours', longer, '');

const splines = Array.from({ length: 400 }, () => {
  const { start, end: first } = randomLinearMove(random, TOOL);
  const second = lineEnd(random, first, TOOL);
  const end = second && lineEnd(random, second, TOOL);
  return end ? { start, through: [first, second], end } : null;
}).flatMap((move) => (move ? [{ ...move, caps: CAPS, waypoints: [] }] : []));
const sound = splines.filter((move) => planSplineMove(move).kind === 'planned').slice(0, 40);
report('spline of 4 waypoints', timeEach(sound, planSplineMove), 'µs');

report(
  'resume planning, linear',
  timeEach(segments, ({ path }) => planResume({ path, s: 0.4, caps: CAPS })),
  'µs',
);
report(
  'setpoints at 100 Hz',
  timeEach(segments, (segment) => emitSetpoints(segment, 0.01, { ...CAPS, payload_kg: 1 })),
  'µs',
);
