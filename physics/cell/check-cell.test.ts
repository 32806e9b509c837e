/** Cells that cannot be are refused with their place; a body out of every bound stops the cell. */
import { describe, expect, it } from 'vitest';
import { SAMPLE_CELL } from '../../conformance/samples/sample-cell.ts';
import { limits } from '../../contract/limits.ts';
import type { Cell, CellObject } from '../../contract/types.generated.ts';
import { checkCell } from './check-cell.ts';
import { fastCell } from './fast-cell.cases.ts';
import { frameOf } from './pose.ts';

const [plate, block] = SAMPLE_CELL.objects as [CellObject, CellObject];
const boxAt = (name: string, x: number, z: number): CellObject => ({
  ...block,
  name,
  position: { x, y: 0, z },
});

const ORIGIN = { x: 0, y: 0, z: 0 };
const HOLDER = { position: { x: 0, y: 0, z: 0.04 } };
const SPAN = { at_zero: 0, at_full_scale: 10 };
const { position: _place, ...HOMELESS } = block;
const { orientation: _turn, ...NESTED } = HOMELESS;

const REFUSED: readonly (readonly [string, Partial<Cell>, string, RegExp])[] = [
  [
    'bodies overlap',
    { objects: [boxAt('a', 2, 0.1), boxAt('b', 2.03, 0.1)] },
    '/objects/1',
    /overlaps a by 10\.0 mm/,
  ],
  [
    'a name has a character that cannot be seen',
    { objects: [{ ...boxAt('a\u0007', 2, 0.1), nests: [{ name: 'b\u202e', ...HOLDER }] }] },
    '/objects/0/name',
    /has the control character U\+0007; leave it out/,
  ],
  [
    'an object hangs',
    { objects: [boxAt('a', 2, 0.15)] },
    '/objects/0',
    /hangs 50\.0 mm above bench/,
  ],
  [
    'an object would fall',
    { objects: [boxAt('a', 2.51, 0.1)] },
    '/objects/0',
    /would fall off bench/,
  ],
  [
    'a mass is beyond the arm',
    { objects: [{ ...plate, mass_kg: 1.3 }] },
    '/objects/0/mass_kg',
    /more than the 1\.25 kg/,
  ],
  ['a nest is unknown', { objects: [{ ...plate, nest: 'nowhere' }] }, '/objects/0/nest', /no nest/],
  [
    'a lid is larger than its plate',
    {
      objects: [
        boxAt('a', 2, 0.1),
        { ...HOMELESS, name: 'lid', lid_of: 'a', shape: { kind: 'microplate' } },
      ],
    },
    '/objects/1/shape',
    /lid is larger than a, whose lid it is: 128 mm by 85 mm on 40 mm by 40 mm/,
  ],
  [
    'a lid is of nothing',
    { objects: [{ ...HOMELESS, lid_of: 'plate' }] },
    '/objects/0/lid_of',
    /no object “plate”/,
  ],
  [
    'two lids are on each other',
    { objects: ['a', 'b'].map((name, i) => ({ ...HOMELESS, name, lid_of: 'ba'[i]! })) },
    '/objects/0/lid_of',
    /cycle: a in b in a/,
  ],
  [
    'no lid is sealed',
    { objects: [{ ...block, sealed: true }] },
    '/objects/0/sealed',
    /only a lid can be sealed/,
  ],
  [
    'a sealed lid is elsewhere',
    { objects: [boxAt('a', 2, 0.1), { ...boxAt('b', 2.2, 0.1), lid_of: 'a', sealed: true }] },
    '/objects/1/sealed',
    /a sealed lid starts on its object/,
  ],
  [
    'a stack leans',
    { objects: [0, 1, 2].map((k) => boxAt(`box ${k}`, 2 + 0.018 * k, 0.1 + 0.04 * k)) },
    '/objects/1',
    /^box 1 would fall off box 0 with box 2 on it: their common centre is not above it$/,
  ],
  [
    'nests form a cycle',
    { objects: [{ ...plate, nest: 'lid place' }] },
    '/objects/0/nest',
    /cycle: plate in plate/,
  ],
  [
    'nests of two objects form a cycle',
    {
      objects: [
        { ...NESTED, name: 'a', nest: 'on b', nests: [{ ...HOLDER, name: 'on a' }] },
        { ...NESTED, name: 'b', nest: 'on a', nests: [{ ...HOLDER, name: 'on b' }] },
      ],
    },
    '/objects/0/nest',
    /cycle: a in b in a/,
  ],
  [
    'an object lies below the floor',
    { objects: [boxAt('a', 5, -1)] },
    '/objects/0',
    /below the floor/,
  ],
  [
    'an object is too far away',
    { objects: [boxAt('a', -10.1, 0)] },
    '/objects/0',
    /a is farther than 10 m \(limit cell_reach_m\) from the base along x/,
  ],
  [
    'the arm cannot carry an object with its grippers',
    {
      objects: [{ ...boxAt('a', 5, 0), mass_kg: 1.1 }],
      grippers: [{ ...SAMPLE_CELL.grippers![0]!, mass_kg: 0.2 }],
    },
    '/objects/0/mass_kg',
    /a has 1.1 kg and the grippers 0.2 kg, together more than the 1.25 kg that the arm carries/,
  ],
  [
    'the tip of a gripper is in millimetres',
    { grippers: [{ ...SAMPLE_CELL.grippers![0]!, tip_m: { x: 0, y: 0, z: 100 } }] },
    '/grippers/0/tip_m',
    /is 100 m from the flange, more than 0.5 m: state it in metres/,
  ],
  [
    'an object is inside the base of the arm',
    { objects: [{ ...boxAt('a', 0.09, 0) }] },
    '/objects/0',
    /a overlaps the base of the arm by/,
  ],
  [
    'a signal never changes',
    {
      conveyors: [
        {
          ...{ name: 'belt', position: { x: 3, y: 0, z: 0 }, speed_m_s: 0.1 },
          size_m: { x: 0.4, y: 0.1, z: 0.1 },
          encoder: { input: 'ee_a1', span_m: 1, at_zero: 5, at_full_scale: 5 },
        },
      ],
    },
    '/conveyors/0/encoder/at_full_scale',
    /must differ from at_zero/,
  ],
  ['an object has no place', { objects: [{ ...HOMELESS }] }, '/objects/0', /a position or a nest/],
  [
    'a nest holds two',
    { objects: [plate, { ...plate, name: 'other', nests: [] }] },
    '/objects/1/nest',
    /already has plate/,
  ],
  [
    'a beam has no length',
    { sensors: [{ kind: 'beam', name: 'gate', input: 'd0', from: ORIGIN, to: ORIGIN }] },
    '/sensors/0/to',
    /must differ/,
  ],
  [
    'a weight is of nothing',
    {
      sensors: [
        { kind: 'weight', name: 'scale', input: 'a1', of: 'air', ...SPAN, full_scale_kg: 1 },
      ],
    },
    '/sensors/0/of',
    /no gripper or fixture “air”/,
  ],
  [
    'a distance has no direction',
    {
      sensors: [
        {
          kind: 'distance',
          name: 'd',
          input: 'a1',
          position: ORIGIN,
          direction: ORIGIN,
          ...SPAN,
          range_m: 1,
        },
      ],
    },
    '/sensors/0/direction',
    /must not be all zeros/,
  ],
  [
    'an input is taken',
    { controls: [{ kind: 'button', name: 'go', input: 'd0' }] },
    '/controls/0/input',
    /already driven by \/sensors\/0/,
  ],
  [
    'a name occurs twice',
    { controls: [{ kind: 'door', name: 'plate' }] },
    '/controls/0/name',
    /already the name of/,
  ],
];

