/** What a start says where its deck differs, and where it puts down the piece that is held. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { Refusal } from '../../contract/refusal.ts';
import type { RunHead, StartRunBody } from '../../contract/types.generated.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { fastCell } from '../../physics/cell/fast-cell.cases.ts';
import { Store } from '../../server/store/store.ts';
import { EMPTY_HISTORY } from '../archive/run-history.ts';
import type { RunRecord } from '../archive/run-record.ts';
import { checkDefinition } from '../definition/checked-definition.ts';
import type { RunStart } from '../definition/definition-task.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { slotOfNest, workcellInCell } from '../workcell/cell-deck.ts';
import type { DeckPlace } from '../workcell/deck.ts';
import { grip, put, smallCell } from '../workcell/small-cell.cases.ts';
import { type Workcell, Workcells } from '../workcell/workcells.ts';
import type { Runs } from './runs.ts';
import type { StartRequest } from './start-request.ts';
import { type BoundWorkflow, WorkcellBinding } from './workcell-binding.ts';

const HOTEL_1 = { instrument_id: 'hotel', slot: 1 };
const HOTEL_2 = { instrument_id: 'hotel', slot: 2 };

let workcells: Workcells;
let cell: CellPlant | null;
/** Pieces of the active run on the workcell. */
let active: string[];
/** The time of the twin. */
const AT_START = { tick: 0, now_s: 0, epoch_ms: 0 };
let binding: WorkcellBinding;

beforeEach(async () => {
  workcells = new Workcells(await Store.open(null));
  [cell, active] = [null, []];
  const head = { id: 7, state: 'stopped', workflow_id: 4 } as RunHead;
  const stopped = { head, history: EMPTY_HISTORY } as RunRecord;
  const runs = {
    find: () => stopped,
    idsOn: () => [],
    updateDecks: () => {},
    sharedOn: () => {
      if (active.length === 0) return null;
      return { runs: [{ model: { labware: active.map((id) => ({ id })) } }] };
    },
  };
  binding = new WorkcellBinding(runs as never as Runs, {
    workcells,
    cell: () => cell,
    time: AT_START,
  });
});

type Document = ReturnType<typeof washAndRead>;

function requestOf(options: StartRunBody, document: Document): StartRequest {
  const { definition } = checkDefinition(document);
  return {
    caller: { user_id: 1, token_id: 1, role: 'user' },
    workflow_id: 4,
    definition: definition!,
    check: async ({ labware, held }: RunStart) =>
      checkDefinition({ ...document, workflow: { ...document.workflow, labware } }, { held }),
    options,
    recheck: () => null,
  };
}

async function textOf(options: StartRunBody, document = washAndRead()) {
  return ((await binding.bind(requestOf(options, document))) as Refusal).details;
}

async function stored(deck: Record<string, DeckPlace>): Promise<void> {
  const { instruments, transport_matrix } = washAndRead().workcell;
  const made = await workcells.create(1, { name: 'test', instruments, transport_matrix }, {});
  await workcells.setDeck(made as Workcell, new Map(Object.entries(deck)));
}

describe('the refusal of a deck', () => {
  const differences =
    'the gripper holds y, which must be put down first; hotel slot 1 holds x, not plate_1';

  it.each([
    [{ deck: 'as_found' }, 'Set the deck'],
    [{ continue_run_id: 7 }, 'Set the deck'],
    [{ deck: 'as_defined' }, 'Set the deck, or start with "deck": "as_found"'],
    [{}, 'Set the deck, or start with "deck": "as_defined" or "as_found"'],
  ] as const)('names all that differs, and for %j what helps', async (options, advice) => {
    await stored({ y: null, x: HOTEL_1 });
    expect(await textOf(options)).toBe(`The deck differs: ${differences}. ${advice}`);
  });

  it('names each piece of an active run', async () => {
    await stored({});
    active = ['plate_2', 'plate_1'];
    expect(await textOf({}, washAndRead({ plates: 2 }))).toBe(
      'plate_1 belongs to an active run; plate_2 belongs to an active run. ' +
        'Wait for its end, or stop it',
    );
  });

  it('of a cell offers the deck as found only to a start that does not take it', async () => {
    cell = smallCell();
    put(cell, 'plate_2', 'hotel nest 2');
    grip(cell, true);
    const { workflow, ...rest } = washAndRead({ plates: 2 });
    const tasks = Object.fromEntries(
      Object.entries(workflow.tasks).filter(([id]) => id.endsWith('plate_2')),
    );
    const document = { ...rest, workflow: { ...workflow, labware: [workflow.labware[1]!], tasks } };
    const found = 'The deck differs: the gripper holds plate_1, which must be put down first.';
    const advice = 'Move the object (PUT /sim/v1/cell/objects/{name})';
    expect(await textOf({ deck: 'as_found' }, document)).toBe(`${found} ${advice}`);
    const more = ', or start with "deck": "as_found"';
    expect(await textOf({}, document)).toBe(`${found} ${advice}${more}`);
  });
});

it('a held piece is put down in its own slot of a task with several pieces', async () => {
  await stored({ plate_1: null, plate_2: HOTEL_2 });
  const request = requestOf({ deck: 'as_found' }, washAndRead({ plates: 2 }));
  const run = (await binding.bind(request)) as BoundWorkflow;
  const uses = [1, 0].map((labware) => ({ labware, slot: 5 + labware, slot_after: 1 }));
  const [first, ...others] = run.model.tasks;
  const model = { ...run.model, tasks: [{ ...first!, uses }, ...others] };
  const moves = { putDownTime_s: async () => 4 };
  const move = await binding.heldMove({ ...run, model }, moves as never);
  expect(move).toMatchObject({ labware: 0, to: { instrument: 1, slot: 5 } });
});

it('a nest on the first object of a cell is no slot of an instrument', () => {
  const shape = { kind: 'cylinder', diameter_m: 0.04, height_m: 0.04 } as const;
  const nests = [{ name: 'on tray', position: { x: 0, y: 0, z: 0.04 } }];
  const tray = { name: 'tray', shape, mass_kg: 0.06, position: { x: 0.4, y: 0, z: 0 }, nests };
  const described = { name: 'one tray', fixtures: [], objects: [tray] };
  const plant = fastCell(described);
  expect(plant.model.nests.map(({ owner, on }) => [owner, on])).toEqual([[0, 'tray']]);
  expect(slotOfNest(plant, 'on tray')).toBeNull();
  const instruments = [{ id: 'tray', type: 'tray' }];
  expect(workcellInCell(plant, { instruments, deck: new Map() })).toBeNull();
});
