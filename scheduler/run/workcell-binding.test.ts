/** A definition is matched with the deck of its workcell: what is refused, where a run starts. */

import { beforeEach, describe, expect, it } from 'vitest';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RunHead, StartRunBody } from '../../contract/types.generated.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { fastCell } from '../../physics/cell/fast-cell.cases.ts';
import { Store } from '../../server/store/store.ts';
import { EMPTY_HISTORY } from '../archive/run-history.ts';
import type { RunRecord } from '../archive/run-record.ts';
import { checkDefinition } from '../definition/checked-definition.ts';
import type { RunStart } from '../definition/definition-task.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import type { DeckPlace } from '../workcell/deck.ts';
import type { Neighbours } from '../workcell/neighbours.ts';
import type { SharedWorkcell } from '../workcell/shared-workcell.ts';
import { type Workcell, Workcells } from '../workcell/workcells.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { Runs } from './runs.ts';
import type { StartRequest } from './start-request.ts';
import { type BoundWorkflow, WorkcellBinding } from './workcell-binding.ts';

/** An object with the members that a test needs of its type. */
function partial<Type>(members: Partial<Type>): Type {
  return Object.assign(Object.create(null), members);
}

const HOTEL_2 = { instrument_id: 'hotel', slot: 2 };
const HOTEL_3 = { instrument_id: 'hotel', slot: 3 };
const WASHER: SlotLocation = { instrument: 1, slot: 1 };

let workcells: Workcells;
let records: Map<number, RunRecord>;
let shared: SharedWorkcell | null;
let busy: number[];
let cell: CellPlant | null;
let updated: number[];
/** The time of the twin. */
const time = { tick: 0, now_s: 0, epoch_ms: 0 };
let binding: WorkcellBinding;

beforeEach(async () => {
  workcells = new Workcells(await Store.open(null));
  records = new Map();
  [shared, busy, cell, updated] = [null, [], null, []];
  const runs = partial<Runs>({
    find: (_, id) => records.get(id) ?? null,
    idsOn: () => busy,
    sharedOn: () => shared,
    updateDecks: (id) => void updated.push(id),
  });
  binding = new WorkcellBinding(runs, { workcells, cell: () => cell, time });
});

type Document = ReturnType<typeof washAndRead>;

/** The active runs of the workcell: their pieces, and what holds a slot. */
function sharedWith(ids: string[], holderOf: Neighbours['holderOf'] = () => undefined) {
  const labware = ids.map((id) => ({ id }));
  const model = partial<BoundWorkflow['model']>({ labware: labware as never, supplies: [] });
  return partial<SharedWorkcell>({
    runs: ids.length > 0 ? [partial<SharedWorkcell['runs'][number]>({ model })] : [],
    neighboursOf: () => partial<Neighbours>({ holderOf }),
  });
}

function requestOf(options: StartRunBody = {}, document: Document = washAndRead()): StartRequest {
  const definition = checkDefinition(document).definition!;
  return {
    caller: partial<StartRequest['caller']>({ user_id: 1 }),
    workflow_id: 4,
    definition,
    check: async ({ labware, held }: RunStart) =>
      checkDefinition({ ...document, workflow: { ...document.workflow, labware } }, { held }),
    options,
    recheck: () => null,
  };
}

type Options = StartRunBody & { readonly document?: Document };
const bound = ({ document, ...options }: Options = {}) =>
  binding.bind(requestOf(options, document)) as Promise<BoundWorkflow>;

async function refusalOf({ document, ...options }: Options = {}) {
  const { refused, details } = (await binding.bind(requestOf(options, document))) as Refusal;
  return { refused, details, text: JSON.stringify(details) };
}

async function stored(deck: Record<string, DeckPlace> = {}): Promise<Workcell> {
  const { instruments, transport_matrix } = washAndRead().workcell;
  const body = { name: 'test', instruments, transport_matrix };
  const made = (await workcells.create(1, body, {})) as Workcell;
  return workcells.setDeck(made, new Map(Object.entries(deck)));
}

const places = ({ model }: BoundWorkflow) => model.labware.map(({ location }) => location);