describe('checkCell', () => {
  it('accepts a cell with a part of each kind', () => {
    expect(checkCell(SAMPLE_CELL)).toEqual([]);
  });

  it.each(REFUSED)('refuses a cell where %s', (_what, change, path, sentence) => {
    const [problem] = checkCell({ ...SAMPLE_CELL, ...change });
    expect(problem?.path).toBe(path);
    expect(problem?.problem).toMatch(sentence);
  });

  it.each([
    ['fixtures', 'cell_fixtures'],
    ['objects', 'cell_objects'],
    ['grippers', 'cell_grippers'],
    ['sensors', 'cell_sensors'],
    ['conveyors', 'cell_conveyors'],
    ['controls', 'cell_controls'],
  ] as const)('refuses more %s than the limit %s, and names it', (key, limit) => {
    const [part] = SAMPLE_CELL[key] as readonly object[];
    const parts = Array.from({ length: limits[limit] + 1 }, () => part);
    const about = (cell: object) =>
      checkCell({ name: 'full', ...cell } as Cell).filter(({ problem }) => problem.includes(limit));
    expect(about({ [key]: parts.slice(1) })).toEqual([]);
    const problem = `has ${parts.length} entries, more than ${limits[limit]} (limit ${limit})`;
    expect(about({ [key]: parts })).toEqual([{ path: `/${key}`, problem }]);
  });

  it.each([
    ['boxes', 'cell_boxes'],
    ['nests', 'cell_nests'],
  ] as const)('refuses fixtures with more %s together than the limit %s', (key, limit) => {
    const [fixture] = SAMPLE_CELL.fixtures!;
    const half = limits[limit] / 2;
    const isRefused = (more: number) => {
      const fixtures = [half, more].map((length) => ({
        ...fixture,
        ...{ boxes: [], nests: [] },
        [key]: Array.from({ length }, () => fixture![key]![0]),
      }));
      const problems = checkCell({ name: 'full', fixtures } as Cell);
      return problems.some(({ problem }) => problem.includes(`(limit ${limit})`));
    };
    expect([isRefused(half), isRefused(half + 1)]).toEqual([false, true]);
  });

  it('refuses a thousand objects at once, and inputs of the loopback', () => {
    const objects = Array.from({ length: 1000 }, (_, i) => boxAt(`box ${i}`, 2, 0.1));
    const [problem] = checkCell({ ...SAMPLE_CELL, objects });
    expect(problem?.problem).toContain(`more than ${limits.cell_objects} (limit cell_objects)`);
    expect(checkCell(SAMPLE_CELL, ['d0'])[0]?.problem).toContain('a wire of the loopback');
  });
});

