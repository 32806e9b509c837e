/** The trajectory reply against §2.3: items, transitions, grids, waypoint lists, durations. */
import { describe, expect, it } from 'vitest';
import type {
  Action,
  CallRoutineItem,
  Joints,
  SegmentItem,
  Toolpath,
  Trajectory,
  TrajectoryItem,
} from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { buildToolpath } from './build.ts';
import { gridCorners } from './generator.cases.ts';

const HOME: Joints = [0, 0.4, -1.6, 0, -1.1, 0];
const LEFT: Joints = [0.2, 0.4, -1.6, 0, -1.1, 0];
const RIGHT: Joints = [-0.2, 0.4, -1.6, 0, -1.1, 0];
const { w0, wx, wy } = gridCorners(0);
const POSES = [HOME, w0, wx, wy, LEFT, RIGHT];
const SET: Action = {
  type: 'output-set',
  io: { location: 'base', type: 'digital', index: 2 },
  value: true,
};
const INPUT = {
  type: 'input',
  io: { location: 'base', type: 'digital', index: 0 },
  value: true,
} as const;

function go(waypoint_id: number, more: object = {}): Action {
  return { type: 'trajectory', trajectory: 'joint_space', waypoint_id, ...more };
}

function pause(duration: number): Action {
  return { type: 'wait', condition: { type: 'time', duration } };
}

function pass(waypoint_id: number): Action {
  return { type: 'trajectory', pass_through: true, waypoint_id };
}

function trajectoryOf(timeline: Action[], routines?: Toolpath['routines']): Trajectory {
  const toolpath: Toolpath = {
    metadata: {
      version: 2,
      default_max_speed: 0.4,
      payload: 0.5,
      next_label_id: 10,
      analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    },
    waypoints: POSES.map((joints, i) => ({ label_id: i, joints })),
    timeline: [{ type: 'home', waypoint_id: 0 }, ...timeline],
    ...(routines ? { routines } : {}),
  };
  const trajectory = buildToolpath(toolpath, { program: false, trajectory: true }).trajectory!;
  expect(validate('Trajectory', trajectory, { dialect: 'documented' }).ok).toBe(true);
  return trajectory;
}

function kinds(items: readonly TrajectoryItem[]): string[] {
  return items.map((item) => item.type);
}

function segment(item: TrajectoryItem | undefined): SegmentItem {
  if (item?.type !== 'segment') throw new Error(`not a segment but ${item?.type}`);
  return item;
}

function call(item: TrajectoryItem | undefined): CallRoutineItem {
  if (item?.type !== 'call-routine') throw new Error(`not a call but ${item?.type}`);
  return item;
}

function first(item: SegmentItem): number[] {
  return item.setpoints[0]!.joints!;
}

function last(item: SegmentItem): number[] {
  return item.setpoints.at(-1)!.joints!;
}

function flange(joints: readonly number[]): number[] {
  const frames = createFrames();
  forward(joints, frames);
  const at = FLANGE_FRAME * FRAME_SIZE + 9;
  return [...frames.subarray(at, at + 3)];
}

function toolAxis(joints: readonly number[]): number[] {
  const frames = createFrames();
  forward(joints, frames);
  return [2, 5, 8].map((k) => frames[FLANGE_FRAME * FRAME_SIZE + k]!);
}

