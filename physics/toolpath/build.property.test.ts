/**
 * Properties of every toolpath that passes the check: equal bits twice, contiguous motions,
 * consistent program and trajectory, setpoints within the limits. fast-check prints the seed.
 * @module-tag ci
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import type { SegmentItem, Toolpath, TrajectoryItem } from '../../contract/types.generated.ts';
import {
  ACCELERATION_MAX_RAD_S2,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  VELOCITY_MAX_RAD_S,
} from '../arm/arm-model.ts';
import { createTool, toolPoseAt } from '../kinematics/tool.ts';
import { largestDifference } from '../math/vector.ts';
import { createPathSample, type JointPath, samplePath } from '../motion/joint-path.ts';
import { differenceSegment } from '../motion/poses.cases.ts';
import { buildToolpath } from './build.ts';
import type { Condition } from './conditions.ts';
import { plainToolpath, validToolpath } from './generator.cases.ts';
import { goldenOf } from './golden.cases.ts';
import type { Program } from './program.ts';
import { executeStep, startCursor } from './program-interpreter.ts';

const BOTH = { program: true, trajectory: true };
const PROGRAM = { program: true, trajectory: false };
const PERIOD_S = 0.01;
/** Motions requested to take longer than this stay far from every limit. */
const LONG_S = 4;

function endOf(path: JointPath, s: 0 | 1): Float64Array {
  const sample = createPathSample();
  samplePath(path, s, sample);
  return sample.q;
}

/**
 * Plays one loop or restart and returns the motions' ends; `choose` decides which conditions hold.
 */
function playLoop(program: Program, choose: (condition: Condition) => boolean): Float64Array[][] {
  const cursor = startCursor(program);
  const ends: Float64Array[][] = [];
  let now_s = 0;
  for (let steps = 0; steps < 10_000; steps++) {
    now_s += 1000;
    const effect = executeStep(program, cursor, { now_s, holds: choose });
    const waited = effect.kind === 'waiting';
    const move =
      effect.kind === 'move' ? effect.move : effect.kind === 'loop_done' ? effect.way_back : null;
    if (move) ends.push([endOf(move.path, 0), endOf(move.path, 1)]);
    if (waited) cursor.step = programNext(program, cursor.step);
    if (effect.kind === 'loop_done' || effect.kind === 'restart') return ends;
  }
  throw new Error('the loop does not end');
}

function programNext(program: Program, index: number): number {
  const step = program.steps[index]!;
  return step.kind === 'wait' ? step.next : index;
}

function segmentsOf(timeline: readonly TrajectoryItem[]): SegmentItem[] {
  return timeline.flatMap((item) => {
    if (item.type === 'segment') return [item];
    if (item.type === 'grid') return item.iterations.flatMap(segmentsOf);
    if (item.type === 'call-routine') return [item.enter, item.exit];
    if (item.type === 'if') return item.branches.flatMap((branch) => segmentsOf(branch.timeline));
    return [];
  });
}

/** Position of the tool point at each setpoint (m). */
function toolPlaces({ setpoints }: SegmentItem, { metadata }: Toolpath): number[][] {
  const tool = createTool(metadata.tcp_config);
  return setpoints.map(({ joints }) => [
    ...toolPoseAt(Float64Array.from(joints!), tool).subarray(9, 12),
  ]);
}

/** Highest share of the automatic speed cap that the tool point's differences show. */
function toolShare(segment: SegmentItem, toolpath: Toolpath): number {
  const places = toolPlaces(segment, toolpath);
  let highest = 0;
  for (let i = 1; i < places.length - 1; i++) {
    const [x, y, z] = [0, 1, 2].map((k) => places[i]![k]! - places[i - 1]![k]!);
    const speed_m_s = Math.hypot(x!, y!, z!) / PERIOD_S;
    highest = Math.max(highest, speed_m_s / limits.speed_automatic_m_per_s);
  }
  return highest;
}

function isWithinRanges({ setpoints }: SegmentItem): boolean {
  return setpoints.every(({ joints }) =>
    joints!.every((angle, j) => angle >= JOINT_MIN_RAD[j]! && angle <= JOINT_MAX_RAD[j]!),
  );
}

/** Differences of setpoints are averages of the true rates, so they can only be smaller. */
function highestRates({ setpoints }: SegmentItem): { speed: number; acceleration: number } {
  let speed = 0;
  let acceleration = 0;
  // The last setpoint follows after less than a period.
  for (let i = 1; i < setpoints.length - 1; i++) {
    for (let j = 0; j < 6; j++) {
      const q = (k: number) => setpoints[k]!.joints![j]!;
      speed = Math.max(speed, Math.abs(q(i) - q(i - 1)) / PERIOD_S / VELOCITY_MAX_RAD_S[j]!);
      if (i < 2) continue;
      const change = (q(i) - 2 * q(i - 1) + q(i - 2)) / PERIOD_S / PERIOD_S;
      acceleration = Math.max(acceleration, Math.abs(change) / ACCELERATION_MAX_RAD_S2[j]!);
    }
  }
  return { speed, acceleration };
}

