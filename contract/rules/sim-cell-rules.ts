/** Rules for the cell around the arm: description, objects, controls, refusals (/sim/v1). */
import type { Cell } from '../types.ts';
import type { Actor, Rule } from './rule.ts';

const needs = { sim: true, admin: true, world: true } as const;
const invalid = { status: 400, error_code: 8 } as const;
const missing = { status: 404, error_code: 8 } as const;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;

/** A cell with a part of each kind, out of the way of the arm. */
const CELL: Cell = {
  name: 'one of each',
  fixtures: [
    {
      name: 'bench',
      position: { x: 2, y: 0, z: 0 },
      orientation: UPRIGHT,
      boxes: [
        {
          size_m: { x: 1, y: 1, z: 0.1 },
          position: { x: 0, y: 0, z: 0 },
          orientation: UPRIGHT,
        },
      ],
      nests: [
        { name: 'left', position: { x: 0, y: 0.2, z: 0.1 }, orientation: UPRIGHT },
        { name: 'right', position: { x: 0, y: -0.2, z: 0.1 } },
      ],
      friction: 0.4,
      stiffness_n_per_m: 20_000,
    },
  ],
  objects: [
    {
      name: 'plate',
      shape: { kind: 'microplate', height_m: 0.0144 },
      mass_kg: 0.06,
      friction: 0.3,
      nest: 'left',
      nests: [{ name: 'lid place', position: { x: 0, y: 0, z: 0.0144 } }],
    },
    {
      name: 'block',
      shape: { kind: 'box', size_m: { x: 0.04, y: 0.04, z: 0.04 } },
      mass_kg: 0.1,
      position: { x: 2.3, y: 0, z: 0.1 },
      orientation: UPRIGHT,
    },
    {
      name: 'can',
      shape: { kind: 'cylinder', diameter_m: 0.06, height_m: 0.1 },
      mass_kg: 0.2,
      position: { x: 2.3, y: 0.3, z: 0.1 },
    },
    {
      name: 'tube',
      shape: { kind: 'tube', diameter_m: 0.016, height_m: 0.08 },
      mass_kg: 0.01,
      position: { x: 2.3, y: -0.3, z: 0.1 },
    },
  ],
  grippers: [
    {
      kind: 'jaws',
      name: 'jaws',
      output: 'ee_d0',
      closes_on: true,
      tip_m: { x: 0, y: 0, z: 0.1 },
      jaw_angle_rad: 0.5,
      stroke_m: 0.1,
      pad_width_m: 0.02,
      pad_height_m: 0.01,
      force_n: 20,
      closing_time_s: 0.2,
      friction: 0.5,
      mass_kg: 0.1,
      part_present_input: 'ee_d0',
      closed_input: 'ee_d1',
    },
    {
      kind: 'suction',
      name: 'cup',
      output: 'ee_d1',
      closes_on: false,
      tip_m: { x: 0.05, y: 0, z: 0.1 },
      radius_m: 0.01,
      reach_m: 0.002,
      force_n: 10,
      closing_time_s: 0.1,
    },
  ],
  sensors: [
    {
      kind: 'beam',
      name: 'gate',
      input: 'd0',
      inverted: true,
      delay_s: 0.02,
      from: { x: 1.5, y: 0.2, z: 0.107 },
      to: { x: 2.5, y: 0.2, z: 0.107 },
    },
    {
      kind: 'presence',
      name: 'on the right',
      input: 'd1',
      position: { x: 2, y: -0.2, z: 0.11 },
      size_m: { x: 0.1, y: 0.1, z: 0.05 },
      orientation: UPRIGHT,
    },
    {
      kind: 'distance',
      name: 'range finder',
      input: 'a0',
      position: { x: 2.3, y: 0, z: 0.3 },
      direction: { x: 0, y: 0, z: -1 },
      range_m: 0.2,
      at_zero: 0,
      at_full_scale: 10,
    },
    {
      kind: 'weight',
      name: 'scale',
      input: 'a1',
      of: 'bench',
      full_scale_kg: 1,
      at_zero: 0,
      at_full_scale: 10,
    },
  ],
  conveyors: [
    {
      name: 'belt',
      position: { x: 2, y: 1, z: 0 },
      orientation: UPRIGHT,
      size_m: { x: 1, y: 0.2, z: 0.1 },
      speed_m_s: 0.1,
      output: 'd0',
      runs_on: true,
      friction: 0.8,
      encoder: { input: 'ee_a0', span_m: 0.5, at_zero: 0, at_full_scale: 10 },
    },
  ],
  controls: [
    { kind: 'button', name: 'start', input: 'd2', inverted: false },
    { kind: 'door', name: 'door', input: 'd3', inverted: true, stops: true },
  ],
};

/** Runs `work`, which may change robot and world, and restores both. */
async function thenReset(admin: Actor, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await admin.does('resetTwin', { scopes: ['state'] });
  }
}

