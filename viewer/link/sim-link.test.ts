import { describe, expect, it, vi } from 'vitest';
import { failure, success } from '../../contract/result.ts';
import type { ArmCalls } from './arm-calls.ts';
import { ArmStore } from './arm-store.ts';
import { controlTexts } from './cell-log.ts';
import { reuseIfEqual } from './reuse-if-equal.ts';
import { applySimEvent, createSimLink } from './sim-link.ts';
import { EMPTY_SIM } from './snapshot.cases.ts';

const view = EMPTY_SIM;
const { clock } = view;

describe('a simulation event', () => {
  it('sets the clock', () => {
    const next = { ...clock, tick: 250 };
    expect(applySimEvent(view, { type: 'clock', clock: next }).clock).toEqual(next);
  });

  it('sets the remaining lock time, null while the lock is free', () => {
    const holder = { user_id: 1, role: 'admin' } as const;
    expect(applySimEvent(view, { type: 'lock', holder, left_s: 42 }).lockLeft_s).toBe(42);
    expect(applySimEvent(view, { type: 'lock', holder: null, left_s: 0 }).lockLeft_s).toBeNull();
    expect(applySimEvent(view, { type: 'lock', holder, left_s: 42 }).lockHolder).toBe(
      holder.user_id,
    );
  });

  it('replaces the contacts', () => {
    const touches = [{ link: 4, obstacle: 'crate', force_n: 2 }];
    const touching = applySimEvent(view, { type: 'touching', touches });
    expect(touching.touches).toEqual(touches);
    expect(
      applySimEvent(touching, {
        type: 'touching',
        touches: [],
      }).touches,
    ).toEqual([]);
  });

  it('adds to the log, newest first, and keeps 200 entries', () => {
    let now = view;
    for (let tick = 0; tick < 300; tick++) {
      now = applySimEvent(now, { type: 'log', level: 'info', text: 'x', tick });
    }
    expect(now.log.length).toBe(200);
    expect(now.log[0]!.tick).toBe(299);
  });
});

it('returns the same obstacles while they are equal', () => {
  const known = [
    {
      id: 1,
      name: 'crate',
      stiffness_n_per_m: 1000,
      position: { x: 0, y: 0, z: 0 },
      half: { x: 1, y: 1, z: 1 },
      orientation: { w: 1, x: 0, y: 0, z: 0 },
    },
  ];
  expect(reuseIfEqual(known, structuredClone(known))).toBe(known);
  expect(reuseIfEqual(known, [])).toEqual([]);
});

describe('the cell', () => {
  const part = {
    name: 'part 1',
    position: { x: 0, y: 0, z: 0 },
    orientation: { w: 1, x: 0, y: 0, z: 0 },
    status: 'resting',
    at: 'A1',
    held_by: null,
  } as const;
  const none = { objects: [], grippers: [], sensors: [], conveyors: [], controls: [] };
  const withCell = applySimEvent(view, { type: 'cell', cell: { name: 'trays' } });

  it('is replaced, then completed and changed part by part', () => {
    const other = { ...part, name: 'part 2' };
    const state = { ...none, objects: [part, other] };
    const full = applySimEvent(withCell, { type: 'cell_state', tick: 1, state });
    expect(full.cell?.state.objects).toEqual([part, other]);
    const moved = { ...none, objects: [{ ...other, at: 'B1' }] };
    const next = applySimEvent(full, { type: 'cell_state', tick: 6, state: moved });
    expect(next.cell?.state.objects).toEqual([part, { ...other, at: 'B1' }]);
    expect(applySimEvent(next, { type: 'cell', cell: null }).cell).toBeNull();
  });

  it('is known from the first event on', () => {
    const unknown = { ...view, isCellKnown: false };
    const stated = applySimEvent(unknown, { type: 'cell_state', tick: 1, state: none });
    expect(stated).toMatchObject({ cell: null, isCellKnown: false });
    expect(applySimEvent(unknown, { type: 'cell', cell: null }).isCellKnown).toBe(true);
  });

  it('says which door or button was operated, and nothing of the others', () => {
    const controls = [{ kind: 'door', name: 'front' } as const];
    const cell = { name: 'trays', controls };
    const before = applySimEvent(view, { type: 'cell', cell });
    const changed = (active: boolean) => {
      const state = { ...none, controls: [{ name: 'front', active }] };
      return { type: 'cell_state', tick: 1, state } as const;
    };
    expect(controlTexts(before, changed(false))).toEqual([]);
    expect(controlTexts(before, changed(true))).toEqual(['Door “front” opened']);
    const open = applySimEvent(before, changed(true));
    expect(controlTexts(open, changed(true))).toEqual([]);
    expect(controlTexts(open, changed(false))).toEqual(['Door “front” closed']);
    expect(controlTexts(before, { type: 'cell_state', tick: 1, state: none })).toEqual([]);
  });

  it('keeps what happened, newest first', () => {
    const event = {
      ...({ kind: 'grasped', at_s: 1, tick: 250 } as const),
      ...{ object: 'part 1', by: 'gripper', at: 'A1' },
      ...{ position: part.position, orientation: part.orientation, text: 'gripper grasped part 1' },
    } as const;
    const first = applySimEvent(withCell, { type: 'cell_event', event: { ...event, id: 1 } });
    const second = applySimEvent(first, { type: 'cell_event', event: { ...event, id: 2 } });
    expect(second.cell?.events.map(({ id }) => id)).toEqual([2, 1]);
  });
});

