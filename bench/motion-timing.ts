/** Move, limit and stop figures of bench/motion.bench.ts. */
import type { AvoidanceZone } from '../contract/types.generated.ts';
import { bytesPerCall } from '../physics/kinematics/joint-samples.cases.ts';
import { toolPoseAt } from '../physics/kinematics/tool.ts';
import { planJointMove } from '../physics/motion/joint-move.ts';
import { createPathSample, samplePath } from '../physics/motion/joint-path.ts';
import { PLANNING_LIMITS, PLANNING_SHARE } from '../physics/motion/limits.ts';
import { differenceSegment, randomPose } from '../physics/motion/poses.cases.ts';
import { referenceDuration, referenceNodes } from '../physics/motion/reference.cases.ts';
import type { Segment } from '../physics/motion/segment.ts';
import { planStop } from '../physics/motion/stop.ts';
import { createProfilePoint, sampleProfile } from '../physics/motion/time-profile.ts';
import { gridAt } from '../physics/motion/timing-grid.ts';
import { createSpeedRows, type SpeedRows, solveSpeeds } from '../physics/motion/topp-ra.ts';
import { planSegment } from '../physics/toolpath/plan-segment.ts';
import { createPlanningScene } from '../physics/toolpath/planning-scene.ts';
import { type Figure, quantileOf, timeEach } from './figure-table.ts';
import { baselineSpeeds, planTrapezoidLine } from './motion.baseline.ts';
import { CAPS, lines, random, segments, TOOL } from './random-moves.ts';

function rowsOf({ path }: Segment, intervals: number): SpeedRows {
  const grid = gridAt(path, referenceNodes(intervals), CAPS.tool_offset_m);
  return createSpeedRows(grid, PLANNING_LIMITS, CAPS.tool_speed_m_s * PLANNING_SHARE);
}

export function* moveFigures(): Iterable<Figure> {
  const rows = segments.slice(0, 40).map((segment) => rowsOf(segment, 1000));
  const x = new Float64Array(1001);
  const topp =
    quantileOf(
      timeEach(rows, (row) => solveSpeeds(row, null, x)),
      0.5,
    ) / 1000;
  const plain =
    quantileOf(
      timeEach(rows, (row) => baselineSpeeds(row), 2),
      0.5,
    ) / 1000;
  yield { what: 'TOPP-RA, 1000 intervals', measured: topp, goal: 0.2, unit: 'ms', baseline: plain };
  const zones = Array.from({ length: 10 }, (_, i): AvoidanceZone => {
    const position = { x: 0.6 * Math.cos(0.6 * i), y: 0.6 * Math.sin(0.6 * i), z: 0.4 };
    const orientation = { w: 0.9, x: 0, y: 0.1, z: 0.2 };
    const dimensions = { x: 0.1, y: 0.1, z: 0.3 };
    return { name: `zone ${i}`, position, orientation, dimensions, avoid: 'inside' };
  });
  const tcp_config = {
    offsets: { x: 0, y: 0, z: 0.1 },
    rotations: { x: 0, y: 0, z: 0 },
    radius: 0.03,
  };
  const around = createPlanningScene({ tcp_config, avoidance_zones: zones });
  const place = (joints: Float64Array) => ({ joints, waypoint: -1, problem: null });
  const motion = { kind: 'linear', time_s: null, tool_speed_m_s: 0.75 } as const;
  const legs = timeEach(lines, ({ start, end }) =>
    planSegment({ start: place(start), target: place(end), via: [], motion }, around, 1.5),
  );
  const measured = quantileOf(legs, 0.5) / 1000;
  const baseline =
    quantileOf(
      timeEach(lines, (move) => planTrapezoidLine(move, CAPS), 2),
      0.5,
    ) / 1000;
  const what = 'linear move: path, jerk-limited timing, 10 zones';
  yield { what, measured, goal: 2, unit: 'ms, p50', baseline };
  yield durationFigure();
}