describe('the workcell of a run', () => {
  it('is none with simulated drivers', async () => {
    await stored({ plate_1: HOTEL_3, x: HOTEL_2 });
    shared = sharedWith(['plate_1']);
    const run = await bound({ simulate_drivers: true });
    expect([run.workcell, run.held, run.statics.size, places(run)]).toEqual([
      null,
      -1,
      0,
      [{ instrument: 0, slot: 1 }],
    ]);
    expect(updated).toEqual([]);
  });

  it('is made of the definition, unless the guard refuses', async () => {
    const late = refuse('timed_out');
    expect(await binding.bind({ ...requestOf(), recheck: () => late })).toBe(late);
    expect(workcells.list(1)).toEqual([]);
    const { workcell } = await bound();
    expect(workcell).toMatchObject({ id: 1, name: 'test', transport_matrix: { default: 5 } });
    expect([(await bound()).workcell, updated]).toEqual([workcell, [1, 1]]);
  });

  it('is changed by the definition, unless a run uses it', async () => {
    await stored();
    const document = washAndRead();
    document.workcell.transport_matrix.default = 6;
    busy = [8];
    expect((await refusalOf({ document })).refused).toBe('wrong_state');
    expect(workcells.get(1)!.transport_matrix).toEqual({ default: 5 });
    expect((await bound()).workcell!.id).toBe(1);
    busy = [];
    expect((await bound({ document })).workcell!.transport_matrix).toEqual({ default: 6 });
    expect(workcells.get(1)!.transport_matrix).toEqual({ default: 6 });
  });

  it('is not changed where labware would have no place', async () => {
    await stored({ x: { instrument_id: 'hotel', slot: 10 }, y: HOTEL_3, z: null });
    const document = washAndRead();
    document.workcell.instruments[0]!.capacity = 2;
    const { refused, text } = await refusalOf({ document });
    expect([refused, text.includes('x stands'), text.includes('y stands')]).toEqual([
      'wrong_state',
      true,
      true,
    ]);
    expect(text).toContain('slots 1 to 2; y');
    expect(workcells.get(1)!.instruments[0]!.capacity).toBe(10);
  });
});

