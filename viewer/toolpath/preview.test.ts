import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Action, ArmProfile, Cell, Toolpath } from '../../contract/types.generated.ts';
import { timingOf } from '../../physics/motion/arm-profile.ts';
import { createPathSample, samplePath } from '../../physics/motion/joint-path.ts';
import { createProfilePoint, sampleProfile } from '../../physics/motion/time-profile.ts';
import { buildToolpath } from '../../physics/toolpath/build.ts';
import { executeStep, startCursor } from '../../physics/toolpath/program-interpreter.ts';
import { openToolpath } from './open-toolpath.ts';
import { type Preview, previewToolpath } from './preview.ts';
import { createTrajectoryPoint, sampleTimedPath } from './timed-path.ts';

function fixture(name: string): Toolpath {
  const url = new URL(`../../fixtures/toolpaths/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Toolpath;
}

const SLOW: ArmProfile = {
  armtwin_profile: 1,
  arm: 'automata-eva',
  motion: {
    law: 'quintic',
    velocity_rad_s: [0.6, 0.6, 0.6, 0.6, 0.6, 0.6],
    acceleration_rad_s2: [2, 2, 2, 2, 2, 2],
  },
};

function preview(toolpath: Toolpath): Preview {
  const outcome = previewToolpath(toolpath);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

/** A toolpath from home to a pose 5 cm below the ground. */
function faulty(): Toolpath {
  const toolpath = fixture('pick-and-place');
  const deep: Toolpath['waypoints'][number] = { label_id: 99, joints: [0, -1.5, -1.2, 0, -1, 0] };
  const action: Action = { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 };
  toolpath.waypoints.push(deep);
  toolpath.timeline.splice(1, 0, { ...action, waypoint_id: toolpath.waypoints.length - 1 }, action);
  return toolpath;
}

describe('a preview', () => {
  const sorter = preview(fixture('sorter'));
  const plain = sorter.path({});
  const red = sorter.path({ '/timeline/3/timeline/5': 0 });

  it.each(['sorter', 'pick-and-place'])('has the duration of the build: %s', (name) => {
    const built = buildToolpath(fixture(name), { program: false, trajectory: true });
    const expected_s =
      built.trajectory && 'duration' in built.trajectory && built.trajectory.duration;
    expect(preview(fixture(name)).path({}).duration_s).toBeCloseTo(Number(expected_s), 9);
  });

  it('has the duration of the build for an arm with a profile', () => {
    const timing = timingOf(SLOW);
    const toolpath = fixture('pick-and-place');
    const built = buildToolpath(toolpath, { program: false, trajectory: true, timing });
    const { trajectory } = built;
    const expected_s = trajectory && 'duration' in trajectory ? trajectory.duration : 0;
    const opened = openToolpath(JSON.stringify(toolpath), { profile: SLOW });
    if (!opened.ok) throw new Error('not opened');
    expect(opened.value.preview.path({}).duration_s).toBeCloseTo(expected_s, 9);
    expect(expected_s).toBeGreaterThan(1.1 * preview(toolpath).path({}).duration_s);
  });

  it('has the joints of the program at every time', () => {
    const built = buildToolpath(fixture('sorter'), { program: true, trajectory: false });
    if (built.kind !== 'built' || !built.program) throw new Error('not built');
    const { program } = built;
    const cursor = startCursor(program);
    const planned = createTrajectoryPoint();
    const path = createPathSample();
    const point = createProfilePoint();
    let time_s = 0;
    for (let i = 0; i < 1000; i++) {
      const step = program.steps[cursor.step];
      if (step?.kind === 'wait' && step.condition.type === 'time')
        time_s += step.condition.duration;
      const holds = () => step?.kind === 'wait';
      const effect = executeStep(program, cursor, { now_s: time_s, holds });
      if (effect.kind === 'loop_done') break;
      if (effect.kind !== 'move') continue;
      for (const share of [0.1, 0.5, 0.9]) {
        const within_s = share * effect.move.automatic.duration_s;
        sampleProfile(effect.move.automatic, within_s, point);
        samplePath(effect.move.path, point.s, path);
        sampleTimedPath(plain, time_s + within_s, planned);
        expect(planned.joints[0]).toBeCloseTo(path.q[0]!, 9);
        expect(planned.joints[4]).toBeCloseTo(path.q[4]!, 9);
      }
      time_s += effect.move.automatic.duration_s;
    }
    expect(time_s).toBeCloseTo(plain.duration_s, 9);
  });

  it('follows a chosen branch and the routines it calls', () => {
    expect(plain.segments.some(({ calls }) => calls.length > 0)).toBe(false);
    const deepest = red.segments.filter(({ calls }) => calls.length === 2);
    expect(deepest.length).toBe(6 * 2);
    expect(deepest[0]?.at).toMatch(/^\/routines\/2\/timeline/);
    expect(red.duration_s).toBeGreaterThan(plain.duration_s + 6);
  });

  it('ends at a restart', () => {
    const again = sorter.path({ '/timeline/3/timeline/5': 1 });
    expect(again.segments.at(-1)?.kind).toBe('restart');
    expect(again.segments.every(({ cell }) => (cell[0] ?? 0) === 0)).toBe(true);
  });

  it('samples speeds consistent with the distance between samples', () => {
    const { count, tips, speeds, times_s } = red.samples;
    let went_m = 0;
    let integral_m = 0;
    for (let i = 1; i < count; i++) {
      const step = [0, 1, 2].map((k) => tips[3 * i + k]! - tips[3 * i - 3 + k]!);
      went_m += Math.hypot(...step);
      integral_m += ((speeds[i]! + speeds[i - 1]!) / 2) * (times_s[i]! - times_s[i - 1]!);
    }
    expect(went_m).toBeGreaterThan(1);
    expect(Math.abs(integral_m - went_m)).toBeLessThan(0.005 * went_m);
  });

  it('finds nothing in valid toolpaths', () => {
    expect(sorter.findings).toEqual([]);
  });
});

describe('a preview of a faulty toolpath', () => {
  const toolpath = faulty();
  const shown = preview(toolpath);

  it('reports the fault of the build and further ones', () => {
    const built = buildToolpath(toolpath, { program: false, trajectory: false });
    if (built.kind === 'built') throw new Error('built');
    expect(shown.findings[0]).toMatchObject({ kind: 'error', code: built.code, at: built.path });
    expect(built.error).toContain(shown.findings[0]!.message);
    expect(shown.findings.length).toBe(2);
  });

  it('locates its start on the path', () => {
    const path = shown.path(shown.findings[0]!.choices);
    const segment = path.segments.find(({ at }) => at === '/timeline/1')!;
    expect(segment.problem!.from_s).toBeGreaterThan(0);
    expect(segment.problem!.from_s).toBeLessThan(segment.duration_s);
    const [, , z] = shown.findings[0]!.tip_m!;
    expect(Math.abs(z)).toBeLessThan(0.3);
  });

  it('chooses the branches that lead to a fault', () => {
    const branched = fixture('sorter');
    branched.waypoints[6]!.joints[1] = -1.6;
    const [first] = preview(branched).findings;
    expect(first?.choices).toEqual({ '/timeline/3/timeline/5': 0 });
    expect(first?.at).toBe('/routines/0/timeline/0');
  });

  it('finds the only branch after which a motion fails', () => {
    const walled = fixture('sorter');
    walled.metadata.avoidance_zones!.push({
      ...walled.metadata.avoidance_zones![0]!,
      name: 'bin wall',
      position: { x: 0.3, y: 0.26, z: 0 },
      dimensions: { x: 0.05, y: 0.1, z: 0.25 },
    });
    const [first] = preview(walled).findings;
    expect(first).toMatchObject({ at: '/timeline/3/timeline/0', code: 'object_collision' });
    expect(Object.keys(first!.choices).length).toBeGreaterThan(0);
    const own = preview(walled)
      .path(first!.choices)
      .segments.filter(({ problem }) => problem);
    expect(own.map(({ at }) => at)).toContain(first!.at);
  });
});

describe('a preview with a cell', () => {
  const url = new URL('../../fixtures/cells/trays.json', import.meta.url);
  const trays = JSON.parse(readFileSync(url, 'utf8')) as Cell;
  const wall = {
    name: 'wall',
    position: { x: 0.45, y: 0, z: 0 },
    boxes: [{ size_m: { x: 0.3, y: 0.01, z: 0.5 } }],
  };
  const open = (cell: Cell | null) => {
    const outcome = previewToolpath(fixture('pick-and-place'), { cell });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value;
  };

  it('says what it was checked against, also without a cell', () => {
    expect(open(trays).findings).toEqual([]);
    expect(open(trays).checkedAgainst).toContain('the cell of 5 bodies');
    expect(open(null).checkedAgainst).toContain('no cell (none is known)');
  });

  it('has a path through a wall as an error, marked at the wall', () => {
    const { findings } = open({ ...trays, fixtures: [...(trays.fixtures ?? []), wall] });
    const [first] = findings;
    expect(first).toMatchObject({ kind: 'error', code: 'object_collision' });
    // The time of the walk through all branches is not the one of the path that is shown.
    expect(first!.message).toMatch(/the fixture "wall" at \([-\d., ]+\) m\. Add/);
    expect(Math.abs(first!.tip_m![1])).toBeLessThanOrEqual(0.005 + 1e-9);
    expect(first!.moment!.into_s).toBeGreaterThanOrEqual(0);
  });

  it('has faults of the build first: a cell is checked once these are gone', () => {
    const outcome = previewToolpath(faulty(), { cell: trays });
    expect(outcome.ok && outcome.value.checkedAgainst).toEqual([]);
  });
});
