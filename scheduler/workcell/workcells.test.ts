/** The stored workcells, and the workcell that a definition describes. */

import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { Store } from '../../server/store/store.ts';
import { checkDefinition } from '../definition/checked-definition.ts';
import { describedWorkcell, describes, workcellNameOf } from '../definition/definition-workcell.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { updateDeck } from '../run/deck-update.ts';
import { RunProgress } from '../run/progress.ts';
import type { DeckPlace } from './deck.ts';
import { nameInUse, type Workcell, Workcells } from './workcells.ts';

const { instruments } = washAndRead().workcell;
const HOME = [0, 0.5, -1.7, 0, -1.2, 0];
const STATIONS = { hotel: { 1: { approach: HOME, grip: HOME } } };
const ARM = { id: 'arm', type: 'transport', config: { stations: STATIONS } };
const IN_HOTEL: DeckPlace = { instrument_id: 'hotel', slot: 3 };

describe('stored workcells', () => {
  let store: Store;
  let workcells: Workcells;

  beforeEach(async () => {
    store = await Store.open(null);
    workcells = new Workcells(store);
  });

  async function added(name: string, { owner_id = 1, list = instruments as object[] } = {}) {
    const body = { name, instruments: list as typeof instruments };
    return (await workcells.create(owner_id, body, {})) as Workcell;
  }

  const rows = () => Object.fromEntries(store.table('workcells').rows());
  const EMPTY_DECK = { labware: [], gripper: null };

  it('are created with an empty deck, in one transaction with what joins it', async () => {
    const joined: unknown[] = [];
    const body = { name: 'bench', instruments, transport_matrix: { default: 4 } };
    const made = (await workcells.create(1, body, {
      onCreated: (draft, one) => joined.push([draft.operations.length, one]),
    })) as Workcell;
    expect(made).toEqual({ id: 1, owner_id: 1, ...body, deck: new Map(), stock: new Map() });
    expect(joined).toEqual([[2, made]]);
    expect(rows()).toEqual({ 1: { owner_id: 1, ...body, deck: EMPTY_DECK } });
    expect(workcells.get(1)).toBe(made);
    expect((await added('other')).id).toBe(2);
  });

  it('are not created against the guard, or under a name in use', async () => {
    await added('bench');
    const late = refuse('timed_out');
    const body = { name: 'bench', instruments };
    expect(await workcells.create(1, body, { guard: () => late })).toBe(late);
    expect(await workcells.create(1, body, {})).toEqual(nameInUse('bench'));
    expect(nameInUse('bench').details).toMatchObject([{ path: '/name' }]);
    expect(nameInUse('bench').refused).toBe('invalid_arguments');
    expect(await added('bench', { owner_id: 2 })).toMatchObject({ id: 2, name: 'bench' });
    expect([Object.keys(rows()), workcells.list(1).length]).toEqual([['1', '2'], 1]);
    expect(workcells.stations).toEqual([]);
  });

  it('are not created above the limit of their owner', async () => {
    const row = { name: 'x', instruments: [], deck: EMPTY_DECK };
    await store.change((draft) => {
      const table = store.table<object>('workcells');
      for (let n = 1; n < limits.workcells_per_user; n++) {
        draft.put(table, n + 5000, { row: { ...row, owner_id: 1, name: `${n}` } });
      }
      draft.put(table, 9000, { row: { ...row, owner_id: 2 } });
    });
    expect(await added('last')).toMatchObject({ name: 'last' });
    expect(await added('more')).toMatchObject({ refused: 'invalid_arguments' });
    expect(await added('of another', { owner_id: 2 })).toMatchObject({ name: 'of another' });
  });

  it('are visible to their owner', async () => {
    const a = await added('a');
    const b = await added('b', { owner_id: 2 });
    expect(workcells.list(1)).toEqual([{ id: 1, name: 'a' }]);
    expect([workcells.find(1, 1), workcells.find(1, 2), workcells.find(2, 2)]).toEqual([
      a,
      null,
      b,
    ]);
    expect(workcells.find(1, 3)).toBeNull();
    expect([workcells.named(1, 'a'), workcells.named(2, 'a'), workcells.named(1, 'b')]).toEqual([
      a,
      null,
      null,
    ]);
    expect([workcells.get(2), workcells.get(3)]).toEqual([b, undefined]);
  });

  it('are loaded with their decks', async () => {
    const made = await added('a');
    const deck = new Map<string, DeckPlace>([
      ['p', IN_HOTEL],
      ['q', null],
    ]);
    const changed = await workcells.setDeck(made, deck);
    expect(changed).toEqual({ ...made, deck });
    expect(changed.deck).not.toBe(deck);
    expect(workcells.get(1)).toBe(changed);
    const labware = [{ labware_id: 'p', ...IN_HOTEL }];
    expect(rows()).toMatchObject({ 1: { deck: { labware, gripper: 'q' } } });
    expect(new Workcells(store).get(1)).toEqual(changed);
  });

  it('are updated, and removed one by one or all of an owner', async () => {
    const made = await added('a');
    const changed = await workcells.update(made, { name: 'z', instruments: [] });
    expect(changed).toEqual({ ...made, name: 'z', instruments: [] });
    expect([workcells.get(1), rows()]).toMatchObject([changed, { 1: { name: 'z' } }]);
    await added('b');
    await added('c', { owner_id: 2 });
    await added('d');
    await workcells.remove(2);
    expect([workcells.list(1).map(({ id }) => id), Object.keys(rows())]).toEqual([
      [1, 4],
      ['1', '3', '4'],
    ]);
    await workcells.removeAllOf(1);
    expect([workcells.list(1), Object.keys(rows()), workcells.list(2).length]).toEqual([
      [],
      ['3'],
      1,
    ]);
  });

  it('are those of process start after a reset, with their ids', async () => {
    const made = await added('a');
    workcells = new Workcells(store);
    await workcells.update(made, { name: 'z', instruments: [] });
    await added('b');
    await added('c');
    const resetting = workcells.reset();
    expect(workcells.list(1)).toEqual([{ id: 1, name: 'a' }]);
    await resetting;
    expect(workcells.list(1)).toEqual([{ id: 1, name: 'a' }]);
    expect(rows()).toEqual({ 1: { owner_id: 1, name: 'a', instruments, deck: EMPTY_DECK } });
    expect((await added('d')).id).toBe(2);
    const making = added('e');
    await Promise.all([making, workcells.reset()]);
    expect(workcells.list(1)).toEqual([{ id: 1, name: 'a' }]);
  });

  it('share an arm, whose stations and piece are known', async () => {
    await added('a');
    expect([workcells.stations, workcells.holding(null)]).toEqual([[], null]);
    const one = await added('b', { list: [...instruments.slice(0, 3), ARM] });
    expect(workcells.stations.map(({ name }) => name)).toEqual(['hotel slot 1']);
    const held = new Map([['p', null]]);
    await workcells.setDeck(workcells.get(1)!, held);
    await workcells.setDeck(one, new Map([['p', IN_HOTEL]]));
    expect(workcells.holding(null)).toBeNull();
    const holding = await workcells.setDeck(one, held);
    expect([workcells.holding(null), workcells.holding(1), workcells.holding(2)]).toEqual([
      holding,
      holding,
      null,
    ]);
    await workcells.update(holding, { name: 'b', instruments: [{ ...ARM, config: {} }] });
    expect(workcells.holding(null)).toBeNull();
  });
});

