/** Builds of joint-space moves: program, trajectory, soft and hard errors. */
import { describe, expect, it } from 'vitest';
import type { Action, Toolpath } from '../../contract/types.generated.ts';
import { largestDifference } from '../math/vector.ts';
import { type BuildResult, buildToolpath } from './build.ts';
import { END_OF_LOOP, type ProgramStep } from './program.ts';

const HOME = [0, 0.5, -1.7, 0, -1.2, 0] as const;
const LEFT = [0.4, 0.5, -1.7, 0, -1.2, 0] as const;
const RIGHT = [-0.4, 0.5, -1.7, 0, -1.2, 0] as const;
const FAR = [0.8, 0.3, -1.5, 0, -1.2, 0] as const;
/** Straight forward and down: below ground. */
const BELOW = [0, -2.3, 0, 0, 0, 0] as const;
const OUTSIDE = [0, 1.5, -1.7, 0, -1.2, 0] as const;
const BOTH = { program: true, trajectory: true };
const POSES = [HOME, LEFT, RIGHT, FAR, BELOW, OUTSIDE];

function toolpath(timeline: Action[], more: Partial<Toolpath> = {}): Toolpath {
  return {
    metadata: {
      version: 2,
      default_max_speed: 0.5,
      payload: 0,
      next_label_id: 10,
      analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    },
    waypoints: POSES.map((joints, i) => ({ label_id: i + 1, joints: [...joints] })),
    timeline: [{ type: 'home', waypoint_id: 0 }, ...timeline],
    ...more,
  };
}

function go(waypoint_id: number, more: object = {}): Action {
  return { type: 'trajectory', trajectory: 'joint_space', waypoint_id, ...more };
}

const SET: Action = {
  type: 'output-set',
  io: { location: 'base', type: 'digital', index: 1 },
  value: true,
};

const PRESSED = {
  type: 'input',
  io: { location: 'base', type: 'digital', index: 0 },
  value: true,
} as const;

function when(...timelines: Action[][]): Action {
  return {
    type: 'if',
    branches: timelines.map((timeline) => ({ condition: { ...PRESSED }, timeline })),
  };
}

function built(result: BuildResult): Extract<BuildResult, { kind: 'built' }> {
  if (result.kind !== 'built') throw new Error(result.error);
  return result;
}

function stepsOf(timeline: Action[], more: Partial<Toolpath> = {}): readonly ProgramStep[] {
  return built(buildToolpath(toolpath(timeline, more), BOTH)).program!.steps;
}

