import { expect, test } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { createSpeedCurve, traceSpeeds } from './jerk-filter.ts';
import { ARM_LIMITS, type MotionLimits } from './limits.ts';
import { planLinearMove } from './linear-move.ts';
import { toolOf } from './motion-caps.ts';
import { randomLinearMove, randomPose } from './poses.cases.ts';
import { createTimingGrid, type TimingGrid } from './timing-grid.ts';
import { createSpeedRows, type SpeedRows, solveSpeeds } from './topp-ra.ts';

const OFFSET = [0, 0, 0.1];
const FREE: MotionLimits = { ...ARM_LIMITS, tool_acceleration_m_s2: Number.POSITIVE_INFINITY };

function solve(rows: SpeedRows) {
  const x = new Float64Array(rows.s.length);
  solveSpeeds(rows, null, x);
  const curve = createSpeedCurve(rows.s);
  return { x, curve, duration_s: traceSpeeds(curve, x) };
}

function curvedGrid(seed: number): TimingGrid {
  const caps = { tool_speed_m_s: 1.5, tool_offset_m: [0, 0, 0.1] } as const;
  const move = randomLinearMove(createPrng(seed), toolOf(caps));
  const plan = planLinearMove({ ...move, caps, waypoints: [] });
  if (plan.kind !== 'planned') throw new Error(plan.problem.message);
  return createTimingGrid(plan.segment.path, 0, OFFSET);
}

test('a straight joint line without tool limits is a trapezoid', () => {
  const random = createPrng(51);
  for (let n = 0; n < 20; n++) {
    const start = randomPose(random);
    const end = randomPose(random);
    const grid = createTimingGrid({ kind: 'line', start, end }, 0, OFFSET);
    const { duration_s } = solve(createSpeedRows(grid, FREE, Number.POSITIVE_INFINITY));
    const travel = Math.max(...end.map((q, j) => Math.abs(q - start[j]!)));
    const [v, a] = [ARM_LIMITS.velocity_rad_s[0]!, ARM_LIMITS.acceleration_rad_s2[0]!];
    const exact = travel > (v * v) / a ? travel / v + v / a : 2 * Math.sqrt(travel / a);
    // A node next to the corner of the trapezoid costs at most part of one interval.
    expect(duration_s / exact).toBeGreaterThan(1 - 1e-9);
    expect(duration_s / exact).toBeLessThan(1.004);
  }
});

/** Largest excess over any row of the programme at the nodes. */
function excess(rows: SpeedRows, x: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < x.length - 1; i++) {
    const u = (x[i + 1]! - x[i]!) / (2 * (rows.s[i + 1]! - rows.s[i]!));
    worst = Math.max(worst, x[i]! / rows.cap[i]!);
    for (let k = 7 * i; k < 7 * i + 7; k++) {
      worst = Math.max(worst, Math.abs(u + rows.beta[k]! * x[i]!) / rows.alpha[k]!);
    }
  }
  return worst;
}

test('keeps every row at every node, and is at the limit of one at each', () => {
  for (let seed = 60; seed < 75; seed++) {
    const rows = createSpeedRows(curvedGrid(seed), ARM_LIMITS, 0.5);
    const { x } = solve(rows);
    expect(excess(rows, x)).toBeLessThan(1 + 1e-7);
    expect(excess(rows, x)).toBeGreaterThan(1 - 1e-7);
    expect(x[0]).toBe(0);
    expect(x[x.length - 1]).toBe(0);
  }
});

test('no faster curve exists: raising any node exceeds a limit', () => {
  const rows = createSpeedRows(curvedGrid(80), ARM_LIMITS, 0.5);
  const { x } = solve(rows);
  for (let i = 1; i < x.length - 1; i++) {
    const raised = Float64Array.from(x);
    raised[i] = raised[i]! * 1.001;
    expect(excess(rows, raised), `node ${i}`).toBeGreaterThan(1 + 1e-7);
  }
});

test('halving every limit of acceleration and speed squared lengthens it by the root of two', () => {
  const rows = createSpeedRows(curvedGrid(81), ARM_LIMITS, 0.5);
  const n = rows.s.length;
  const x = new Float64Array(n);
  const half = {
    acceleration: new Float64Array(n).fill(0.5),
    speed_square: new Float64Array(n).fill(0.5),
  };
  solveSpeeds(rows, half, x);
  const slow = traceSpeeds(createSpeedCurve(rows.s), x);
  expect(slow / solve(rows).duration_s).toBeCloseTo(Math.SQRT2, 9);
});

test('a joint at rest limits nothing', () => {
  const start = Float64Array.of(0, -0.5, -1, 0, -1, 0);
  const end = Float64Array.of(1, -0.5, -1, 0, -1, 0);
  const grid = createTimingGrid({ kind: 'line', start, end }, 0, OFFSET);
  const { duration_s } = solve(createSpeedRows(grid, FREE, Number.POSITIVE_INFINITY));
  expect(duration_s).toBeGreaterThan(0.6);
  expect(duration_s).toBeLessThan(0.7);
});
