/** Rules for the cell around the arm: description, objects, controls, refusals (/sim/v1). */

import type { AddFaultBody, Cell } from '../../contract/types.generated.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import { SAMPLE_CELL as CELL } from '../samples/sample-cell.ts';
import { thenReset } from '../steps/world-reset.ts';

const needs = { sim: true, admin: true, world: true } as const;
const missing = { status: 404, error_code: 8 } as const;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;
const MM_PER_M = 1000;

const description: Rule = {
  id: 'sim/cell',
  requirements: [],
  routes: ['getCell', 'setCell', 'removeCell', 'getCellCheck', 'getCellObject', 'openSimStream'],
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
      await listener.received(
        'cell_state',
        ({ state }) => state.objects.length === CELL.objects?.length,
      );
      const { state } = await admin.does('getCell');
      const plate = state?.objects.find(({ name }) => name === 'plate');
      expect.equal(plate?.at, 'left', 'the place of the plate');
      const { object } = await admin.does('getCellObject', { object_name: 'plate' });
      expect.equal(object, plate, 'the plate alone');
      await admin.refused('getCellObject', { parameters: { object_name: 'nothing' } }, missing);
      const { 'global.inputs': inputs } = await context.snapshot();
      expect.equal(inputs.d0, false, 'the inverted input of the broken beam');
      expect.ok(Math.abs(inputs.a1 - 2.92) < 0.01, 'the weight on the bench at its input');
      await admin.does('removeCell');
      expect.equal(await admin.does('getCell'), { cell: null, state: null }, 'after the removal');
      expect.equal(await admin.does('getCellCheck'), { check: null }, 'the check without a cell');
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
      await admin.refused('moveCellObject', both, INVALID);
      const buried = { ...body.position, z: -0.1 };
      for (const position of [buried, { ...body.position, z: 11 }]) {
        const wrong = { parameters: path, body: { position } };
        await admin.refused('moveCellObject', wrong, INVALID);
      }
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
        const { details } = await admin.refused('setCell', { body }, INVALID);
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

/** Faults of parts that the cell does not have or that cannot have them, with the path. */
const REFUSED_FAULTS: readonly (readonly [AddFaultBody, string])[] = [
  [{ kind: 'gripper', gripper: 'nothing', fault: 'jammed' }, '/gripper'],
  [{ kind: 'gripper', gripper: 'jaws', fault: 'leaks', after_s: 2 }, '/fault'],
  [{ kind: 'object', object: 'nothing', fault: 'missing' }, '/object'],
  [{ kind: 'sensor', sensor: 'nothing', fault: 'stuck' }, '/sensor'],
  [{ kind: 'conveyor', conveyor: 'nothing' }, '/conveyor'],
];

const faults: Rule = {
  id: 'sim/cell-faults',
  requirements: [],
  routes: ['addFault', 'clearFault', 'listFaults', 'setCell'],
  statement: 'Parts of the cell fail until the fault is cleared; unknown parts are refused.',
  needs: { ...needs, pace: true },
  async check(context) {
    const { expect } = context;
    const admin = await context.as('admin');
    const path = { object_name: 'plate' };
    const plateNow = async () => (await admin.does('getCellObject', path)).object;
    const gate = async () => (await context.snapshot())['global.inputs'].d0;
    await thenReset(admin, async () => {
      await admin.does('setCell', CELL);
      for (const [body, place] of REFUSED_FAULTS) {
        const { details } = await admin.refused('addFault', { body }, INVALID);
        expect.equal((details as readonly { readonly path: string }[])[0]?.path, place, 'place');
      }
      const taken = { kind: 'object', object: 'plate', fault: 'missing' } as const;
      const { fault } = await admin.does('addFault', taken);
      expect.equal((await plateNow()).status, 'missing', 'the status of a missing plate');
      await context.until('the beam is free', gate);
      await admin.does('clearFault', { fault_id: fault.id });
      await context.until('the plate is back', async () => (await plateNow()).at === 'left');
      await context.until('the beam is broken', async () => !(await gate()));
      const { position } = await plateNow();
      const shift = { ...taken, fault: 'misplaced', spread_mm: 5, seed: 3 } as const;
      await admin.does('addFault', shift);
      const { x, y } = (await plateNow()).position;
      const most = MM_PER_M * Math.max(Math.abs(x - position.x), Math.abs(y - position.y));
      expect.ok(most > 0 && most <= 5, `the plate is shifted by at most 5 mm, not ${most} mm`);
      const later = { kind: 'sensor', sensor: 'gate', fault: 'late', late_s: 0.2 } as const;
      await admin.does('addFault', later);
      await admin.does('addFault', { kind: 'sensor', sensor: 'gate', fault: 'stuck' });
      await admin.does('moveCellObject', path, { nest: 'right' });
      await context.settle(0.3);
      expect.equal(await gate(), false, 'the input of a stuck sensor');
      const slip = { kind: 'gripper', gripper: 'jaws', fault: 'slips', after_s: 2 } as const;
      await admin.does('addFault', slip);
      await admin.does('addFault', { kind: 'conveyor', conveyor: 'belt' });
      const listed = (await admin.does('listFaults')).faults.map((one) => one.fault.kind);
      expect.equal(listed, ['sensor', 'gripper', 'conveyor'], 'the active faults');
      await admin.does('setCell', CELL);
      expect.equal((await admin.does('listFaults')).faults, [], 'the faults of a replaced cell');
    });
  },
};

const deck: Rule = {
  id: 'sim/cell-deck',
  requirements: [],
  routes: ['getDeck', 'setDeck', 'setCell'],
  statement:
    'The deck of a workcell whose instruments and labware the cell has is that of the cell.',
  needs: { ...needs, pace: true },
  async check(context) {
    const { expect } = context;
    const admin = await context.as('admin');
    const bench = { id: 'bench', type: 'hotel', capacity: 2 };
    const body = { name: 'rules cell deck', instruments: [bench] };
    const { workcell } = await admin.does('createWorkcell', body);
    const parameters = { workcell_id: workcell.id };
    const on = (slot: number) => [{ labware_id: 'plate', instrument_id: 'bench', slot }];
    const deckNow = async () => (await admin.does('getDeck', parameters)).deck.labware;
    await thenReset(admin, async () => {
      expect.equal(await deckNow(), [], 'the deck without a cell');
      await admin.does('setCell', CELL);
      expect.equal(await deckNow(), on(1), 'the deck of the cell');
      await admin.does('moveCellObject', { object_name: 'plate' }, { nest: 'right' });
      const wanted = { object: 'plate', at: 'right', limit_s: 5 };
      await admin.does('runUntilObject', wanted);
      expect.equal(await deckNow(), on(2), 'the deck after a move by hand');
      const wrong = { parameters, body: { labware: on(1), gripper: null } };
      await admin.refused('setDeck', wrong, { status: 400, error_code: 1 });
      await admin.does('setDeck', parameters, { labware: on(2), gripper: null });
      await admin.does('removeCell');
      expect.equal(await deckNow(), on(2), 'the stored deck');
    });
    await admin.does('deleteWorkcell', parameters);
  },
};

export const SIM_CELL_RULES: readonly Rule[] = [description, changes, refusals, faults, deck];