describe('the simulation link', () => {
  const BUSY = { kind: 'refused', status: 503, code: 1, title: 'Busy', details: '' } as const;
  const FORBIDDEN = { ...BUSY, status: 403 } as const;

  /** A link to an arm that refuses while `refusal` returns something. */
  function linkTo(refusal: (name: string) => typeof BUSY | typeof FORBIDDEN | null) {
    const store = new ArmStore();
    const users = [{ id: 1, role: 'admin' }];
    const reply = { ...clock, users, obstacles: [], faults: [] };
    const client = new Proxy({}, { get: (_, name) => () => name });
    const call = (action: (client: never) => unknown) => {
      const refused = refusal(String(action(client as never)));
      return Promise.resolve(refused ? failure(refused) : success(reply));
    };
    const identity = () => ({ driver: 'fast', clock: '1', user_id: 1 });
    const calls = { call, identity, client: () => null } as object as ArmCalls;
    return { store, users, link: createSimLink(store, calls) };
  }

  it('asks again where a first answer is missing', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('document', { hidden: true });
    for (const missing of ['listUsers', 'getClock', 'getStatus', 'listObstacles']) {
      let isBusy = true;
      const { store, link } = linkTo((name) => (isBusy && name === missing ? BUSY : null));
      const started = link.start();
      await vi.advanceTimersByTimeAsync(10);
      expect(store.view().sim, missing).toBeNull();
      isBusy = false;
      await vi.advanceTimersByTimeAsync(1500);
      await started;
      expect(store.view().sim?.obstacles, missing).toEqual([]);
      link.stop();
    }
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('asks a user without access only once', async () => {
    const { store, link } = linkTo((name) => (name === 'getClock' ? FORBIDDEN : null));
    await link.start();
    expect(store.view().sim).toBeNull();
  });

  it('closes when the user is no longer an admin, says so, and opens again', async () => {
    vi.stubGlobal('document', { hidden: true });
    const { store, users, link } = linkTo(() => null);
    const setRole = (role: string): void => {
      users[0] = { id: 1, role };
      store.set({ usersRevision: store.view().usersRevision + 1 });
    };
    await link.start();
    expect(store.view().sim).not.toBeNull();
    setRole('user');
    await vi.waitFor(() => expect(store.view().sim).toBeNull());
    expect(store.view().notice?.text).toContain('no longer an admin');
    setRole('admin');
    await vi.waitFor(() => expect(store.view().sim).not.toBeNull());
    link.stop();
    setRole('user');
    setRole('admin');
    expect(store.view().sim).toBeNull();
    vi.unstubAllGlobals();
  });

  it('asks for the role again after a time without data', async () => {
    vi.stubGlobal('document', { hidden: true });
    const { store, users, link } = linkTo(() => null);
    store.set({ link: 'live' });
    await link.start();
    store.set({ link: 'stale' });
    users[0] = { id: 1, role: 'user' };
    store.set({ link: 'live' });
    await vi.waitFor(() => expect(store.view().sim).toBeNull());
    link.stop();
    vi.unstubAllGlobals();
  });
});