describe('a segment', () => {
  it('runs from waypoint to waypoint in steps of 10 ms', () => {
    const { timeline, duration } = trajectoryOf([go(4, { time: 1.5 })]);
    const item = segment(timeline![0]);
    expect(item.waypoints).toEqual([0, 4]);
    expect(first(item)).toEqual(HOME);
    expect(last(item)).toEqual(LEFT);
    expect(item.setpoints).toHaveLength(151);
    expect(duration).toBeCloseTo(1.5, 9);
  });

  it('names the waypoints that a spline passes through', () => {
    const { timeline } = trajectoryOf([pass(2), go(4, { trajectory: 'spline' })]);
    expect(kinds(timeline!)).toEqual(['segment']);
    expect(segment(timeline![0]).waypoints).toEqual([0, 2, 4]);
  });

  it('keeps the tool on a straight line when it is linear', () => {
    const { timeline } = trajectoryOf([go(4, { trajectory: 'linear' })]);
    const [from, to] = [flange(HOME), flange(LEFT)];
    const along = to.map((value, k) => value - from[k]!);
    const square = along.reduce((sum, x) => sum + x * x, 0);
    for (const { joints } of segment(timeline![0]).setpoints) {
      const off = flange(joints!).map((value, k) => value - from[k]!);
      const share = off.reduce((sum, x, k) => sum + x * along[k]!, 0) / square;
      const miss = off.map((value, k) => value - share * along[k]!);
      expect(Math.hypot(...miss)).toBeLessThan(1e-6);
    }
  });

  it('ignores a pass-through in joint space', () => {
    const { timeline } = trajectoryOf([pass(5), go(4)]);
    expect(first(segment(timeline![0]))).toEqual(HOME);
    expect(segment(timeline![0]).setpoints.every(({ joints }) => joints![0]! >= 0)).toBe(true);
  });

  it('marks the setpoints that collide and leaves those before it valid', () => {
    const down: Joints = [0, -2.3, 0, 0, 0, 0];
    POSES.push(down);
    const { timeline, error } = trajectoryOf([go(POSES.length - 1)]);
    POSES.pop();
    const item = segment(timeline![0]);
    expect(error).toContain('plane_collision');
    expect(item.result).toBe(false);
    const bad = item.setpoints.map(({ result }) => result === 'error');
    expect(bad[0]).toBe(false);
    expect(bad.at(-1)).toBe(true);
    expect(bad.indexOf(true)).toBe(bad.lastIndexOf(false) + 1);
  });
});

describe('the timeline', () => {
  it('omits home, and copies output, wait and restart', () => {
    const restart: Action[] = [go(0), { type: 'restart' }];
    const branches = [{ condition: INPUT, timeline: restart }];
    const { timeline } = trajectoryOf([SET, pause(2), go(4), { type: 'if', branches }, go(0)]);
    expect(kinds(timeline!)).toEqual(['output', 'wait', 'segment', 'if', 'segment']);
    expect(timeline![0]).toEqual({ ...SET, type: 'output' });
    expect(timeline![1]).toEqual(pause(2));
    const choice = timeline![3];
    if (choice?.type !== 'if') throw new Error('no if');
    expect(choice.branches[0]!.condition).toEqual(INPUT);
    expect(kinds(choice.branches[0]!.timeline)).toEqual(['segment', 'restart']);
  });

  it('continues after an if as if no branch were taken', () => {
    const branches = [{ condition: INPUT, timeline: [go(5)] }];
    const { timeline, duration } = trajectoryOf([go(4), { type: 'if', branches }, go(0)]);
    expect(first(segment(timeline![2]))).toEqual(LEFT);
    const plain = trajectoryOf([go(4), go(0)]);
    expect(duration).toBe(plain.duration);
  });

  it('counts time waits and no others', () => {
    const wait: Action = { type: 'wait', condition: INPUT };
    expect(trajectoryOf([pause(2), wait, pause(0.5)]).duration).toBe(2.5);
  });

  it('is empty without motion', () => {
    expect(trajectoryOf([])).toEqual({ duration: 0, timeline: [] });
  });
});

