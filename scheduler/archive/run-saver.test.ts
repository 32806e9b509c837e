/** The stored runs over a store in memory, and when their events are saved, shown and sent. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { shareAlone, shares } from '../../contract/shares.ts';
import type { RunEvent, RunHead } from '../../contract/types.generated.ts';
import { ownTurn } from '../../server/clock/turns.ts';
import { systemClock } from '../../server/clock/wall-clock.ts';
import { SimulatedWall } from '../../server/service/http/simulated-network.cases.ts';
import { StorageError } from '../../server/store/storage-error.ts';
import { Store } from '../../server/store/store.ts';
import { RunArchive } from './run-archive.ts';
import { EMPTY_HISTORY } from './run-history.ts';
import type { RunRecord } from './run-record.ts';
import { type AddDeliveries, RunSaver } from './run-saver.ts';

type History = RunRecord['history'];

let store: Store;
let archive: RunArchive;

beforeEach(async () => {
  store = await Store.open(null);
  archive = new RunArchive(store);
});

const nothing = () => {};

function headOf(id: number, state: RunHead['state'] = 'started'): RunHead {
  return {
    id,
    workflow_id: 4,
    workcell_id: null,
    name: `run ${id}`,
    state,
    message: '',
    started_at: '2020-01-01T00:00:00Z',
    stopped_at: null,
  };
}

function recordOf(id: number, rest: Partial<RunRecord> = {}): RunRecord {
  const head = headOf(id);
  const empty = { events: [], history: EMPTY_HISTORY, pausing: false };
  return { head, owner_id: 3, hooks: [], ...empty, ...rest };
}

function added(state: RunHead['state'] = 'started'): Promise<RunRecord> {
  return archive.create((id) => recordOf(id, { head: headOf(id, state) }));
}

function eventOf(sequence: number): RunEvent {
  const body = { run_id: '1', timestamp: '2020-01-01T00:00:00Z', remaining_worktime: sequence };
  return { sequence, hook_type: 'NewPlanHook', body };
}

function taskOf(id: string, error = ''): History['tasks'][number] {
  const times = { started_at_s: null, ended_at_s: null };
  const planned = { planned_start_s: null, planned_end_s: null };
  return { id, state: 'waiting', instrument_id: null, error, ...times, ...planned };
}

function labwareOf(labware_id: string, slot: number): History['labware'][number] {
  return { labware_id, instrument_id: 'hotel', slot };
}

function historyOf(rest: Partial<History>): History {
  return { ...EMPTY_HISTORY, ...rest };
}

/** The tables of runs and their rows by key, without the counters. */
function rows(): Record<string, unknown> {
  const tables = [...store.tables].filter(([name, { size }]) => name !== 'counters' && size > 0);
  return Object.fromEntries(
    tables.map(([name, table]) => [name, Object.fromEntries(table.rows())]),
  );
}

const reopened = () => new RunArchive(store);

/** Makes every write fail, as a full disk does; the returned function ends that. */
function failWrites(): () => void {
  store.beforeCommit = () => {
    throw new StorageError('no space');
  };
  return () => {
    store.beforeCommit = nothing;
  };
}