/** Durations relative to a convex-concave optimisation; the baseline has no jerk limit. */
function durationFigure(): Figure {
  const ratios: number[] = [];
  const plain: number[] = [];
  segments.slice(0, 25).forEach((segment, i) => {
    const grid = gridAt(segment.path, referenceNodes(120), CAPS.tool_offset_m);
    const tool_speed = CAPS.tool_speed_m_s * PLANNING_SHARE;
    const { duration_s } = referenceDuration(grid, PLANNING_LIMITS, tool_speed);
    ratios.push(segment.minimum_time_s / duration_s);
    const simple_s = planTrapezoidLine(lines[i]!, CAPS);
    if (simple_s > 0) plain.push(simple_s / duration_s);
  });
  const what = 'linear move: duration over the reference';
  const baseline = quantileOf(plain, 0.5);
  return { what, measured: quantileOf(ratios, 0.5), goal: 1.06, unit: 'p50', baseline };
}

export function* setpointFigures(): Iterable<Figure> {
  const joints = Array.from({ length: 40 }, () =>
    planJointMove({
      start: randomPose(random),
      end: randomPose(random),
      caps: CAPS,
      waypoints: [],
    }),
  );
  const worst = [...segments.slice(0, 40), ...joints].map((segment) => {
    const { jerk, ...others } = differenceSegment(segment, 0.001, CAPS);
    // Third differences of doubles have a rounding error of 2e-5.
    return Math.max(jerk - 2e-5, ...Object.values(others));
  });
  const what = 'setpoints at 1 kHz, worst of all limits';
  yield { what, measured: Math.max(...worst), goal: 1, unit: 'share of the limit' };
  const point = createProfilePoint();
  const sample = createPathSample();
  const { path, profile } = segments[0]!;
  const bytes = bytesPerCall((i) => {
    sampleProfile(profile, (profile.duration_s * (i & 63)) / 63, point);
    samplePath(path, point.s, sample);
  }, 4000);
  yield { what: 'sampling a setpoint', measured: Math.floor(bytes), goal: 0, unit: 'bytes' };
}

const PAUSES = 20;

/** Pauses at random and at late times: planning time, and how many find no immediate stop. */
export function* pauseFigures(): Iterable<Figure> {
  const point = createProfilePoint();
  const requests = segments.flatMap(({ path, profile }) =>
    Array.from({ length: PAUSES }, (_, k) => {
      const share_s = k < PAUSES / 2 ? profile.duration_s : Math.min(0.35, profile.duration_s);
      const motion = { profile, elapsed_s: profile.duration_s - share_s * (1 - random()) };
      sampleProfile(profile, motion.elapsed_s, point);
      return { path, point: { ...point }, kind: 'pause' as const, motion };
    }),
  );
  const times = timeEach(requests, planStop, 3);
  const waiting = requests.filter((request) => !planStop(request)).length;
  const off = Math.max(...requests.slice(0, 400).map((request) => offLine(request)));
  const unit = 'ms';
  yield { what: 'stop planning, p99', measured: quantileOf(times, 0.99) / 1000, goal: 1, unit };
  const what = `pauses without an immediate stop, of ${requests.length}`;
  yield { what, measured: waiting, goal: 0, unit: 'pauses' };
  yield { what: 'pause: distance from the line', measured: 1e6 * off, goal: 1, unit: 'µm' };
}

/** Distance of the tool at the end of the stop from the straight path (m). */
function offLine(request: Parameters<typeof planStop>[0]): number {
  const stop = planStop(request);
  if (!stop) return 0;
  const point = createProfilePoint();
  sampleProfile(stop, stop.duration_s, point);
  const sample = createPathSample();
  const place = (s: number) => {
    samplePath(request.path, s, sample);
    return toolPoseAt(sample.q, TOOL).subarray(9, 12);
  };
  const [from, to, here] = [place(0), place(1), place(point.s)];
  return Math.hypot(...[0, 1, 2].map((k) => here[k]! - from[k]! - point.s * (to[k]! - from[k]!)));
}