describe('a grid', () => {
  const cell: Action = { type: 'grid-waypoint', z_offset: 0 };

  it('visits its cells row by row, from the first to the last column', () => {
    const grid: Action = { type: 'grid', cols: 2, rows: 2, w0: 1, wx: 2, wy: 3, timeline: [cell] };
    const { timeline } = trajectoryOf([grid]);
    const item = timeline![0];
    if (item?.type !== 'grid') throw new Error('no grid');
    const ends = item.iterations.map((body) => flange(last(segment(body[0]))));
    const [a, x, y] = [flange(w0), flange(wx), flange(wy)];
    expect(ends).toHaveLength(4);
    for (let k = 0; k < 3; k++) {
      expect(ends[0]![k]).toBeCloseTo(a[k]!, 9);
      expect(ends[1]![k]).toBeCloseTo(x[k]!, 9);
      expect(ends[2]![k]).toBeCloseTo(y[k]!, 9);
      expect(ends[3]![k]).toBeCloseTo(x[k]! + y[k]! - a[k]!, 9);
    }
  });

  it('names its cells -1 and starts each at the end of the one before', () => {
    const grid: Action = {
      type: 'grid',
      cols: 1,
      rows: 3,
      w0: 1,
      wx: 2,
      wy: 3,
      timeline: [cell, SET],
    };
    const { timeline } = trajectoryOf([grid, go(0)]);
    const item = timeline![0];
    if (item?.type !== 'grid') throw new Error('no grid');
    const segments = item.iterations.map((body) => segment(body[0]));
    expect(segments.map(({ waypoints }) => waypoints)).toEqual([
      [0, -1],
      [-1, -1],
      [-1, -1],
    ]);
    expect(first(segments[1]!)).toEqual(last(segments[0]!));
    expect(segment(timeline![1]).waypoints).toEqual([-1, 0]);
  });

  it('lifts cells against the direction in which the tool points', () => {
    const lifted: Action = { type: 'grid-waypoint', z_offset: 0.03 };
    const timeline = [cell, lifted];
    const grid: Action = { type: 'grid', cols: 2, rows: 1, w0: 1, wx: 2, wy: 3, timeline };
    const [item] = trajectoryOf([grid]).timeline!;
    if (item?.type !== 'grid') throw new Error('no grid');
    const [low, high] = item.iterations[0]!.map((entry) => flange(last(segment(entry))));
    const lift = high!.map((value, k) => value - low![k]!);
    expect(Math.hypot(...lift)).toBeCloseTo(0.03, 9);
    const away = lift.reduce((sum, x, k) => sum - x * toolAxis(w0)[k]!, 0);
    expect(away).toBeGreaterThan(0);
  });
});

describe('a routine', () => {
  const dip: Action = { type: 'call-routine', routine: 'dip' };

  it('has enter and exit transitions that are not listed twice', () => {
    const routines = [{ name: 'dip', timeline: [go(4), SET, go(5)] }];
    const trajectory = trajectoryOf([dip, go(0)], routines);
    expect(kinds(trajectory.timeline!)).toEqual(['call-routine']);
    const { enter, exit, routine } = call(trajectory.timeline![0]);
    expect(routine).toBe('dip');
    expect([first(enter), last(enter)]).toEqual([HOME, LEFT]);
    expect([first(exit), last(exit)]).toEqual([RIGHT, HOME]);
    expect(kinds(trajectory.routines![0]!.timeline)).toEqual(['output', 'segment']);
  });

  it('has transitions without motion where no motion is next to the call', () => {
    const routines = [{ name: 'dip', timeline: [SET, go(4)] }];
    const trajectory = trajectoryOf([dip, SET, go(0)], routines);
    const { enter, exit } = call(trajectory.timeline![0]);
    expect(enter.setpoints).toEqual([{ result: 'success', joints: HOME }]);
    expect(exit.setpoints).toEqual([{ result: 'success', joints: LEFT }]);
    expect(kinds(trajectory.routines![0]!.timeline)).toEqual(['output', 'segment']);
    expect(kinds(trajectory.timeline!)).toEqual(['call-routine', 'output', 'segment']);
  });

  it('is listed once and counts the duration of each call', () => {
    const routines = [{ name: 'dip', timeline: [go(4), pause(1)] }];
    const twice = trajectoryOf([dip, go(5), dip, go(0)], routines);
    const spelt = trajectoryOf([go(4), pause(1), go(5), go(4), pause(1), go(0)]);
    expect(twice.routines).toHaveLength(1);
    expect(twice.duration).toBeCloseTo(spelt.duration!, 12);
    expect(first(call(twice.timeline![1]).enter)).toEqual(RIGHT);
  });

  it('is listed without a call too, from its own first waypoint', () => {
    const { routines, duration } = trajectoryOf([], [{ name: 'spare', timeline: [go(4), go(5)] }]);
    expect(kinds(routines![0]!.timeline)).toEqual(['segment']);
    expect(first(segment(routines![0]!.timeline[0]))).toEqual(LEFT);
    expect(duration).toBe(0);
  });

  it('has no list when the toolpath has no routines', () => {
    expect(trajectoryOf([go(4)])).not.toHaveProperty('routines');
  });
});