describe('a run that continues another', () => {
  const add = (state: RunHead['state'], rest: Partial<RunRecord> = {}, workflow_id = 4) => {
    const started_at = '2020-01-01T00:00:00.000Z';
    const head = partial<RunHead>({ id: 7, state, workflow_id, started_at });
    records.set(7, partial<RunRecord>({ head, history: EMPTY_HISTORY, ...rest }));
  };
  const RUN = { continue_run_id: 7 };

  it('needs one of the same workflow that has stopped', async () => {
    expect((await refusalOf(RUN)).refused).toBe('not_found');
    add('stopped', {}, 5);
    const other = await refusalOf(RUN);
    expect([other.refused, other.details]).toMatchObject([
      'invalid_arguments',
      [{ path: '/continue_run_id' }],
    ]);
    for (const state of ['started', 'paused'] as const) {
      add(state);
      expect((await refusalOf(RUN)).refused).toBe('wrong_state');
    }
    expect(workcells.list(1)).toEqual([]);
    add('stopped');
    expect((await bound(RUN)).model.tasks.map(({ skip }) => skip)).toEqual([false, false]);
  });

  it('does not repeat what is done', async () => {
    const document = washAndRead({ plates: 2 });
    const limit = (id: string, start_task_id: string, end_task_id: string) => {
      return { id, type: 'end_to_start', start_task_id, end_task_id };
    };
    Object.assign(document.workflow, {
      time_constraints: [
        limit('a', 'wash_plate_1', 'read_plate_1'),
        limit('b', 'read_plate_1', 'wash_plate_2'),
        limit('c', 'read_plate_1', 'read_plate_2'),
      ],
    });
    const states = { wash_plate_1: 'succeeded', read_plate_1: 'failed', wash_plate_2: 'skipped' };
    const tasks = Object.entries(states).map(([id, state]) => ({ id, state }));
    const history = { ...EMPTY_HISTORY, tasks } as RunRecord['history'];
    add('stopped', { history });
    const { model } = await bound({ ...RUN, document });
    expect(model.tasks.map(({ id, skip, ended }) => [id, skip, ended])).toEqual([
      ['wash_plate_1', true, 'succeeded'],
      ['read_plate_1', false, undefined],
      ['wash_plate_2', true, 'skipped'],
      ['read_plate_2', false, undefined],
    ]);
    expect(model.tasks[0]).toMatchObject({ candidates: [], uses: [] });
    expect(model.tasks[1]!.uses).toHaveLength(1);
    expect(model.labware.map((piece) => piece.tasks)).toEqual([[1], [3]]);
    expect(model.constraints.map(({ id }) => id)).toEqual(['c']);
    tasks.splice(0, 3, { id: 'read_plate_1', state: 'completed_manually' });
    const again = await bound({ ...RUN, document });
    expect(again.model.tasks[1]).toMatchObject({ skip: true, ended: 'completed_manually' });
  });

  it.each([
    [undefined, 14],
    ['stopped', 14],
    ['kept_running', 5],
    ['repeat', 20],
  ] as const)('has what is left of an interrupted task that is %s: %d s', async (what, left_s) => {
    const document = washAndRead();
    const limit = { id: 'soon', type: 'start_to_end', max_duration: 100, min_duration: 8 };
    const ends = { start_task_id: 'wash_plate_1', end_task_id: 'read_plate_1' };
    Object.assign(document.workflow, { time_constraints: [{ ...limit, ...ends }] });
    const error = 'the process was restarted';
    const wash = { id: 'wash_plate_1', state: 'failed', error, started_at_s: 5, ended_at_s: null };
    const history = { ...EMPTY_HISTORY, now_s: 11, tasks: [wash] } as RunRecord['history'];
    add('stopped', { history });
    time.epoch_ms = Date.parse(records.get(7)!.head.started_at) + 20_000;
    const interrupted_tasks = what ? { wash_plate_1: what } : {};
    const { model } = await bound({ ...RUN, document, interrupted_tasks });
    expect(model.tasks.map(({ estimate_s }) => estimate_s)).toEqual([left_s, 30]);
    const [soon] = model.constraints;
    const isRepeated = what === 'repeat';
    expect([soon!.min_duration, soon!.max_duration]).toEqual(isRepeated ? [8, 100] : [0, 85]);
  });

  it('asks about a task that may have ended since the process did, and repeats it not unasked', async () => {
    const error = 'the process was restarted';
    const wash = { id: 'wash_plate_1', state: 'failed', error, started_at_s: 5, ended_at_s: null };
    const history = { ...EMPTY_HISTORY, now_s: 5, tasks: [wash] } as RunRecord['history'];
    add('stopped', { history });
    const left = async (what?: 'stopped' | 'kept_running') => {
      const { model } = await bound({
        ...RUN,
        ...(what && { interrupted_tasks: { wash_plate_1: what } }),
      });
      return model.tasks[0]!.estimate_s;
    };
    const began_ms = Date.parse(records.get(7)!.head.started_at);
    time.epoch_ms = began_ms + 24_996;
    expect(await left()).toBe(20);
    time.epoch_ms = began_ms + 25_000;
    const { refused, details } = await refusalOf(RUN);
    const problem = expect.stringContaining('wash_plate_1 may have ended since the process did');
    expect([refused, details]).toEqual([
      'invalid_arguments',
      [{ path: '/interrupted_tasks', problem }],
    ]);
    expect([await left('kept_running'), await left('stopped')]).toEqual([0, 20]);
    // By its last event it was late: nothing would be repeated.
    records.get(7)!.history = { ...history, now_s: 26 };
    expect(await left()).toBe(0);
    const unknown = await refusalOf({ ...RUN, interrupted_tasks: { wash: 'kept_running' } });
    expect(unknown.details).toEqual([
      { path: '/interrupted_tasks', problem: 'there is no task wash' },
    ]);
  });

  it('takes the deck as found, unless it says otherwise', async () => {
    add('stopped');
    await stored({ plate_1: HOTEL_3 });
    expect(places(await bound(RUN))).toEqual([{ instrument: 0, slot: 3 }]);
    expect((await refusalOf({ ...RUN, deck: 'check' })).refused).toBe('wrong_state');
  });
});