const description: Rule = {
  id: 'sim/cell',
  requirements: [],
  routes: ['getCell', 'setCell', 'removeCell', 'getCellObject', 'openSimStream'],
  statement: 'A cell is read as it was set, with the state of its parts; its sensors drive inputs.',
  needs,
  async check(context) {
    const { expect } = context;
    const admin = await context.as('admin');
    const listener = await context.listenToSim(admin);
    await thenReset(admin, async () => {
      const set = await admin.does('setCell', CELL);
      expect.equal(set.cell, CELL, 'the cell in the reply');
      await listener.received('cell', ({ cell }) => cell?.name === CELL.name);
      await context.settle(0.1);
      await listener.received('cell_state', ({ state }) => state.objects.length === 4);
      const { state } = await admin.does('getCell');
      const plate = state?.objects.find(({ name }) => name === 'plate');
      expect.equal(plate?.at, 'left', 'the place of the plate');
      const { object } = await admin.does('getCellObject', { object_name: 'plate' });
      expect.equal(object, plate, 'the plate alone');
      await admin.refused('getCellObject', { parameters: { object_name: 'nothing' } }, missing);
      const { 'global.inputs': inputs } = await context.snapshot();
      expect.equal(inputs.d0, false, 'the inverted input of the broken beam');
      expect.ok(Math.abs(inputs.a1 - 3.7) < 0.01, 'the weight on the bench at its input');
      await admin.does('removeCell');
      expect.equal(await admin.does('getCell'), { cell: null, state: null }, 'after the removal');
    });
  },
};

const changes: Rule = {
  id: 'sim/cell-changes',
  requirements: [],
  routes: ['moveCellObject', 'setCellControl', 'listCellEvents', 'runUntilObject'],
  statement: 'Objects are put elsewhere by hand, controls are operated; both are seen and sensed.',
  needs: { ...needs, pace: true },
  async check(context) {
    const { expect } = context;
    const admin = await context.as('admin');
    await thenReset(admin, async () => {
      await admin.does('setCell', CELL);
      const path = { object_name: 'plate' };
      await admin.does('moveCellObject', path, { nest: 'right' });
      const wanted = { object: 'plate', at: 'right', within_mm: 1, limit_s: 5 };
      const { reached } = await admin.does('runUntilObject', wanted);
      expect.ok(reached, 'the plate is in the other nest');
      const held = { object: 'plate', held_by: 'jaws', limit_s: 0.1 };
      expect.equal((await admin.does('runUntilObject', held)).reached, false, 'held');
      const { events } = await admin.does('listCellEvents');
      const settled = events.find(({ kind }) => kind === 'settled');
      expect.equal(settled?.object, 'plate', 'the object that came to rest');
      const body = { position: { x: 2.1, y: 0, z: 0.1 }, orientation: UPRIGHT };
      await admin.does('moveCellObject', path, body);
      const both = { parameters: path, body: { ...body, nest: 'left' } };
      await admin.refused('moveCellObject', both, invalid);
      await admin.does('setCellControl', { control_name: 'door' }, { active: true });
      await context.until('the open door stops the arm', async () => {
        const { global } = await context.snapshot();
        return global.estop;
      });
      await admin.does('setCellControl', { control_name: 'door' }, { active: false });
      const nothing = { parameters: { control_name: 'nothing' }, body: { active: true } };
      await admin.refused('setCellControl', nothing, missing);
    });
  },
};

const [plate] = CELL.objects!;

/** Cells that are refused, with the path of the problem. */
const REFUSED: readonly (readonly [Partial<Cell>, string])[] = [
  [{ objects: [plate!, { ...plate!, name: 'other', nests: [] }] }, '/objects/1/nest'],
  [{ objects: [{ ...plate!, nest: 'lid place' }] }, '/objects/0/nest'],
  [{ objects: [{ ...plate!, mass_kg: 2 }] }, '/objects/0/mass_kg'],
  [{ objects: [{ ...CELL.objects![1]!, position: { x: 2, y: 0, z: 0.2 } }] }, '/objects/0'],
  [{ objects: [{ ...CELL.objects![1]!, position: { x: 2, y: 0, z: 0.08 } }] }, '/objects/0'],
  [{ controls: [{ kind: 'button', name: 'stop', input: 'd0' }] }, '/controls/0/input'],
];

const refusals: Rule = {
  id: 'sim/cell-refusals',
  requirements: [],
  routes: ['setCell', 'seedTwin', 'removeCell'],
  statement: 'A cell that cannot be is refused with the place of the problem, and nothing changes.',
  needs,
  async check(context) {
    const { expect } = context;
    const admin = await context.as('admin');
    await thenReset(admin, async () => {
      await admin.does('removeCell');
      for (const [change, path] of REFUSED) {
        const body = { ...CELL, ...change };
        const { details } = await admin.refused('setCell', { body }, invalid);
        const paths = (details as readonly { readonly path: string }[]).map((one) => one.path);
        expect.ok(paths.includes(path), `${path} is named, not ${paths.join(', ')}`);
      }
      const { cell: none } = await admin.does('getCell');
      expect.equal(none, null, 'the cell after refusals');
      await admin.does('seedTwin', { cell: CELL });
      const { cell } = await admin.does('getCell');
      expect.equal(cell, CELL, 'the cell of a seed');
    });
  },
};

export const SIM_CELL_RULES: readonly Rule[] = [description, changes, refusals];