describe('the program', () => {
  it('starts every motion where the one before it ended', () => {
    const steps = stepsOf([go(1), SET, go(2), go(0)]);
    const moves = steps.filter((step) => step.kind === 'move').map((step) => step.move.path);
    expect(moves).toHaveLength(3);
    for (let i = 1; i < moves.length; i++) {
      const before = moves[i - 1]!;
      const after = moves[i]!;
      if (before.kind !== 'line' || after.kind !== 'line') throw new Error('not a line');
      expect(largestDifference(before.end, after.start)).toBe(0);
    }
  });

  it('ends the loop at home without a return move', () => {
    const steps = stepsOf([go(1), go(0)]);
    expect(steps.map((step) => step.kind)).toEqual(['move', 'move']);
    expect(steps[1]).toMatchObject({ next: END_OF_LOOP });
  });

  it('adds a return move when the loop ends elsewhere', () => {
    const steps = stepsOf([go(1)]);
    expect(steps.map((step) => step.kind)).toEqual(['move', 'return']);
    const [, back] = steps;
    if (back?.kind !== 'return' || back.move.path.kind !== 'line') throw new Error('no way back');
    expect([...back.move.path.end]).toEqual([...HOME]);
  });

  it('identifies each step by its position in the toolpath', () => {
    const steps = stepsOf([SET, when([go(1), go(0)]), go(0)]);
    expect(steps.map((step) => step.at)).toEqual([
      '/timeline/1',
      '/timeline/2',
      '/timeline/2/branches/0/timeline/0',
      '/timeline/3',
      '/timeline/2/branches/0/timeline/1',
    ]);
  });

  it('makes one variant of the steps after an if for each possible pose', () => {
    const steps = stepsOf([when([go(1)], [go(2)]), go(3), go(0)]);
    const after = steps.filter((step) => step.at === '/timeline/2');
    expect(after).toHaveLength(3);
    const starts = after.map((step) =>
      step.kind === 'move' && step.move.path.kind === 'line' ? step.move.path.start[0] : null,
    );
    expect(starts.sort()).toEqual([-0.4, 0, 0.4]);
  });

  it('joins the variants once the pose is the same', () => {
    const steps = stepsOf([when([go(1)], [go(2)]), go(3), go(0)]);
    expect(steps.filter((step) => step.at === '/timeline/3')).toHaveLength(1);
  });

  it('copies a routine into each call', () => {
    const routines = [{ name: 'dip', timeline: [go(3), SET] }];
    const call: Action = { type: 'call-routine', routine: 'dip' };
    const steps = stepsOf([go(1), call, go(2), call, go(0)], { routines });
    expect(steps.filter((step) => step.at === '/routines/0/timeline/0')).toHaveLength(2);
  });

  it('restarts from home only', () => {
    const good = stepsOf([when([go(1), go(0), { type: 'restart' }]), go(1), go(0)]);
    expect(good.some((step) => step.kind === 'restart')).toBe(true);
    const bad = buildToolpath(toolpath([when([go(1), { type: 'restart' }]), go(0)]), BOTH);
    expect(bad).toMatchObject({
      kind: 'soft',
      code: 'generation_error',
      path: '/timeline/1/branches/0/timeline/1',
    });
  });

  it('times moves for teach mode at no more than 0.25 m/s', () => {
    const [fast] = stepsOf([go(3), go(0)]);
    const [slow] = stepsOf([go(3, { max_speed: 0.2 }), go(0)]);
    if (fast?.kind !== 'move' || slow?.kind !== 'move') throw new Error('no move');
    expect(fast.move.teach.duration_s).toBeGreaterThan(fast.move.automatic.duration_s);
    expect(slow.move.teach).toBe(slow.move.automatic);
  });

  it('keeps a requested time in teach mode where the cap allows it', () => {
    const [step] = stepsOf([go(3, { time: 5 }), go(0)]);
    if (step?.kind !== 'move') throw new Error('no move');
    expect(step.move.automatic.duration_s).toBeCloseTo(5, 9);
    expect(step.move.teach.duration_s).toBeCloseTo(5, 9);
  });

  it('is absent unless requested', () => {
    const result = buildToolpath(toolpath([go(1)]), { program: false, trajectory: true });
    expect(built(result).program).toBeNull();
  });
});