describe('the deck at a start', () => {
  it.each([{}, { deck: 'check' }] as const)('that differs is refused with %j', async (options) => {
    await stored({ plate_1: HOTEL_3 });
    const { refused, details } = await refusalOf(options);
    expect(refused).toBe('wrong_state');
    for (const text of ['plate_1 is in hotel slot 3', '"as_defined"', '"as_found"']) {
      expect(details).toContain(text);
    }
  });

  it('may be that of the definition or the one found', async () => {
    await stored({ plate_1: HOTEL_3 });
    expect(places(await bound({ deck: 'as_defined' }))).toEqual([{ instrument: 0, slot: 1 }]);
    expect(places(await bound({ deck: 'as_found' }))).toEqual([{ instrument: 0, slot: 3 }]);
  });

  it('keeps a slot from being used twice, in every mode', async () => {
    await stored({ x: { instrument_id: 'hotel', slot: 1 }, y: HOTEL_3 });
    const advice = { check: true, as_defined: true, as_found: false };
    for (const [deck, canFind] of Object.entries(advice)) {
      const { refused, details } = await refusalOf({ deck: deck as 'check' });
      expect([refused, `${details}`.includes('"as_found"')]).toEqual(['wrong_state', canFind]);
      expect(details).toContain('holds x, not plate_1. Set the deck');
      expect(`${details}`.includes('"as_defined"')).toBe(deck === 'check');
    }
  });

  it('has pieces that the definition does not use', async () => {
    await stored({ x: HOTEL_2, y: HOTEL_3 });
    const run = await bound();
    expect([...run.statics]).toEqual([
      ['x', { instrument: 0, slot: 2 }],
      ['y', { instrument: 0, slot: 3 }],
    ]);
    const request = requestOf();
    await workcells.setDeck(workcells.get(1)!, new Map([['x', HOTEL_3]]));
    expect([...binding.staticsNow(request, run)]).toEqual([['x', { instrument: 0, slot: 3 }]]);
    expect(binding.staticsNow(request, { ...run, workcell: null }).size).toBe(0);
    await workcells.remove(1);
    expect(binding.staticsNow(request, run).size).toBe(0);
  });

  it('has a piece in the gripper', async () => {
    await stored({ plate_2: null });
    const document = washAndRead({ plates: 2 });
    const run = await bound({ document, deck: 'as_found' });
    expect([run.held, run.start.startsWith('["plate_2"')]).toEqual([1, true]);
    expect((await bound({ deck: 'as_found', simulate_drivers: true })).held).toBe(-1);
  });

  it('is compared without the pieces of active runs, which no other run may use', async () => {
    await stored({ plate_2: HOTEL_3, x: { instrument_id: 'hotel', slot: 7 } });
    shared = sharedWith(['plate_2']);
    const document = washAndRead({ plates: 2 });
    const { refused, details } = await refusalOf({ document, deck: 'as_found' });
    expect([refused, `${details}`.includes('plate_2'), `${details}`.includes('plate_1')]).toEqual([
      'wrong_state',
      true,
      false,
    ]);
    expect([...(await bound()).statics.keys()]).toEqual(['x']);
  });
});

describe('a model at a start', () => {
  it('is refused with the errors of its check', async () => {
    const request = requestOf({ simulate_drivers: true });
    const errors = [{ path: '/at', message: 'is bad' }];
    const check = async () => ({ errors, warnings: [], model: null, definition: null });
    expect(await binding.bind({ ...request, check })).toMatchObject({
      refused: 'invalid_arguments',
      details: [{ path: '/at', problem: 'is bad' }],
    });
  });

  it('has the tasks that faults name', async () => {
    const faults = [{ task_id: 'wash_plate_1' }, { task_id: 'x' }];
    const { refused, details } = await refusalOf({ simulate_drivers: true, faults });
    expect([refused, details]).toMatchObject([
      'invalid_arguments',
      [{ path: '/faults/1/task_id' }],
    ]);
    expect((await bound({ simulate_drivers: true, faults: faults.slice(0, 1) })).held).toBe(-1);
  });

  it('needs slots that other runs leave free', async () => {
    await stored();
    const hotel_1 = (id: string): Neighbours['holderOf'] => {
      return ({ instrument, slot }) => (instrument === 0 && slot === 1 ? id : undefined);
    };
    shared = sharedWith([], hotel_1('other'));
    const { refused, details } = await refusalOf();
    expect([refused, `${details}`.includes('hotel slot 1 holds other, not plate_1')]).toEqual([
      'wrong_state',
      true,
    ]);
    shared = sharedWith([], hotel_1('plate_1'));
    expect((await bound()).held).toBe(-1);
    shared = sharedWith([], hotel_1('other'));
    const bin = washAndRead();
    Object.assign(bin.workcell.instruments[0]!, { is_slotless_container: true });
    expect((await bound({ document: bin })).held).toBe(-1);
    await workcells.setDeck(workcells.get(1)!, new Map([['plate_1', null]]));
    expect((await bound({ document: bin, deck: 'as_found' })).held).toBe(0);
    expect((await bound({ deck: 'as_found' })).held).toBe(0);
    expect((await bound({ simulate_drivers: true })).workcell).toBeNull();
  });
});

