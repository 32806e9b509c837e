/**
 * Limits that emitted setpoints of random moves of all kinds must keep; shared by quick and slow
 * runs.
 */
import { expect, it } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { planJointMove } from './joint-move.ts';
import { planLinearMove } from './linear-move.ts';
import type { MotionCaps } from './motion-caps.ts';
import { toolOf } from './motion-caps.ts';
import {
  differenceSegment,
  largestToolSpeed,
  lineEnd,
  randomLinearMove,
  randomPose,
  type WorstRatios,
} from './poses.cases.ts';
import { planResume } from './resume.ts';
import type { Segment, SegmentPlan } from './segment.ts';
import { planSplineMove } from './spline-move.ts';

export const DEFAULT_CAPS: MotionCaps = { tool_speed_m_s: 0.6, tool_offset_m: [0.01, 0, 0.12] };
export const FAST_CAPS: MotionCaps = { ...DEFAULT_CAPS, tool_speed_m_s: 1.5 };
/** Third differences of doubles carry this much rounding at 1 kHz (of 100 rad/s³). */
const ROUNDING = 2e-5;

function expectWithin(worst: WorstRatios, seed: string): void {
  expect(worst.velocity, seed).toBeLessThan(1);
  expect(worst.acceleration, seed).toBeLessThan(1);
  expect(worst.jerk, seed).toBeLessThan(1 + ROUNDING);
  expect(worst.tool_speed, seed).toBeLessThan(1);
  expect(worst.tool_acceleration, seed).toBeLessThan(1);
}

function expectBothRates(segment: Segment, caps: MotionCaps, seed: string): WorstRatios {
  expectWithin(differenceSegment(segment, 0.01, caps), seed);
  const worst = differenceSegment(segment, 0.001, caps);
  expectWithin(worst, seed);
  return worst;
}

function closest(worst: WorstRatios): number {
  return Math.max(...Object.values(worst));
}

/** A kind of move, how to plan the next one, and how close to a limit each must come: differences
 * over three periods level a short peak. */
export interface MoveKind {
  readonly name: string;
  readonly seed: number;
  readonly closest: number;
  plan(random: () => number, caps: MotionCaps): Segment | null;
}

function segmentOf(plan: SegmentPlan): Segment | null {
  return plan.kind === 'planned' ? plan.segment : null;
}

/** A line that the arm can follow; null where its tracking finds a singularity. */
function planLine(random: () => number, caps: MotionCaps): Segment | null {
  const move = randomLinearMove(random, toolOf(caps));
  return segmentOf(planLinearMove({ ...move, caps, waypoints: [] }));
}

/** A spline of four waypoints, each in reach of the one before; null where it leaves its branch. */
function planSpline(random: () => number, caps: MotionCaps): Segment | null {
  const tool = toolOf(caps);
  const { start, end: first } = randomLinearMove(random, tool);
  const second = lineEnd(random, first, tool);
  const end = second && lineEnd(random, second, tool);
  if (!second || !end) return null;
  const through = [first, second];
  return segmentOf(planSplineMove({ start, through, end, caps, waypoints: [] }));
}

function planJoints(random: () => number, caps: MotionCaps): Segment {
  return planJointMove({ start: randomPose(random), end: randomPose(random), caps, waypoints: [] });
}

export const MOVE_KINDS: readonly MoveKind[] = [
  {
    name: 'joint moves',
    seed: 101,
    closest: 0.95,
    plan: planJoints,
  },
  { name: 'linear moves', seed: 102, closest: 0.75, plan: planLine },
  { name: 'spline moves', seed: 103, closest: 0.85, plan: planSpline },
  {
    name: 'resumed linear moves',
    seed: 104,
    closest: 0.85,
    plan: (random, caps) => {
      const line = planLine(random, caps);
      return line && planResume({ path: line.path, s: 0.95 * random(), caps });
    },
  },
];

/** Plans `count` moves of a kind; each keeps every limit at 100 Hz and 1 kHz and comes near one. */
export function expectLimitsKept(kind: MoveKind, count: number, caps: MotionCaps): void {
  const random = createPrng(kind.seed);
  let planned = 0;
  for (let n = 0; n < 10 * count && planned < count; n++) {
    const segment = kind.plan(random, caps);
    if (!segment) continue;
    planned++;
    const name = `${kind.name}, seed ${kind.seed}, move ${n}`;
    const worst = expectBothRates(segment, caps, name);
    expect(closest(worst), name).toBeGreaterThan(kind.closest);
  }
  expect(planned).toBe(count);
}

/** Tool speed caps (m/s) of slow and fast moves. */
const SPEED_CAPS_M_S = [0.05, 0.25, 0.6, 1.5];
/** Tool points in the flange frame (m). */
const TOOL_POINTS = [
  [0, 0, 0],
  [0.01, 0, 0.12],
  [0.1, 0.05, 0.3],
] as const;

/** Kinds of moves for the tool speed: those of every limit, and joint moves in part. */
const SPEED_KINDS: readonly Pick<MoveKind, 'name' | 'plan'>[] = [
  ...MOVE_KINDS,
  {
    name: 'short joint moves',
    plan: (random, caps) => {
      const [start, far, share] = [randomPose(random), randomPose(random), 0.3 * random()];
      const end = start.map((angle, j) => angle + share * (far[j]! - angle));
      return planJointMove({ start, end, caps, waypoints: [] });
    },
  },
  {
    name: 'resumed joint moves',
    plan: (random, caps) =>
      planResume({ path: planJoints(random, caps).path, s: 0.95 * random(), caps }),
  },
];

/** Moves of each kind whose tool speed exceeds the cap anywhere, of `count` moves. */
export function movesOverSpeed(count: number, seed: number, samples: number): string[] {
  return SPEED_KINDS.flatMap(({ name, plan }) => {
    const random = createPrng(seed);
    const found: string[] = [];
    for (let n = 0; n < count; n++) {
      const caps: MotionCaps = {
        tool_speed_m_s: SPEED_CAPS_M_S[n % 4]!,
        tool_offset_m: TOOL_POINTS[n % 3]!,
      };
      const segment = plan(random, caps);
      const ratio = segment ? largestToolSpeed(segment, caps, samples) : 0;
      if (ratio > 1) found.push(`${name}, seed ${seed}, move ${n}: ${ratio}`);
    }
    return found;
  });
}

/** Every kind of move, at usual and at fast speeds of the tool, over so many moves each. */
export function emittedLimitCases(moves: number): void {
  for (const kind of MOVE_KINDS) {
    for (const caps of [DEFAULT_CAPS, FAST_CAPS]) {
      it(`${kind.name} at ${caps.tool_speed_m_s} m/s keep every limit and come near one`, () => {
        expectLimitsKept(kind, moves, caps);
      });
    }
  }
}
