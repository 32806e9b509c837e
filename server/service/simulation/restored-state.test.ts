/** A restore of a twin's state with fakes of its parts: times, faults, obstacles, and failures. */

import { describe, expect, it } from 'vitest';
import type { ResetScope, SimFault, SimObstacle } from '../../../contract/types.generated.ts';
import { createMemory } from '../../robot/memory.ts';
import { StorageError } from '../../store/storage-error.ts';
import type { Simulation } from './simulation.ts';
import { restoreOrUndo, restoreTwinSnapshot } from './snapshot-restore.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';

const NOW = 500;
const THEN = 100;
const fault = (id: number) => ({ id, acted: 0, fault: { kind: 'disk_full' } }) as SimFault;
const obstacle = (id: number) => ({ id, name: `box ${id}` }) as Partial<SimObstacle> as SimObstacle;

const SNAPSHOT = {
  ...{ driver: 'fast', tick: THEN, name: 'then', software_version: '1', disturbance: {} },
  robot: { of: 'then', memory: createMemory() },
  world: Uint8Array.of(1),
  ...{ obstacles: [obstacle(1)], faults: [fault(1)] },
  update: { version: '2', due_tick: 250 },
  push_end_tick: 150,
  status: { state_tick: 60, loop_ticks: 0, waited_ticks: 0 },
  digest: { of: 'then' },
  library: { rows: [], bodies: [], last_id: 0 },
} as object as TwinSnapshot;

const ALL: readonly ResetScope[] = ['state', 'toolpaths', 'clock', 'faults', 'obstacles'];
const without = (...left: ResetScope[]) => new Set(ALL.filter((scope) => !left.includes(scope)));
type Fails = (name: string, value: unknown) => Error | null;

/** A simulation that notes what is done with its parts; `fails` gives the error of a call. */
function noted(present: { faults?: SimFault[]; obstacles?: SimObstacle[] } = {}) {
  const calls: [string, ...unknown[]][] = [];
  const state = { fails: (() => null) as Fails, holder: null as object | null };
  const note =
    (name: string) =>
    (...values: unknown[]) => {
      calls.push([name, ...values]);
      const error = state.fails(name, values[0]);
      if (error) throw error;
    };
  const loop = {
    ...{ tick: NOW, onFailedTick: null as ((error: unknown) => void) | null },
    ...{ restore: note('robot'), applyWorldAction: note('action'), apply: note('command') },
  };
  const records = { name: 'now', users: [], tokens: [], toolpaths: [], last_ids: {} };
  const database = {
    ...{ name: 'now', records, tokens: new Map([[7, { user_id: 1 }]]) },
    change: async (edit: (draft: object, transaction: object) => void) => {
      note('records')();
      edit(structuredClone(records), {});
    },
  };
  const robot = {
    save: () => ({ of: 'now' }),
    get lockHolder() {
      return state.holder;
    },
  };
  const services = {
    ...{ loop, database, robot, idempotency: { forget: () => {} } },
    updates: { save: () => null, restore: note('update'), version: '0' },
    sessions: { shift: note('sessions'), hasTokenOf: (_: number, id: number) => id === -7 },
  };
  const simulation = {
    parts: {
      ...{ services, driver: { name: 'fast' }, logError: note('error') },
      world: { snapshot: () => Uint8Array.of(2), restore: note('world') },
      driverFaults: { save: () => ({}), restore: () => {} },
      timers: { shift: note('timers') },
      status: { save: () => ({ state_tick: 1 }), restore: note('status') },
      digest: { save: () => ({ of: 'now' }), restore: note('digest') },
    },
    faults: {
      ...{ list: () => present.faults ?? [], clearAll: note('no faults') },
      replaceAll: note('faults'),
    },
    obstacles: {
      ...{ list: () => present.obstacles ?? [], adopt: note('adopted') },
      replaceAll: note('obstacles'),
    },
    forces: { endTick: null, endAt: note('force ends') },
  } as object as Simulation;
  /** What the calls of this name were given, in order. */
  const given = (name: string) =>
    calls.flatMap(([one, ...values]) => (one === name ? [values] : []));
  return { simulation, given, state, loop };
}

const request = (scopes: ReadonlySet<ResetScope>, snapshot = SNAPSHOT) => ({
  ...{ snapshot, users: null, scopes, preserved: null },
});