describe('a soft error', () => {
  it('names the first action with a collision', () => {
    const result = buildToolpath(toolpath([go(1), go(4), go(2)]), BOTH);
    expect(result).toMatchObject({ kind: 'soft', code: 'plane_collision', path: '/timeline/2' });
  });

  it('names a waypoint outside the joint limits', () => {
    const result = buildToolpath(toolpath([go(5)]), BOTH);
    expect(result).toMatchObject({ kind: 'soft', code: 'j1_boundary_limit', path: '/timeline/1' });
  });

  it('names an end outside the joint limits behind a collision', () => {
    const base = toolpath([go(1)]);
    const [home] = base.waypoints;
    const waypoints = [home!, { ...home!, label_id: 9, joints: [0, -45, -1.7, 0, -1.2, 0] }];
    const result = buildToolpath({ ...base, waypoints } as Toolpath, BOTH);
    expect(result).toMatchObject({ kind: 'soft', code: 'plane_collision' });
    if (result.kind !== 'soft') throw new Error('built');
    expect(result.error).toMatch(/Behind it: J2 would be at -45.* in radians: -45° are -0\.7854\./);
  });

  it('names a home waypoint in collision', () => {
    for (const [waypoint_id, code] of [
      [4, 'plane_collision'],
      [5, 'j1_boundary_limit'],
    ] as const) {
      const timeline: Action[] = [{ type: 'home', waypoint_id }];
      const result = buildToolpath({ ...toolpath([]), timeline }, BOTH);
      expect(result).toMatchObject({ kind: 'soft', code, path: '/timeline/0' });
    }
  });

  it('is found in a variant that the trajectory does not list', () => {
    const zone = {
      name: 'post',
      position: { x: 0.3, y: 0.09, z: 0 },
      orientation: { w: 1, x: 0, y: 0, z: 0 },
      dimensions: { x: 0.05, y: 0.02, z: 1 },
      avoid: 'inside',
    } as const;
    const base = toolpath([when([go(1)]), go(2), go(0)]);
    const metadata = { ...base.metadata, avoidance_zones: [zone] };
    const result = buildToolpath({ ...base, metadata }, BOTH);
    expect(result).toMatchObject({
      kind: 'soft',
      code: 'object_collision',
      path: '/timeline/1/branches/0/timeline/0',
    });
    const { timeline } = result.trajectory!;
    expect(timeline!.every((item) => item.type !== 'segment' || item.result)).toBe(true);
  });

  it('is a requested time that is too short', () => {
    const result = buildToolpath(toolpath([go(3, { time: 0.1 })]), BOTH);
    expect(result).toMatchObject({ kind: 'soft', code: 'time_too_short', path: '/timeline/1' });
    const segment = result.trajectory!.timeline![0]!;
    if (segment.type !== 'segment') throw new Error('no segment');
    expect(segment.setpoints[0]).toMatchObject({ result: 'error', error: 'time_too_short' });
  });

  it('is found in an uncalled routine, with the trajectory and with the program only', () => {
    const routines = [{ name: 'spare', timeline: [go(1), go(4)] }];
    const spare = toolpath([go(1), go(0)], { routines });
    const fault = { kind: 'soft', code: 'plane_collision', path: '/routines/0/timeline/1' };
    expect(buildToolpath(spare, BOTH)).toMatchObject(fault);
    expect(buildToolpath(spare, { program: true, trajectory: false })).toMatchObject(fault);
  });

  it('is a pass-through without a following motion', () => {
    const pass: Action = { type: 'trajectory', pass_through: true, waypoint_id: 1 };
    const result = buildToolpath(toolpath([go(1), go(0), pass]), BOTH);
    expect(result).toMatchObject({ kind: 'soft', code: 'too_few_waypoints', path: '/timeline/3' });
  });
});

describe('a hard error', () => {
  it('is more work than the budget allows', () => {
    const result = buildToolpath(toolpath([go(1), go(2), go(0)]), { ...BOTH, budget: 200 });
    expect(result).toMatchObject({ kind: 'hard', code: 'generation_error' });
    expect(result.trajectory).toEqual({ error: expect.any(String) });
  });

  it('is a trajectory with too many setpoints, which does not affect the program', () => {
    const slow = toolpath([go(1, { time: 2500 }), go(0)]);
    expect(buildToolpath(slow, BOTH)).toMatchObject({
      kind: 'hard',
      code: 'result_generation_error',
    });
    expect(buildToolpath(slow, { program: true, trajectory: false }).kind).toBe('built');
  });

  it('is a routine that calls itself, if the check was skipped', () => {
    const call: Action = { type: 'call-routine', routine: 'loop' };
    const routines = [{ name: 'loop', timeline: [call] }];
    const result = buildToolpath(toolpath([call], { routines }), BOTH);
    expect(result).toMatchObject({ kind: 'hard', path: '/routines/0/timeline/0' });
  });

  it('is a toolpath that unrolls into too many steps, even empty ones', () => {
    const size = { type: 'grid', cols: 100, rows: 100, w0: 0, wx: 1, wy: 2 } as const;
    const inner: Action = { ...size, timeline: [] };
    const result = buildToolpath(toolpath([{ ...size, timeline: [inner] }]), BOTH);
    expect(result).toMatchObject({ kind: 'hard', path: '/timeline/1/timeline/0' });
  });

  it('is an action that can be reached from more than 64 poses', () => {
    const waypoints = Array.from({ length: 67 }, (_, i) => ({
      label_id: i,
      joints: [0.01 * i, 0.5, -1.7, 0, -1.2, 0] as [number, number, number, number, number, number],
    }));
    const timelines = waypoints.map((_, i) => [go(i)]);
    const result = buildToolpath({ ...toolpath([when(...timelines), go(0)]), waypoints }, BOTH);
    expect(result).toMatchObject({ kind: 'hard', path: '/timeline/2' });
  });
});