describe('the archive of runs', () => {
  it('stores a new run under the next id, with what joins its transaction', async () => {
    const heads: RunHead[] = [];
    const record = await archive.create(
      (id) => recordOf(id, { history: historyOf({ now_s: 2 }) }),
      (draft, head) => {
        heads.push(head);
        draft.put(store.table('other'), 1, { row: 'with it' });
      },
    );
    expect(heads).toEqual([headOf(1)]);
    expect(archive.records.get(1)).toBe(record);
    const { head, owner_id, hooks, pausing } = record;
    expect(rows()).toEqual({
      runs: { 1: { head, owner_id, hooks, pausing, now_s: 2 } },
      other: { 1: 'with it' },
    });
    expect((await added()).head.id).toBe(2);
  });

  it('loads runs and their lists in the order of their numbers', async () => {
    const plan = { id: 5, makespan: 1, lower_bound: 1, tasks: {} } as History['plan'];
    const tasks = Array.from({ length: 11 }, (_, i) => taskOf(`task ${i}`));
    const labware = [labwareOf('a', 1), labwareOf('b', 2)];
    const violations = [{ constraint_id: 'rest' } as History['violations'][number]];
    const moves = [{ labware_id: 'a' }, { labware_id: 'b' }] as History['moves'];
    for (let n = 1; n <= 10; n++) await added();
    const record = archive.records.get(2)!;
    record.history = historyOf({ now_s: 4, tasks, labware, moves, violations, plan });
    record.pausing = true;
    const events = Array.from({ length: 11 }, (_, i) => eventOf(i + 1));
    record.events.push(...events);
    await archive.save(record, events, nothing);
    // A row that changes is the last of its table.
    const changed = tasks.with(1, taskOf('task 1', 'late'));
    const swapped = [labwareOf('a', 7), labwareOf('b', 2)];
    record.history = { ...record.history, now_s: 6, tasks: changed, labware: swapped };
    await archive.save(record, [], nothing);
    const again = reopened();
    expect([...again.records.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(again.records.get(2)).toEqual(record);
    expect(again.records.get(3)).toEqual(recordOf(3));
    expect([again.last_plan_id, archive.last_plan_id, new RunArchive(store).last_plan_id]).toEqual([
      5, 5, 5,
    ]);
  });

  it('knows the highest plan id, 0 without a plan', async () => {
    expect(archive.last_plan_id).toBe(0);
    for (const id of [3, 9, 4]) {
      const record = await added();
      record.history = historyOf({ plan: { id } as History['plan'] });
    }
    await added();
    expect(archive.last_plan_id).toBe(9);
  });

  it('writes only the rows that have changed', async () => {
    const record = await added();
    record.history = historyOf({ tasks: [taskOf('a'), taskOf('b'), taskOf('c')] });
    await archive.save(record, [], nothing);
    const table = store.table('run-1-tasks');
    expect(table.version).toBe(3);
    record.history = historyOf({ tasks: [taskOf('a'), taskOf('x'), taskOf('c')] });
    await archive.save(record, [], nothing);
    expect([table.version, table.get(1)]).toEqual([4, taskOf('x')]);
    // As loaded again: what is stored is known.
    archive = reopened();
    const same = archive.records.get(1)!;
    await archive.save(same, [], nothing);
    expect(table.version).toBe(4);
  });

  it('removes the rows that a shorter list no longer has, and a plan that is gone', async () => {
    const record = await added();
    const plan = { id: 5 } as History['plan'];
    record.history = historyOf({ tasks: ['a', 'b', 'c', 'd'].map((id) => taskOf(id)), plan });
    await archive.save(record, [], nothing);
    expect(store.table('run-1-plan').get(0)).toBe(plan);
    record.history = historyOf({ tasks: [taskOf('a')], plan });
    await archive.save(record, [], nothing);
    expect([...store.table('run-1-tasks').rows()]).toEqual([[0, taskOf('a')]]);
    expect(store.table('run-1-plan').version).toBe(1);
    record.history = historyOf({});
    await archive.save(record, [], nothing);
    expect([store.table('run-1-tasks').size, store.table('run-1-plan').size]).toEqual([0, 0]);
  });

  it('keeps the last events up to the limit', async () => {
    const record = await added();
    const most = limits.run_events;
    await archive.save(record, [eventOf(1), eventOf(2), eventOf(most)], nothing);
    const keys = () => [...store.table('run-1-events').rows()].map(([key]) => key);
    expect(keys()).toEqual([1, 2, most]);
    await archive.save(record, [eventOf(most + 1)], nothing);
    expect(keys()).toEqual([2, most, most + 1]);
    expect(store.table('run-1-events').version).toBe(5);
  });

  it('shows the events of a save to what joins it, and stores both or nothing', async () => {
    const record = await added();
    const saving = archive.save(record, [eventOf(1)], () => {
      throw new Error('refused');
    });
    await expect(saving).rejects.toThrow('refused');
    expect(store.table('run-1-events').size).toBe(0);
    const withEvents = vi.fn();
    await archive.save(record, [eventOf(1)], withEvents);
    expect(withEvents.mock.calls.map(([, events]) => events)).toEqual([[eventOf(1)]]);
  });

  it('stores the record as it is at the call, and nothing of one that is not there', async () => {
    const record = await added();
    const saving = archive.save(record, [], nothing);
    record.pausing = true;
    record.history = historyOf({ now_s: 9, tasks: [taskOf('a')] });
    await saving;
    expect(store.table('runs').get(1)).toMatchObject({ pausing: false, now_s: 0 });
    expect(store.table('run-1-tasks').size).toBe(0);
    const joins = vi.fn();
    await archive.save(recordOf(1, { owner_id: 8 }), [eventOf(1)], joins);
    expect(joins).not.toHaveBeenCalled();
    expect(store.table('runs').get(1)).toMatchObject({ owner_id: 3 });
    await archive.save(record, [], nothing);
    expect(store.table('run-1-tasks').size).toBe(1);
  });

  it('removes the oldest stopped runs above the limit, with their lists', async () => {
    await added();
    for (const slot of [1, 2]) {
      const record = await added('stopped');
      record.history = historyOf({
        tasks: [taskOf('a')],
        labware: [labwareOf('a', slot)],
        moves: [{ labware_id: 'a' }] as History['moves'],
        violations: [{ constraint_id: 'b' }] as History['violations'],
        plan: { id: 1 } as History['plan'],
      });
      await archive.save(record, [eventOf(1)], nothing);
    }
    for (let n = 4; n <= shareAlone(shares.stored_runs); n++) await added('stopped');
    expect(archive.records.has(2)).toBe(true);
    await added();
    expect([...archive.records.keys()].slice(0, 3)).toEqual([1, 3, 4]);
    expect([...store.tables.keys()].filter((name) => name.startsWith('run-2-'))).toEqual([]);
    expect(store.table('run-3-tasks').size).toBe(1);
    expect([...store.table('runs').rows()].length).toBe(shareAlone(shares.stored_runs));
    await added();
    expect([...archive.records.keys()].slice(0, 3)).toEqual([1, 4, 5]);
    expect(reopened().records.size).toBe(shareAlone(shares.stored_runs));
  });

  it('keeps runs that go on, also above the limit', async () => {
    for (let n = 0; n < shareAlone(shares.stored_runs); n++) await added();
    const last = await added();
    expect([archive.records.size, last.head.id]).toEqual([
      shareAlone(shares.stored_runs) + 1,
      shareAlone(shares.stored_runs) + 1,
    ]);
  });

  it('is replaced by other records; ids go on as at the start', async () => {
    await added();
    archive = reopened();
    for (let n = 0; n < 3; n++) {
      const record = await added();
      record.history = historyOf({ tasks: [taskOf('old')] });
      await archive.save(record, [eventOf(1)], nothing);
    }
    const history = historyOf({ now_s: 3, tasks: [taskOf('old'), taskOf('b')] });
    const kept = recordOf(2, { history, events: [eventOf(1), eventOf(2)] });
    await archive.restore([kept]);
    expect([...archive.records]).toEqual([[2, kept]]);
    expect(Object.keys(rows()).sort()).toEqual(['run-2-events', 'run-2-tasks', 'runs']);
    expect([...reopened().records]).toEqual([[2, kept]]);
    const { version } = store.table('run-2-tasks');
    await archive.save(kept, [], nothing);
    expect(store.table('run-2-tasks').version).toBe(version);
    expect((await added()).head.id).toBe(2);
  });

  it('has the other records at once, and none of a run that was being stored', async () => {
    await added();
    const making = added();
    const kept = recordOf(7);
    const restoring = archive.restore([kept]);
    expect([...archive.records.values()]).toEqual([kept]);
    await Promise.all([making, restoring]);
    expect([...archive.records.keys()]).toEqual([7]);
    expect([...reopened().records.keys()]).toEqual([7]);
  });
});

describe('the saver of runs', () => {
  let wall: SimulatedWall;
  let saver: RunSaver;
  let record: RunRecord;
  let log: string[];
  let addDeliveries: AddDeliveries;

  beforeEach(async () => {
    wall = new SimulatedWall();
    log = [];
    addDeliveries = (_, { head }, events) => {
      log.push(`add ${head.id}: ${events.map(({ sequence }) => sequence)}`);
      return () => log.push(`send ${events.length} of ${record.events.length}`);
    };
    saver = new RunSaver(
      {
        archive,
        addDeliveries: (...given) => addDeliveries(...given),
        wall,
        onUnsaved: (error) => log.push(`unsaved: ${(error as Error).message}`),
        onSaved: ({ events }) => log.push(`saved ${events.length}`),
      },
      ({ head }) => log.push(`history ${head.id}`),
    );
    record = await added();
  });

  /** Resolves once the saves of this turn of the event loop have begun. */
  const turn = () => ownTurn(systemClock);
  afterEach(turn);

  const stored = () => store.table('run-1-events').size;

  it('saves the events of one turn together, then shows and sends them', async () => {
    const events = saver.schedule(record);
    events.push(eventOf(1));
    expect(saver.schedule(record)).toBe(events);
    events.push(eventOf(2));
    await saver.saved(record);
    expect(log).toEqual(['history 1', 'add 1: 1,2', 'saved 2', 'send 2 of 2']);
    expect([stored(), record.events]).toEqual([2, [eventOf(1), eventOf(2)]]);
    await turn();
    expect(log).toHaveLength(4);
    expect(saver.schedule(record)).not.toBe(events);
  });

  it('saves without a call in another turn of the event loop', async () => {
    saver.schedule(record).push(eventOf(1));
    await Promise.resolve();
    expect(log).toEqual([]);
    await vi.waitFor(() => expect(log.at(-1)).toBe('send 1 of 1'), { interval: 1 });
    expect(stored()).toBe(1);
  });

  it('has nothing to wait for where nothing has happened', async () => {
    await saver.saved(record);
    await saver.flush();
    expect(log).toEqual([]);
  });

  /** Calls back once, while the next save is being made. */
  function duringSave(callback: () => void): void {
    const add = addDeliveries;
    addDeliveries = (...given) => {
      addDeliveries = add;
      callback();
      return add(...given);
    };
  }

  it('is refused to those who wait, while the disk refuses', async () => {
    failWrites();
    saver.schedule(record).push(eventOf(1));
    await expect(saver.saved(record)).rejects.toMatchObject({
      name: 'StorageError',
      isUncertain: true,
    });
    expect(log).toEqual(['history 1', 'add 1: 1', 'unsaved: no space']);
    expect(record.events).toEqual([]);
  });

  it('tries again after a second, with what has happened since', async () => {
    const work = failWrites();
    saver.schedule(record).push(eventOf(1));
    await vi.waitFor(() => expect(log).toHaveLength(3), { interval: 1 });
    await turn();
    saver.schedule(record).push(eventOf(2));
    work();
    log.length = 0;
    wall.advance(999);
    await turn();
    await turn();
    expect(log).toEqual([]);
    wall.advance(1);
    await turn();
    expect(log).toEqual(['history 1', 'add 1: 1,2', 'saved 2', 'send 2 of 2']);
    wall.advance(5000);
    await turn();
    expect(log).toHaveLength(4);
  });

  it('keeps the order of events that happen during a save that fails', async () => {
    const work = failWrites();
    duringSave(() => saver.schedule(record).push(eventOf(2)));
    saver.schedule(record).push(eventOf(1));
    await expect(saver.saved(record)).rejects.toThrow();
    work();
    await saver.flush();
    expect(record.events).toEqual([eventOf(1), eventOf(2)]);
    expect(log.slice(-3)).toEqual(['add 1: 1,2', 'saved 2', 'send 2 of 2']);
  });

  it('makes one attempt at a time', async () => {
    const waiting: Promise<void>[] = [];
    duringSave(() => {
      saver.schedule(record).push(eventOf(2));
      waiting.push(saver.saved(record));
    });
    saver.schedule(record).push(eventOf(1));
    await saver.saved(record);
    await Promise.all(waiting);
    const save = (n: number) => ['history 1', `add 1: ${n}`, `saved ${n}`, `send 1 of ${n}`];
    expect(log).toEqual([...save(1), ...save(2)]);
  });

  it.each(['saved', 'flush'] as const)('waits in %s for a save that goes on', async (call) => {
    const waiting: Promise<void>[] = [];
    duringSave(() => {
      waiting.push(saver[call](record).then(() => void log.push('waited')));
    });
    saver.schedule(record).push(eventOf(1));
    await saver.saved(record);
    await Promise.all(waiting);
    expect(log).toEqual(['history 1', 'add 1: 1', 'saved 1', 'send 1 of 1', 'waited']);
  });

  it('saves everything at once, of every run', async () => {
    const other = await added();
    saver.schedule(record).push(eventOf(1));
    saver.schedule(other).push(eventOf(1), eventOf(2));
    await saver.flush();
    expect([record.events.length, other.events.length]).toEqual([1, 2]);
    expect(store.table('run-2-events').size).toBe(2);
  });

  it('neither saves nor shows what it has forgotten', async () => {
    saver.schedule(record).push(eventOf(1));
    saver.clear();
    await saver.saved(record);
    await turn();
    expect([log, stored()]).toEqual([[], 0]);
    saver.schedule(record).push(eventOf(2));
    duringSave(() => saver.clear());
    await saver.saved(record);
    expect(log).toEqual(['history 1', 'add 1: 2']);
    expect(record.events).toEqual([]);
  });
});