describe('the deck of a cell', () => {
  const nest = (name: string, x: number) => ({ name, position: { x, y: 0, z: 0.1 } });
  const shape = { kind: 'cylinder', diameter_m: 0.04, height_m: 0.04 } as const;
  const plantOf = (place: object) => {
    const fixture = { name: 'hotel', position: { x: 0, y: 0, z: 0 }, boxes: [] };
    const nests = [nest('one', 0.3), nest('two', 0.5), nest('three', 0.7)];
    const objects = [{ name: 'plate_1', shape, mass_kg: 0.06, ...place }];
    const described = { name: 'c', fixtures: [{ ...fixture, nests }], objects };
    return fastCell(described);
  };

  it('is compared with the definition, whatever the caller says', async () => {
    cell = plantOf({ nest: 'one' });
    expect(places(await bound({ deck: 'as_defined' }))).toEqual([{ instrument: 0, slot: 1 }]);
    cell = plantOf({ nest: 'three' });
    for (const deck of ['check', 'as_defined'] as const) {
      const { refused, details } = await refusalOf({ deck });
      expect([refused, `${details}`.includes('plate_1 is in hotel slot 3')]).toEqual([
        'wrong_state',
        true,
      ]);
      expect(details).toContain('Move the object');
      expect(details).toContain('"as_found"');
      expect(details).not.toContain('"as_defined"');
    }
    expect(places(await bound({ deck: 'as_found' }))).toEqual([{ instrument: 0, slot: 3 }]);
    expect(places(await bound({ simulate_drivers: true }))).toEqual([{ instrument: 0, slot: 1 }]);
  });

  it('has no piece that stands in no slot', async () => {
    cell = plantOf({ position: { x: 1, y: 1, z: 0 } });
    for (const deck of ['check', 'as_found'] as const) {
      const { refused, details } = await refusalOf({ deck });
      expect([refused, `${details}`.includes('differs: plate_1')]).toEqual(['wrong_state', true]);
      expect(details).not.toContain('"as_found"');
    }
  });

  it('is not used for labware that it does not have', async () => {
    cell = plantOf({ nest: 'three', name: 'other' });
    expect(places(await bound())).toEqual([{ instrument: 0, slot: 1 }]);
  });

  it('has slots that other runs have taken', async () => {
    cell = plantOf({ nest: 'one' });
    shared = sharedWith([], () => 'other');
    const { details } = await refusalOf();
    expect(details).toContain('Move the object');
    expect(details).not.toContain('"as_found"');
    cell = null;
    expect((await refusalOf()).details).not.toContain('Move the object');
  });
});

