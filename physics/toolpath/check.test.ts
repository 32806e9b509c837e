import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action, Toolpath } from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import { checkPose } from '../collision/pose-check.ts';
import { createCollisionScene } from '../collision/scene.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { checkToolpath } from './check.ts';
import { FAULTS, faultyToolpath, withFault } from './faults.cases.ts';
import { plainToolpath, validToolpath } from './generator.cases.ts';

function pathsOf(toolpath: Toolpath): string[] {
  return checkToolpath(toolpath).map((problem) => problem.path);
}

function appended(...actions: Action[]): Toolpath {
  const toolpath = plainToolpath();
  toolpath.timeline.push(...actions);
  return toolpath;
}

const analog = { location: 'base', type: 'analog', index: 0 } as const;
const input = {
  type: 'input',
  io: { location: 'base', type: 'digital', index: 0 },
  value: true,
} as const;
const goHome: Action = { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 };
const leave: Action = {
  type: 'if',
  branches: [{ condition: input, timeline: [{ type: 'restart' }] }],
};

describe('every fault alone, at its position', () => {
  it.each(Object.keys(FAULTS))('%s', (fault) => {
    const { toolpath, paths } = withFault(plainToolpath(), fault);
    expect(pathsOf(toolpath)).toEqual(paths);
  });
  it('describes each problem', () => {
    for (const fault of Object.keys(FAULTS)) {
      for (const { problem } of checkToolpath(withFault(plainToolpath(), fault).toolpath)) {
        expect(problem.length).toBeGreaterThan(20);
        expect(problem).not.toMatch(/undefined|NaN|\[object/);
      }
    }
  });
  it('says how waypoints count where one does not exist', () => {
    const gone: Action = { ...goHome, waypoint_id: 99 } as Action;
    const problems = checkToolpath(appended(gone)).map(({ problem }) => problem);
    expect(problems.join()).toMatch(/names waypoint 99, .* has 0 to \d+, .* not by label_id/);
  });
  it('refers older formats to the migration, but not newer ones', () => {
    const of = (fault: string) => checkToolpath(withFault(plainToolpath(), fault).toolpath)[0]!;
    expect(of('format 1').problem).toContain('PUT /api/v1/toolpath/migrate');
    expect(of('format 3').problem).not.toContain('migrate');
  });
  it('reports several faults together, each once', () => {
    const { toolpath, paths } = withFault(plainToolpath(), 'a second home');
    const more = withFault(toolpath, 'an empty label');
    expect(pathsOf(more.toolpath).sort()).toEqual([...paths, ...more.paths].sort());
  });
  it('names at most a hundred problems', () => {
    const many = Array.from({ length: 150 }, (): Action => ({ type: 'restart' }));
    expect(pathsOf(appended(...many))).toHaveLength(100);
  });
});

describe('what is allowed', () => {
  it('the smallest toolpath', () => {
    expect(checkToolpath(plainToolpath())).toEqual([]);
  });
  it('outputs and waits before home', () => {
    const toolpath = plainToolpath();
    toolpath.timeline.unshift({ type: 'wait', condition: { type: 'time', duration: 1 } });
    expect(pathsOf(toolpath)).toEqual([]);
  });
  it('a label of 16 characters outside the basic plane', () => {
    const toolpath = plainToolpath();
    toolpath.waypoints[0]!.label = '😀'.repeat(16);
    expect(pathsOf(toolpath)).toEqual([]);
  });
  it('a routine called by name, by routine, or by both alike', () => {
    const calls: Action[] = [
      { type: 'call-routine', name: 'routine 0' },
      { type: 'call-routine', routine: 'routine 0' },
      { type: 'call-routine', routine: 'routine 0', name: 'routine 0' },
    ];
    expect(pathsOf(appended(...calls))).toEqual([]);
  });
  it('a routine called from several places', () => {
    const toolpath = appended({ type: 'call-routine', routine: 'routine 1' });
    const call: Action = { type: 'call-routine', routine: 'routine 0' };
    toolpath.routines![1]!.timeline.push(call, call);
    toolpath.timeline.push(call);
    expect(pathsOf(toolpath)).toEqual([]);
  });
  it('one by n grids, with an edge of zero length across', () => {
    const row = {
      type: 'grid',
      w0: 1,
      timeline: [{ type: 'grid-waypoint', z_offset: 0 }],
    } as const;
    const timeline = [...row.timeline];
    expect(pathsOf(appended({ ...row, timeline, cols: 1, rows: 5, wx: 1, wy: 3 }))).toEqual([]);
    expect(pathsOf(appended({ ...row, timeline, cols: 5, rows: 1, wx: 2, wy: 1 }))).toEqual([]);
  });
  it('all lines at the ends of their ranges', () => {
    const toolpath = appended(
      { type: 'output-set', io: analog, value: 0 },
      { type: 'output-set', io: analog, value: 10 },
      { type: 'output-set', io: { ...analog, index: 1 }, value: 4 },
      { type: 'output-set', io: { ...analog, index: 1 }, value: 20 },
    );
    toolpath.metadata.analog_modes.o1 = 'current';
    expect(pathsOf(toolpath)).toEqual([]);
  });
});

describe('a restart', () => {
  it('may follow a trajectory home outside its branch', () => {
    expect(pathsOf(appended(goHome, leave))).toEqual([]);
  });
  it('may come before any motion', () => {
    const toolpath = plainToolpath();
    toolpath.timeline.splice(1, 1, leave);
    expect(pathsOf(toolpath)).toEqual([]);
  });
  it('may follow a waypoint with the joints of home', () => {
    const toolpath = plainToolpath();
    toolpath.waypoints.push({ label_id: 77, joints: [...toolpath.waypoints[0]!.joints] });
    toolpath.timeline.push(
      { ...goHome, waypoint_id: toolpath.waypoints.length - 1 } as Action,
      leave,
    );
    expect(pathsOf(toolpath)).toEqual([]);
  });
  it('may follow a branch that moved and restarted, because that branch never continues', () => {
    const away: Action = { ...goHome, waypoint_id: 1 } as Action;
    const branch = { condition: input, timeline: [away, goHome, { type: 'restart' } as Action] };
    expect(pathsOf(appended(goHome, { type: 'if', branches: [branch] }, leave))).toEqual([]);
  });
  it('does not count a pass-through waypoint as an end', () => {
    const toolpath = appended(
      goHome,
      { type: 'trajectory', pass_through: true, waypoint_id: 1 },
      leave,
    );
    expect(pathsOf(toolpath)).toEqual([]);
  });
  it('may be in the only cell of a grid, and in a routine called at home', () => {
    const grid = { type: 'grid', cols: 1, rows: 1, w0: 1, wx: 2, wy: 3 } as const;
    const away: Action = { ...goHome, waypoint_id: 1 } as Action;
    expect(pathsOf(appended(goHome, { ...grid, timeline: [leave, away] }))).toEqual([]);
    const toolpath = appended(goHome, { type: 'call-routine', routine: 'routine 0' });
    toolpath.routines![0]!.timeline.push(leave);
    expect(pathsOf(toolpath)).toEqual([]);
  });
});

describe('random toolpaths', () => {
  it('fit the schema and have no fault', () => {
    fc.assert(
      fc.property(validToolpath(), (toolpath) => {
        expect(validate('Toolpath', toolpath, { dialect: 'documented' })).toMatchObject({
          ok: true,
        });
        expect(checkToolpath(toolpath)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
  it('with one fault report exactly its positions', () => {
    fc.assert(
      fc.property(faultyToolpath(), ({ toolpath, paths }) => {
        expect(pathsOf(toolpath)).toEqual(paths);
      }),
      { numRuns: 300 },
    );
  });
  it('use free poses', () => {
    const scene = createCollisionScene();
    const frames = createFrames();
    fc.assert(
      fc.property(validToolpath(), (toolpath) => {
        for (const { joints } of toolpath.waypoints) {
          forward(joints, frames);
          expect(checkPose(scene, frames)).toBeNull();
        }
      }),
      { numRuns: 100 },
    );
  });
});
