/** What the invariant monitor measures: speed of the flange, distance from a path, the stream. */
import { describe, expect, it } from 'vitest';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import type { JointPath } from '../../physics/motion/joint-path.ts';
import { FlangeObserver } from './flange-observer.ts';
import { PathObserver } from './path-observer.ts';
import { AWAY, HOME, IdealArm } from './robot-harness.cases.ts';
import { StreamObserver } from './stream-observer.ts';

const TICK_S = 0.004;

/** Origin of the flange (m): the last three numbers of its frame. */
function flange_m(pose_rad: Float64Array): Float64Array {
  const frames = createFrames();
  forward(pose_rad, frames);
  return frames.slice(-3);
}

function apart_m(from: Float64Array, to: Float64Array): number {
  const a = flange_m(from);
  const b = flange_m(to);
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

describe('the speed of the flange', () => {
  const home = Float64Array.from(HOME);
  const turned = Float64Array.from(AWAY);
  const lifted = home.map((angle, j) => (j === 1 ? angle - 0.5 : angle));

  it.each([
    ['beside it', turned],
    ['above it', lifted],
  ])('is that between two ticks, to a pose %s', (_, pose) => {
    const observer = new FlangeObserver();
    observer.speed_m_s(home, 7);
    const there = observer.speed_m_s(pose, 8);
    expect(there).toBeCloseTo(apart_m(home, pose) / TICK_S, 9);
    expect(there).toBeGreaterThan(10);
    expect(observer.speed_m_s(pose, 9)).toBe(0);
    expect(observer.speed_m_s(home, 10)).toBeCloseTo(there, 9);
  });

  it.each([0, 1, 2, 50])('is 0 at the first tick, %i', (tick) => {
    expect(new FlangeObserver().speed_m_s(home, tick)).toBe(0);
  });

  it.each([6, 7, 9, 12])('is 0 at tick %i after tick 7', (tick) => {
    const observer = new FlangeObserver();
    observer.speed_m_s(home, 7);
    expect(observer.speed_m_s(turned, tick)).toBe(0);
  });

  it.each([0, 1, 7])('forgets tick %i when the arm was put elsewhere', (tick) => {
    const observer = new FlangeObserver();
    observer.speed_m_s(home, tick);
    observer.restart();
    expect(observer.speed_m_s(turned, tick + 1)).toBe(0);
    expect(observer.speed_m_s(home, tick + 2)).toBeGreaterThan(10);
  });

  it('of one reading is where the joints would lead to in a tick', () => {
    const velocity_rad_s = Float64Array.of(20, -30, 25, 0, 10, 40);
    const feedback = { ...new IdealArm().feedback, velocity_rad_s };
    const next = home.map((angle, j) => angle + velocity_rad_s[j]! * TICK_S);
    const expected = apart_m(home, next) / TICK_S;
    expect(new FlangeObserver().speedAt_m_s(feedback)).toBeCloseTo(expected, 9);
  });

  it.each([1, 7])('is not that between a reading and the tick before, %i', (tick) => {
    const observer = new FlangeObserver();
    observer.speed_m_s(home, tick);
    observer.speedAt_m_s(new IdealArm().feedback);
    expect(observer.speed_m_s(turned, tick + 1)).toBe(0);
  });
});

const pose = (...angles: number[]): Float64Array => {
  const all = new Float64Array(6);
  all.set(angles);
  return all;
};

/** A path that rests at each of its nodes, so that the distance is that of the nearest node. */
function restingAt(...nodes: readonly Float64Array[]): JointPath {
  const size = 6 * nodes.length;
  const q = new Float64Array(size);
  nodes.forEach((node, i) => {
    q.set(node, 6 * i);
  });
  const s = Float64Array.from(nodes, (_, i) => i / (nodes.length - 1));
  const none = () => new Float64Array(size);
  return { kind: 'table', s, q, q1: none(), q2: none(), q3_left: none(), q3_right: none() };
}

const firstJoint = (...angles: number[]) => restingAt(...angles.map((angle) => pose(angle)));

describe('the distance from a line', () => {
  const line: JointPath = { kind: 'line', start: pose(0, 1), end: pose(2, 1) };

  it.each([
    ['on it', pose(0.5, 1), 0],
    ['at its start', pose(0, 1), 0],
    ['at its end', pose(2, 1), 0],
    ['beside it', pose(1.7, 1, 0, 0, 0.3, -0.4), 0.5],
    ['before its start', pose(-3, 5), 5],
    ['behind its end', pose(5, -3), 5],
  ])('of a pose %s', (_, at, expected) => {
    expect(new PathObserver().distance_rad(line, at, 1e-5)).toBeCloseTo(expected, 12);
  });

  it('is that of its point where a line does not move', () => {
    const point: JointPath = { kind: 'line', start: pose(1, 1), end: pose(1, 1) };
    expect(new PathObserver().distance_rad(point, pose(4, 5), 1e-5)).toBe(5);
  });
});

describe('the distance from a table', () => {
  /** A circle of radius 1 in the first and last joint, from (1, 0) back to it. */
  function circle(): JointPath {
    const turn = 2 * Math.PI;
    const nodes = Array.from({ length: 17 }, (_, i) => i / 16);
    const table = (of: (angle: number) => Float64Array) =>
      Float64Array.from(nodes.flatMap((s) => [...of(turn * s)]));
    const { sin, cos } = Math;
    const q = table((a) => pose(cos(a), 0, 0, 0, 0, sin(a)));
    const q1 = table((a) => pose(-turn * sin(a), 0, 0, 0, 0, turn * cos(a)));
    const q2 = table((a) => pose(-turn * turn * cos(a), 0, 0, 0, 0, -turn * turn * sin(a)));
    const none = new Float64Array(q.length);
    return { kind: 'table', s: Float64Array.from(nodes), q, q1, q2, q3_left: none, q3_right: none };
  }

  const around = Array.from({ length: 41 }, (_, i) => (2 * Math.PI * i) / 40);

  it.each([
    [0, 0],
    [0.3, 0],
    [-0.3, 0],
    [0, 0.2],
  ])('of poses around it, %d outside and %d above', (outside, above) => {
    const path = circle();
    const observer = new PathObserver();
    for (const a of around) {
      const r = 1 + outside;
      const at = pose(r * Math.cos(a), 0, above, 0, 0, r * Math.sin(a));
      const expected = Math.hypot(outside, above);
      expect(observer.distance_rad(path, at, 1e-4)).toBeCloseTo(expected, 4);
      expect(new PathObserver().distance_rad(path, at, 1e-4)).toBeCloseTo(expected, 4);
    }
  });

  /** From 0 to 1 in the first joint with a speed at each end; almost at rest at one of them. */
  function slowAt(end: 'start' | 'end'): JointPath {
    const path = firstJoint(0, 1);
    if (path.kind === 'table') path.q1.set([end === 'end' ? 1 : 0.02, 0, 0, 0, 0, 0]);
    if (path.kind === 'table') path.q1.set([end === 'end' ? 0.02 : 1, 0, 0, 0, 0, 0], 6);
    return path;
  }

  it.each([
    ['end', 0.51],
    ['start', 0.49],
  ] as const)('is found where the first step from its %s leads beyond the path', (end, angle) => {
    expect(new PathObserver().distance_rad(slowAt(end), pose(angle), 1e-5)).toBeLessThan(1e-4);
  });

  it('is that of the nearest of all nodes in all joints', () => {
    const nodes = [pose(1, 2, 3, 4, 5, 6), pose(6, 5, 4, 3, 2, 1), pose(-1, 0, 2, 0, -3, 1)];
    const path = restingAt(...nodes);
    for (const node of nodes) {
      const beside = node.map((angle, j) => angle + [0.1, 0.1, -0.1, 0.1, 0.4, -0.4][j]!);
      expect(new PathObserver().distance_rad(path, beside, 1e-5)).toBeCloseTo(0.6, 12);
    }
  });
});

describe('the search along a table', () => {
  /** Distance of the last pose, after the ones before it. */
  function distanceAfter(path: JointPath, tolerance_rad: number, angles: readonly number[]) {
    const observer = new PathObserver();
    const found = angles.map((angle) => observer.distance_rad(path, pose(angle), tolerance_rad));
    return found.at(-1);
  }

  it('looks at all nodes first', () => {
    expect(distanceAfter(firstJoint(0, 5, 1, 3), 10, [3.5])).toBe(0.5);
  });

  it('goes on from the node before', () => {
    const path = firstJoint(0, 2, 4, 6, 1);
    expect(distanceAfter(path, 1, [0.25, 1.25])).toBe(0.75);
    expect(distanceAfter(path, 1, [0.25, 1.75, 4.25])).toBe(0.25);
    expect(distanceAfter(firstJoint(0, 5, 1, 3), 10, [3, 3.5])).toBe(0.5);
  });

  it('looks at all nodes where the next ones are beyond the tolerance', () => {
    const path = firstJoint(0, 2, 4, 6, 1);
    expect(distanceAfter(path, 0.75, [0.25, 1.25])).toBe(0.75);
    expect(distanceAfter(path, 0.74, [0.25, 1.25])).toBe(0.25);
    expect(distanceAfter(path, 0.74, [0.25, 1.25, 1])).toBe(0);
  });

  it('stops at the last node', () => {
    expect(distanceAfter(firstJoint(5, 0, 2, 4), 1, [0, 4.75])).toBe(0.75);
  });

  it('passes nodes that are equally near', () => {
    expect(distanceAfter(firstJoint(0, 2, 1), 1, [0, 1])).toBe(0);
  });

  it('takes the first of the nearest nodes, as a closed path begins where it ends', () => {
    expect(distanceAfter(firstJoint(0, 2, 9), 10, [1, -0.5])).toBe(0.5);
  });

  it('begins again with another path', () => {
    const observer = new PathObserver();
    const other = firstJoint(0, 5, 1, 3);
    observer.distance_rad(firstJoint(0, 2, 4, 6), pose(6), 10);
    expect(observer.distance_rad(other, pose(0.5), 10)).toBe(0.5);
    expect(observer.distance_rad(other, pose(4), 10)).toBe(1);
  });
});

describe('the snapshot that a subscriber knows', () => {
  const snapshot = () => ({
    global: { estop: false, tool: 'none' },
    joints: [1, 2],
    tick: { n: 1 },
  });
  const names = ['global', 'joints', 'tick'];

  it('is nothing without a subscriber', () => {
    const observer = new StreamObserver();
    observer.add({ global: { estop: true } });
    expect(observer.difference(snapshot(), names)).toBeNull();
    observer.start(snapshot());
    observer.start(null);
    observer.add({ global: { estop: true } });
    expect(observer.difference(snapshot(), names)).toBeNull();
  });

  it('is the one at its start', () => {
    const observer = new StreamObserver();
    observer.start(snapshot());
    expect(observer.difference(snapshot(), names)).toBeNull();
    const changed = { ...snapshot(), global: { estop: true, tool: 'none' } };
    expect(observer.difference(changed, names)).toContain('global.estop');
    expect(observer.difference(changed, names)).toMatch(/true.*false/);
    expect(observer.difference(changed, ['joints', 'tick'])).toBeNull();
  });

  it('takes changes of fields and whole lists', () => {
    const observer = new StreamObserver();
    observer.start(snapshot());
    observer.add({ global: { estop: true }, joints: [1, 3] });
    const changed = { ...snapshot(), global: { estop: true, tool: 'none' }, joints: [1, 3] };
    expect(observer.difference(changed, names)).toBeNull();
    expect(observer.difference({ ...changed, joints: [1, 2] }, names)).toContain('joints.1');
    observer.add({ tick: { n: 2 } });
    expect(observer.difference(changed, names)).toContain('tick.n');
    expect(observer.difference({ ...changed, tick: { n: 2 } }, names)).toBeNull();
  });
});
