/** Toolpaths in cells: what is hit, what is meant to be touched, and no wall that is passed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Cell, Toolpath } from '../../../contract/types.generated.ts';
import { buildToolpath } from '../../toolpath/build.ts';
import { compileCell } from '../cell-model.ts';
import { checkInCell } from './cell-check.ts';
import {
  ABOVE,
  ACROSS,
  boxAt,
  cellWith,
  disagreements,
  findingsOf,
  GRASP,
  HOME,
  heldDisagreements,
  NEST,
  programThrough,
} from './clearance.cases.ts';

const pairs = (findings: ReturnType<typeof findingsOf>) =>
  findings.map(({ at, part, what }) => `${at} ${part} > ${what}`);

const SIZES = { thin: 0.001, wall: 0.02 };

describe('a toolpath in a cell', () => {
  it.each(Object.entries(SIZES))('meets a %s across its way', (_, thickness_m) => {
    const wall = boxAt('wall', [0.45, 0, 0], [0.3, thickness_m, 0.5]);
    const [first, ...more] = findingsOf(
      cellWith({ fixtures: [wall] }),
      programThrough(ABOVE, ACROSS),
    );
    expect(first).toMatchObject({ at: '/timeline/1', what: 'wall', kind: 'fixture' });
    // The tip is 10 mm wide: it comes near before it is above y = 0, halfway.
    expect(first!.time_s).toBeGreaterThan(0.2);
    expect(first!.time_s).toBeLessThan(0.5);
    expect(Math.abs(first!.place_m[1])).toBeLessThanOrEqual(thickness_m / 2 + 1e-9);
    expect(first!.message).toContain('its top is at z = 500 mm');
    expect([first!, ...more].every(({ what }) => what === 'wall')).toBe(true);
  });

  it('passes a wall beside its way', () => {
    const wall = boxAt('wall', [0.35, 0, 0], [0.5, 0.02, 0.1]);
    expect(findingsOf(cellWith({ fixtures: [wall] }), programThrough(ABOVE, ACROSS))).toEqual([]);
  });

  it('picks a part from its tray and puts it into a nest without a finding', () => {
    const nest = boxAt('nest', [0.35, 0.2, 0], [0.2, 0.2, 0.11]);
    const steps = [ABOVE, GRASP, 'close', ABOVE, ACROSS, NEST, 'open', ACROSS, HOME] as const;
    expect(findingsOf(cellWith({ fixtures: [nest] }), programThrough(HOME, ...steps))).toEqual([]);
  });

  it('approaches and leaves a part in several moves', () => {
    const half = ABOVE.map((angle, j) => angle + 0.9 * (GRASP[j]! - angle));
    const program = programThrough(
      HOME,
      ABOVE,
      half,
      GRASP,
      'close',
      half,
      ABOVE,
      half,
      GRASP,
      'open',
      half,
      ABOVE,
    );
    expect(findingsOf(cellWith({}), program)).toEqual([]);
  });

  it('meets a part that it does not take', () => {
    expect(pairs(findingsOf(cellWith({}), programThrough(ABOVE, GRASP, ABOVE)))).toContain(
      '/timeline/1 tool > part',
    );
  });

  it('carries a part into a post that the empty gripper passes', () => {
    const low = ABOVE.map((angle, j) => angle + 0.35 * (GRASP[j]! - angle));
    const across = ACROSS.map((angle, j) => angle + 0.35 * (NEST[j]! - angle));
    const cell = (height_m: number) =>
      cellWith({ fixtures: [boxAt('post', [0.4, 0, 0], [0.02, 0.02, height_m])] });
    const heights = Array.from({ length: 20 }, (_, i) => 0.12 + 0.005 * i);
    const empty = (h: number) => findingsOf(cell(h), programThrough(low, across)).length > 0;
    const highest = Math.max(...heights.filter((h) => !empty(h)));
    const held = programThrough(ABOVE, GRASP, 'close', low, across);
    const findings = findingsOf(cell(highest), held);
    expect(pairs(findings)).toContain('/timeline/4 part > post');
    expect(findings.find(({ what }) => what === 'post')).toMatchObject({ isHeld: true });
  });

  it('takes what stands on a part along, and meets what that meets', () => {
    const lid = {
      name: 'lid',
      shape: { kind: 'box', size_m: { x: 0.03, y: 0.03, z: 0.02 } },
      mass_kg: 0.01,
      position: { x: 0.35, y: -0.2, z: 0.15 },
    } as const;
    const program = programThrough(ABOVE, GRASP, 'close', ABOVE);
    expect(pairs(findingsOf(cellWith({ objects: [lid] }), program))).toEqual([
      '/timeline/1 tool > lid',
    ]);
  });

  it('meets a table from below, a door that is drawn, and a conveyor', () => {
    const ceiling = boxAt('shelf', [0.4, 0, 0.3], [0.4, 0.8, 0.02]);
    const raised = ABOVE.map((angle, j) => angle + (j === 1 ? -0.2 : j === 2 ? 0.8 : 0));
    expect(
      findingsOf(cellWith({ fixtures: [ceiling] }), programThrough(ABOVE, raised)).map(
        ({ what }) => what,
      ),
    ).toContain('shelf');
    const door = boxAt('door', [0.45, 0.05, 0], [0.3, 0.005, 0.4]);
    expect(
      findingsOf(cellWith({ fixtures: [door] }), programThrough(ABOVE, ACROSS)).map(
        ({ at, what }) => `${at} ${what}`,
      ),
    ).toContain('/timeline/1 door');
    const belt = {
      name: 'belt',
      position: { x: 0.4, y: 0, z: 0 },
      size_m: { x: 0.2, y: 0.1, z: 0.3 },
      speed_m_s: 0.1,
    };
    expect(
      findingsOf(cellWith({ conveyors: [belt] }), programThrough(ABOVE, ACROSS))[0],
    ).toMatchObject({ what: 'belt', kind: 'conveyor' });
  });

  it('does not carry a plate through a door that only the empty gripper passes', () => {
    // The way crosses y = 0 at x = 0.403 m; the door is 100 mm wide there, the plate 160 mm.
    const [left, right] = [0.343, 0.463];
    const posts = [
      boxAt('left post', [left, 0, 0], [0.02, 0.02, 0.25]),
      boxAt('right post', [right, 0, 0], [0.02, 0.02, 0.25]),
    ];
    const { grippers = [], ...rest } = cellWith({ fixtures: posts });
    const plate = {
      name: 'plate',
      shape: { kind: 'box', size_m: { x: 0.16, y: 0.04, z: 0.04 } },
      mass_kg: 0.1,
      position: { x: 0.35, y: -0.2, z: 0.11 },
    } as const;
    const turned = grippers.map((jaws) => ({ ...jaws, jaw_angle_rad: Math.PI / 2 }));
    const cell = { ...rest, objects: [plate], grippers: turned };
    expect(findingsOf(cell, programThrough(ABOVE, ACROSS))).toEqual([]);
    const held = findingsOf(cell, programThrough(ABOVE, GRASP, 'close', ABOVE, ACROSS));
    expect(pairs(held).toSorted()).toEqual([
      '/timeline/4 plate > left post',
      '/timeline/4 plate > right post',
    ]);
    expect(held[0]!.message).toMatch(
      /^"plate" in the gripper goes [\d.]+ mm deep into the fixture/,
    );
  });

  it('meets at once what the arm stands in', () => {
    const block = boxAt('block', [0.1, 0, 0.2], [0.3, 0.3, 0.3]);
    const [first] = findingsOf(cellWith({ fixtures: [block] }), programThrough(HOME, ABOVE));
    expect(first).toMatchObject({ what: 'block', time_s: 0 });
  });

  it('does not meet the table on which the base stands', () => {
    const table = boxAt('table', [0, 0, 0], [0.3, 0.3, 0.02]);
    expect(findingsOf(cellWith({ fixtures: [table] }), programThrough(HOME, ABOVE))).toEqual([]);
  });

  it('finds nothing in the samples, whose cells they run in', () => {
    const read = (path: string) =>
      JSON.parse(readFileSync(new URL(`../../../fixtures/${path}.json`, import.meta.url), 'utf8'));
    for (const [path, place, unlooked] of [
      ['pick-and-place', 'trays', ['door (a door has no shape)']],
      ['sorter', 'sorter', ['order (on a conveyor)']],
      ['assay', 'assay', ['door (a door has no shape)']],
    ] as const) {
      const toolpath = read(`toolpaths/${path}`) as Toolpath;
      const model = compileCell(read(`cells/${place}`) as Cell);
      const built = buildToolpath(toolpath, { program: true, trajectory: false });
      if (built.kind !== 'built') throw new Error(built.error);
      const { findings, unknown } = checkInCell(
        built.program!,
        model,
        toolpath.metadata.tcp_config,
      );
      expect(findings, path).toEqual([]);
      expect(unknown).toEqual(unlooked);
    }
  });

  it('agrees with a sweep of random programs at 1 kHz', () => {
    const { wrong, contacts } = disagreements(58, 3, 3);
    expect(wrong).toEqual([]);
    expect(contacts).toBeGreaterThan(10);
  });

  it('agrees with samples of what is held among random boxes', () => {
    const { wrong, contacts } = heldDisagreements(7, 3);
    expect(wrong).toEqual([]);
    expect(contacts).toBeGreaterThan(0);
  });
});