it('names a part of several boxes once, with its greatest overlap', () => {
  const boxes = [0, 0.004, 0.008].map((z) => ({
    size_m: { x: 0.2, y: 0.2, z: 0.01 },
    position: { x: 0, y: 0, z },
  }));
  const pile = { name: 'pile', position: { x: 2, y: 0, z: 0 }, boxes };
  const problems = checkCell({ name: 'x', fixtures: [pile], objects: [boxAt('a', 2, 0.01)] });
  expect(problems.map(({ problem }) => problem)).toEqual(['a overlaps pile by 8.0 mm']);
});

describe('a body that leaves every bound', () => {
  it.each([Number.NaN, 200])('stops the cell and is named (velocity %d m/s)', (speed) => {
    const cell = fastCell(SAMPLE_CELL);
    cell.move(1, Float64Array.of(2.3, 0, 0.5, 1, 0, 0, 0));
    cell.states.velocities[6] = speed;
    for (let i = 0; i < 4; i++) cell.step(new Float64Array(6));
    expect(cell.failure).toMatch(/^the simulation of “block” failed: /);
  });
});

it('turns a part by an orientation of any length', () => {
  for (const z of [5e-324, 1e-200, 1, 1e4]) {
    expect([...frameOf(ORIGIN, { w: 0, x: 0, y: 0, z })]).toEqual([0, 0, 0, 0, 0, 0, 1]);
  }
});