describe('a restored state', () => {
  it('goes on at the time of the snapshot; what waits keeps its remaining time', async () => {
    const { simulation, given } = noted();
    await restoreTwinSnapshot(simulation, request(without()));
    expect(given('world')).toEqual([[SNAPSHOT.world, THEN]]);
    expect(given('robot')).toEqual([[SNAPSHOT.robot, THEN]]);
    expect([given('timers'), given('sessions')]).toEqual([[[-400]], [[-1.6]]]);
    expect(given('force ends')).toEqual([[null], [150]]);
    expect(given('update')).toEqual([[{ version: '2', due_tick: 250 }]]);
    expect(given('status')).toEqual([[SNAPSHOT.status, 0]]);
    expect(given('digest')).toEqual([[SNAPSHOT.digest, THEN]]);
  });

  it('goes on later without the scope of the clock, with all of its times', async () => {
    const { simulation, given } = noted();
    await restoreTwinSnapshot(simulation, request(without('clock')));
    expect(given('world')).toEqual([[SNAPSHOT.world, NOW]]);
    expect([given('timers'), given('sessions')]).toEqual([[[0]], [[0]]]);
    expect(given('force ends')).toEqual([[null], [550]]);
    expect(given('update')).toEqual([[{ version: '2', due_tick: 650 }]]);
    expect(given('status')).toEqual([[SNAPSHOT.status, 400]]);
    expect(given('digest')).toEqual([]);
  });

  it('has no force and no update where the snapshot has none', async () => {
    const { simulation, given } = noted();
    const calm = { ...SNAPSHOT, update: null, push_end_tick: null };
    await restoreTwinSnapshot(simulation, request(without(), calm));
    expect(given('force ends')).toEqual([[null]]);
    expect(given('update')).toEqual([[null]]);
  });

  it('has the faults of the snapshot, or keeps those of now on a sound cell', async () => {
    const { simulation, given } = noted({ faults: [fault(9)] });
    await restoreTwinSnapshot(simulation, request(without()));
    expect([given('no faults'), given('faults')]).toEqual([[[]], [[SNAPSHOT.faults]]]);
    expect(given('action')).toEqual([]);
    const kept = noted({ faults: [fault(9)] });
    await restoreTwinSnapshot(kept.simulation, request(without('faults')));
    expect([kept.given('no faults'), kept.given('faults')]).toEqual([[], [[[fault(9)]]]]);
    expect(kept.given('action')).toEqual([[{ kind: 'cell_fault', fault: null, active: false }]]);
  });

  it.each([
    { before: [], present: [], replaced: false },
    { before: [obstacle(1)], present: [], replaced: true },
    { before: [], present: [obstacle(2)], replaced: true },
    { before: [obstacle(1)], present: [obstacle(2)], replaced: true },
  ])('keeps the present obstacles without their scope: %j', async (given) => {
    const { before: obstacles, present, replaced } = given;
    const kept = noted({ obstacles: present });
    const snapshot = { ...SNAPSHOT, obstacles };
    await restoreTwinSnapshot(kept.simulation, request(without('obstacles'), snapshot));
    expect(kept.given('adopted')).toEqual([[obstacles]]);
    expect(kept.given('obstacles')).toEqual(replaced ? [[present]] : []);
    const all = noted({ obstacles: present });
    await restoreTwinSnapshot(all.simulation, request(without(), snapshot));
    expect(all.given('obstacles')).toEqual([]);
  });

  it.each([
    [{ user_id: 1, token_id: 7 }, false],
    [{ user_id: 2, token_id: 7 }, true],
    [{ user_id: 1, token_id: 8 }, true],
    [{ user_id: 1, token_id: -7 }, false],
    [{ user_id: 1, token_id: -8 }, true],
  ])('frees the lock only of a token that is gone: %j %s', async (holder, isFreed) => {
    for (const restore of [restoreTwinSnapshot, restoreOrUndo]) {
      const { simulation, given, state } = noted();
      state.holder = holder;
      await restore(simulation, request(without()));
      const { token_id } = holder;
      expect(given('command')).toEqual(isFreed ? [[{ kind: 'forget_token', token_id }]] : []);
    }
  });
});

describe('a state of a file', () => {
  it('that cannot be restored is refused, with world and faults put back', async () => {
    const { simulation, given, state, loop } = noted({ faults: [fault(9)] });
    state.fails = (name, value) =>
      name === 'robot' && value === SNAPSHOT.robot ? new Error('no robot') : null;
    const problem = expect.stringContaining('(no robot); the arm is as before');
    expect(await restoreOrUndo(simulation, request(without()))).toMatchObject({
      ...{ refused: 'invalid_arguments', details: [{ path: '/name', problem }] },
    });
    expect(given('robot').at(-1)![0]).toEqual({ of: 'now' });
    expect(given('faults').at(-1)).toEqual([[fault(9)]]);
    expect(loop.onFailedTick).toBe(null);
  });

  it('whose records cannot be saved keeps the twin as it is, and the error is thrown', async () => {
    const { simulation, given, state } = noted({ faults: [fault(9)] });
    state.fails = (name) => (name === 'records' ? new StorageError('full') : null);
    await expect(restoreOrUndo(simulation, request(without()))).rejects.toThrow('full');
    expect([given('world'), given('robot')]).toEqual([[], []]);
    expect([given('no faults'), given('faults')]).toEqual([[[]], [[[fault(9)]]]]);
  });

  it('that fails in a tick is replaced by the state before, which the log says', async () => {
    const { simulation, given, loop } = noted({ faults: [fault(9)] });
    expect(await restoreOrUndo(simulation, request(without()))).toBe(null);
    expect(given('robot')).toEqual([[SNAPSHOT.robot, THEN]]);
    loop.onFailedTick?.(new Error('a damaged step'));
    expect(given('robot').at(-1)).toEqual([{ of: 'now' }, NOW]);
    expect(given('faults').at(-1)).toEqual([[fault(9)]]);
    expect(given('error')).toEqual([[expect.stringContaining('(a damaged step)')]]);
  });
});