/** The same toolpath, fast, so that the limits of the joints matter. */
function hurried(toolpath: Toolpath): Toolpath {
  return { ...toolpath, metadata: { ...toolpath.metadata, default_max_speed: 1.5 } };
}

describe('every valid toolpath', () => {
  it('can be built in most cases, so that these tests are meaningful', () => {
    const toolpaths = fc.sample(validToolpath(), { seed: 1, numRuns: 24 });
    const built = toolpaths.filter((toolpath) => buildToolpath(toolpath, BOTH).kind === 'built');
    expect(built.length).toBeGreaterThan(12);
  });

  it('builds to equal bits twice, or to the same error', () => {
    fc.assert(
      fc.property(validToolpath(), (toolpath) => {
        expect(goldenOf(toolpath)).toEqual(goldenOf(structuredClone(toolpath)));
      }),
      { numRuns: 15 },
    );
  });

  it('gives a program with contiguous motions, whichever branches are taken', () => {
    const choices = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(validToolpath(), choices, (toolpath, taken) => {
        const result = buildToolpath(toolpath, { program: true, trajectory: false });
        if (result.kind !== 'built') return;
        let asked = 0;
        const ends = playLoop(result.program!, () => taken[asked++ % taken.length]!);
        let place = result.program!.home;
        for (const [start, end] of ends) {
          expect(largestDifference(start!, place)).toBe(0);
          place = end!;
        }
        if (ends.length > 0) expect(largestDifference(place, result.program!.home)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  it('has a trajectory with setpoints within the limits, or an error', () => {
    fc.assert(
      fc.property(validToolpath().map(hurried), (toolpath) => {
        const result = buildToolpath(toolpath, { program: false, trajectory: true });
        const { error, duration, timeline = [], routines = [] } = result.trajectory!;
        expect(error === undefined).toBe(result.kind === 'built');
        expect(duration === undefined).toBe(result.kind !== 'built');
        for (const segment of [timeline, ...routines.map((r) => r.timeline)].flatMap(segmentsOf)) {
          expect(segment.setpoints.length).toBeGreaterThan(0);
          if (!segment.result) continue;
          const { speed, acceleration } = highestRates(segment);
          expect(speed).toBeLessThanOrEqual(1);
          expect(acceleration).toBeLessThanOrEqual(1);
          expect(toolShare(segment, toolpath)).toBeLessThanOrEqual(1);
          expect(isWithinRanges(segment)).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('has a program whose motions keep every limit at 1 kHz, in teach and automatic', () => {
    let worst = 0;
    fc.assert(
      fc.property(validToolpath().map(hurried), (toolpath) => {
        const { program } = { program: null, ...buildToolpath(toolpath, PROGRAM) };
        for (const step of program?.steps ?? []) {
          if (step.kind !== 'move') continue;
          const { path, automatic, teach } = step.move;
          for (const [profile, tool_speed_m_s] of [
            [automatic, limits.speed_automatic_m_per_s],
            [teach, limits.speed_teach_m_per_s],
          ] as const) {
            if (profile.duration_s > LONG_S) continue;
            const caps = { tool_speed_m_s, tool_offset_m: program!.tool_offset_m };
            const ratios = differenceSegment({ path, profile }, 0.001, caps);
            worst = Math.max(worst, ...Object.values(ratios));
          }
        }
        // Third differences of doubles carry rounding of this size.
        expect(worst).toBeLessThan(1 + 2e-5);
      }),
      { numRuns: 6 },
    );
    expect(worst).toBeGreaterThan(0.9);
  });

  it('finds the same faults with and without the program', () => {
    fc.assert(
      fc.property(validToolpath(), (toolpath) => {
        const replied = buildToolpath(toolpath, { program: false, trajectory: true });
        const both = buildToolpath(toolpath, BOTH);
        expect(replied.kind).toBe(both.kind);
        expect(replied.trajectory).toEqual(both.trajectory);
        const played = buildToolpath(toolpath, { program: true, trajectory: false });
        expect(played.kind).toBe(both.kind);
      }),
      { numRuns: 12 },
    );
  });
});

it('a fault in one of many motions is found at every position', () => {
  const free = plainToolpath();
  const below = {
    label_id: 99,
    joints: [0, -2.3, 0, 0, 0, 0] as [number, number, number, number, number, number],
  };
  const waypoints = [...free.waypoints, below];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(11), (count, at) => {
      const place = at % count;
      const timeline: Toolpath['timeline'] = [{ type: 'home', waypoint_id: 0 }];
      for (let i = 0; i < count; i++) {
        const waypoint_id = i === place ? waypoints.length - 1 : i % 2;
        timeline.push({ type: 'trajectory', trajectory: 'joint_space', waypoint_id });
      }
      const result = buildToolpath({ ...free, waypoints, timeline }, BOTH);
      expect(result).toMatchObject({ kind: 'soft', path: `/timeline/${place + 1}` });
    }),
    { numRuns: 20 },
  );
});