describe('the workcell of a definition', () => {
  const definitionOf = (workcell: object) =>
    ({ name: 'assay', workflow: { labware: [], tasks: {} }, workcell }) as WorkflowDefinition;
  const transport_matrix = { default: 5 };

  it('has the name of the definition where it has none', () => {
    expect(workcellNameOf(definitionOf({ workcell_id: 'bench' }))).toBe('bench');
    expect(workcellNameOf(definitionOf({ workcell_id: '' }))).toBe('assay');
    expect(workcellNameOf(definitionOf({}))).toBe('assay');
  });

  it('is what the definition describes', () => {
    expect(describedWorkcell(definitionOf({ workcell_id: 'bench' }))).toBeNull();
    expect(describedWorkcell(definitionOf({ instruments }))).toEqual({
      name: 'assay',
      instruments,
    });
    const whole = { workcell_id: 'bench', instruments, transport_matrix };
    const { workcell_id: name, ...body } = whole;
    expect(describedWorkcell(definitionOf(whole))).toEqual({ name, ...body });
  });

  it.each([
    [{ instruments }, true],
    [{ instruments, transport_matrix }, false],
    [{ instruments: [] }, false],
    [{ workcell_id: 'x' }, true],
    [{ workcell_id: 'x', instruments }, true],
  ])('is compared with the stored one without its name: %#', (workcell, isSame) => {
    expect(describes(definitionOf(workcell), { name: 'bench', instruments })).toBe(isSame);
  });

  it('has the labware of a run on its deck', () => {
    const model = checkDefinition(washAndRead({ plates: 2 })).model!;
    const progress = new RunProgress(model);
    const deck = new Map<string, DeckPlace>([['other', IN_HOTEL]]);
    progress.locations.splice(0, 2, null, { instrument: 2, slot: 7 });
    const stock = new Map();
    updateDeck({ id: 1, owner_id: 1, name: 'bench', instruments, deck, stock }, model, progress);
    expect([...deck]).toEqual([
      ['other', IN_HOTEL],
      ['plate_1', null],
      ['plate_2', { instrument_id: 'reader', slot: 7 }],
    ]);
  });
});