describe('the move of a held piece', () => {
  const heldIn = async (document = washAndRead({ plates: 2 })): Promise<BoundWorkflow> => {
    await stored({ plate_1: null });
    return bound({ document, deck: 'as_found' });
  };
  const movesOf = (time_s: (to: SlotLocation) => number | null) =>
    partial<PreparedMoves>({ putDownTime_s: async (to: SlotLocation) => time_s(to) });
  const inFour = movesOf(() => 4);
  const HOME: SlotLocation = { instrument: 0, slot: 1 };

  it('goes where its next task needs it', async () => {
    const run = await heldIn();
    const move = { task: 0, labware: 0, from: HOME, to: WASHER, start_s: 0, end_s: 4 };
    expect(await binding.heldMove(run, inFour)).toEqual(move);
    expect(await binding.heldMove({ ...run, workcell: null }, inFour)).toEqual(move);
    expect(
      await binding.heldMove(
        run,
        movesOf(() => null),
      ),
    ).toBeNull();
    shared = sharedWith([]);
    expect(await binding.heldMove(run, inFour)).toEqual(move);
  });

  it('goes nowhere where its slot is taken', async () => {
    const run = await heldIn();
    const statics = new Map([['x', WASHER]]);
    expect(await binding.heldMove({ ...run, statics }, inFour)).toBeNull();
    const labware = run.model.labware.map((one, i) =>
      i === 1 ? { ...one, location: WASHER } : one,
    );
    expect(await binding.heldMove({ ...run, model: { ...run.model, labware } }, inFour)).toBeNull();
    const holderOf = ({ instrument }: SlotLocation) => (instrument === 1 ? 'other' : undefined);
    shared = sharedWith([], holderOf);
    expect(await binding.heldMove(run, inFour)).toBeNull();
    expect(await binding.heldMove({ ...run, workcell: null }, inFour)).not.toBeNull();
  });

  it('begins where it ends when another piece has its place', async () => {
    const run = await heldIn();
    const statics = new Map([['x', HOME]]);
    const move = await binding.heldMove({ ...run, statics }, inFour);
    expect(move).toMatchObject({ from: WASHER, to: WASHER });
  });

  it('takes the first instrument that it can reach', async () => {
    const document = washAndRead({ plates: 2 });
    document.workcell.instruments.push({ id: 'washer 2', type: 'washer', bench: 'a' });
    const run = await heldIn(document);
    const to = { instrument: 3, slot: 1 };
    const moves = movesOf(({ instrument }) => (instrument === 3 ? 9 : null));
    expect(await binding.heldMove(run, moves)).toMatchObject({ to, end_s: 9 });
    expect(await binding.heldMove(run, inFour)).toMatchObject({ to: WASHER });
  });

  it('goes to its place where no task needs it', async () => {
    const run = await heldIn();
    const labware = run.model.labware.map((one) => ({ ...one, tasks: [] }));
    const model = { ...run.model, labware };
    const move = { task: -1, labware: 0, from: HOME, to: HOME, start_s: 0, end_s: 4 };
    expect(await binding.heldMove({ ...run, model }, inFour)).toEqual(move);
    const statics = new Map([['x', HOME]]);
    expect(await binding.heldMove({ ...run, model, statics }, inFour)).toBeNull();
  });
});

describe('a deck that changes while a run is planned', () => {
  const fault = (run: BoundWorkflow, options: StartRunBody = {}) =>
    binding.movedFault(requestOf(options), run)?.refused ?? null;

  it('is no fault where it concerns other places, or no workcell', async () => {
    const cellOf = await stored();
    const run = await bound();
    expect(fault(run)).toBeNull();
    await workcells.setDeck(cellOf, new Map([['x', HOTEL_3]]));
    expect(fault(run)).toBeNull();
    await workcells.remove(1);
    expect(fault({ ...run, workcell: null })).toBeNull();
    expect(fault(run)).toBe('wrong_state');
  });

  it('is a fault where a piece of the run is elsewhere, or its slot is taken', async () => {
    const cellOf = await stored();
    const run = await bound({ deck: 'as_found' });
    const found = { deck: 'as_found' } as const;
    await workcells.setDeck(cellOf, new Map([['plate_1', HOTEL_3]]));
    expect([fault(run), fault(run, found)]).toEqual(['wrong_state', 'wrong_state']);
    await workcells.setDeck(cellOf, new Map([['x', { instrument_id: 'hotel', slot: 1 }]]));
    expect(fault(run, found)).toBe('wrong_state');
    await workcells.setDeck(cellOf, new Map([['plate_1', null]]));
    expect(fault(run, found)).toBe('wrong_state');
    await workcells.setDeck(cellOf, new Map());
    expect(fault(run, found)).toBeNull();
  });

  it('is a fault where another run has taken a piece or a slot', async () => {
    await stored();
    const run = await bound();
    shared = sharedWith(['plate_1']);
    expect(fault(run)).toBe('wrong_state');
    shared = sharedWith(['x'], () => 'x');
    expect(fault(run)).toBe('wrong_state');
    shared = sharedWith(['x']);
    expect(fault(run)).toBeNull();
  });
});
