import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import { failure, success } from '../../contract/result.ts';
import type { ArmProfile, Toolpath, ToolpathHead } from '../../contract/types.generated.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import { ArmStore } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { EMPTY_SIM } from '../link/snapshot.cases.ts';
import type { BuiltArm } from './build-messages.ts';
import { newerText } from './newer-panel.tsx';
import { ToolpathLibrary } from './toolpath-library.ts';
import { openPlace } from './toolpath-place.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathOrigin, ToolpathView } from './toolpath-view.ts';

const TAUGHT = { timeline: [] } as object as Toolpath;
const UNSAVED: ToolpathOrigin = { name: 'Taught', id: null };
const TAUGHT_BASE = { name: 'Taught', hash: 'own' };

/** Lets replies that are known arrive. */
const tick = () => new Promise((resolve) => setTimeout(resolve));

let view: Pick<ToolpathView, 'origin' | 'opened'>;
let made: number;
let replies: (() => void)[];
/** The hash of the version on the arm, and those that were replaced. */
let onArm: string;
let updates: string[];
let library: ToolpathLibrary;
let toolpaths: ToolpathStore;
let arm: ArmStore;
let arms: BuiltArm[];
/** Whether calls get no answer. */
let isLost: boolean;

/** A reply that the test resolves. */
function later<Reply>(reply: Reply): Promise<Reply> {
  return new Promise((resolve) => replies.push(() => resolve(reply)));
}

/** The parts of a view that saving reads. */
function opened(toolpath: Toolpath) {
  return { toolpath } as Partial<NonNullable<ToolpathView['opened']>> as ToolpathView['opened'];
}

beforeEach(() => {
  [view, made, replies] = [{ origin: UNSAVED, opened: opened(TAUGHT) }, 0, []];
  [arm, arms] = [new ArmStore(), []];
  [onArm, updates] = ['own', []];
  const client = {
    createToolpath: () => later({ toolpath: { id: ++made, ...TAUGHT_BASE } }),
    getToolpath: ({ toolpath_id: id }: { toolpath_id: number }) =>
      later({ toolpath: { id, name: `Number ${id}`, hash: onArm, toolpath: TAUGHT } }),
    updateToolpath: ({ toolpath_id: id }: { toolpath_id: number }) => {
      updates.push(onArm);
      return later({ toolpath: { id, ...TAUGHT_BASE } });
    },
  };
  isLost = false;
  const call: ArmCalls['call'] = async (act) =>
    isLost ? failure({ kind: 'unreachable' }) : success(await act(client as object as ArmClient));
  const store = {
    view: () => view,
    set: (patch: Partial<ToolpathView>) => Object.assign(view, patch),
    open: (origin: ToolpathOrigin) => Object.assign(view, { origin }),
    close: () => Object.assign(view, { origin: null }),
    whole: {
      get value() {
        return view;
      },
    },
    shown: {
      origin: {
        get value() {
          return view.origin;
        },
      },
    },
    setArm: (built: BuiltArm) => arms.push(built),
  };
  toolpaths = store as object as ToolpathStore;
  library = new ToolpathLibrary({
    store: toolpaths,
    arm,
    calls: { call } as Partial<ArmCalls> as ArmCalls,
    commands: {} as Commands,
  });
});

it('creates one toolpath from a file, however often Save is pressed meanwhile', async () => {
  const saves = [library.save(), library.save()];
  await tick();
  replies[0]!();
  const origin = { name: 'Taught', id: 1, base: TAUGHT_BASE };
  expect(await Promise.all(saves)).toEqual([{ origin, toolpath: TAUGHT }, null]);
  expect([made, view.origin?.id]).toEqual([1, 1]);
});

it.each([
  ['an edit that was made during a save stays marked', true],
  ['a save ends the mark of the edits that it saved', false],
])('%s', async (_, isEditedMeanwhile) => {
  Object.assign(view, { edited: true });
  const save = library.save();
  await tick();
  if (isEditedMeanwhile) Object.assign(view, { opened: opened({ ...TAUGHT }) });
  replies[0]!();
  await save;
  expect(view).toMatchObject({ origin: { id: 1 }, edited: isEditedMeanwhile, saving: false });
});

it('can save again after a save that ended by an exception', async () => {
  const call = vi.spyOn(library.versions, 'check').mockRejectedValueOnce(new Error('no answer'));
  await expect(library.save()).rejects.toThrow('no answer');
  call.mockRestore();
  const again = library.save();
  await tick();
  replies[0]!();
  expect((await again)?.origin.id).toBe(1);
});

it('keeps the id of a toolpath that was opened meanwhile', async () => {
  const save = library.save();
  const other: ToolpathOrigin = { name: 'Other', id: 9 };
  await tick();
  Object.assign(view, { origin: other });
  replies[0]!();
  expect((await save)?.origin.id).toBe(1);
  expect(view.origin).toBe(other);
});

it('opens the last chosen toolpath, in any order of replies', async () => {
  const head = (id: number) => ({ id, name: `Number ${id}` }) as ToolpathHead;
  const opens = [library.open(head(1)), library.open(head(2))];
  for (const reply of replies.reverse()) reply();
  await Promise.all(opens);
  expect(view.origin).toMatchObject({ name: 'Number 2', id: 2 });
});

it('keeps a file open that was dropped while a toolpath was on its way', async () => {
  const open = library.open({ id: 3, name: 'Number 3' } as ToolpathHead);
  await tick();
  library.openFile('Dropped', '{}');
  replies[0]!();
  await open;
  expect(view.origin).toEqual({ name: 'Dropped', id: null });
});

it('builds the previews for the arm, while the user may read what it is', () => {
  const profile: ArmProfile = { armtwin_profile: 1, arm: 'automata-eva', latency_s: 0.01 };
  const jointRange = { min_rad: [-1, -1, -1, -1, -1, -1], max_rad: [1, 1, 1, 1, 1, 1] };
  arm.set({ sim: { ...EMPTY_SIM, profile } });
  arm.set({ sim: { ...EMPTY_SIM, profile, jointRange } });
  arm.set({ sim: null });
  const model = { profile: null, jointRange: null, cell: null };
  const profiled = { ...model, profile };
  expect(arms).toEqual([model, profiled, { ...profiled, jointRange }, model]);
});

it('opens nothing that was on its way when a newer address was opened', async () => {
  const place = (id: number | null) => openPlace({ id, params: {} }, library, toolpaths);
  void place(3);
  await place(null);
  replies[0]!();
  await tick();
  expect(view.origin).toBe(UNSAVED);
  const shown: ToolpathOrigin = { name: 'Shown', id: 4 };
  void place(3);
  Object.assign(view, { origin: shown });
  void place(4);
  replies[1]!();
  await tick();
  expect(view.origin).toBe(shown);
});

it('opens what a link names once the robot responds', async () => {
  vi.useFakeTimers();
  isLost = true;
  const opening = openPlace({ id: 3, params: {} }, library, toolpaths);
  await vi.advanceTimersByTimeAsync(2500);
  expect(arm.view().notice?.text).toContain('as soon as the robot responds');
  isLost = false;
  await vi.advanceTimersByTimeAsync(1000);
  replies[0]!();
  vi.useRealTimers();
  await opening;
  expect(view.origin?.id).toBe(3);
  expect(arm.view().notice).toBeNull();
});

it('no longer opens what a lost link names once another address is opened', async () => {
  vi.useFakeTimers();
  isLost = true;
  const opening = openPlace({ id: 3, params: {} }, library, toolpaths);
  await vi.advanceTimersByTimeAsync(500);
  await openPlace({ id: null, params: {} }, library, toolpaths);
  isLost = false;
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  await opening;
  expect([replies.length, view.origin, arm.view().notice]).toEqual([0, UNSAVED, null]);
});

describe('two editors of one toolpath', () => {
  const base = { name: 'Number 7', hash: 'own' };
  async function answered<Value>(reply: Promise<Value>, count: number): Promise<Value> {
    for (let i = 0; i < count; i++) {
      await tick();
      replies.pop()!();
    }
    return reply;
  }
  beforeEach(() => Object.assign(view, { origin: { name: 'Mine', id: 7, base } }));

  it('saves over the version that the open one was made from', async () => {
    const saved = await answered(library.save(), 2);
    expect([saved?.origin.base, updates]).toEqual([TAUGHT_BASE, ['own']]);
  });

  it('saves over a newer version only when it is named', async () => {
    onArm = 'theirs';
    expect(await answered(library.save(), 1)).toBeNull();
    const newer = library.versions.newer()!;
    expect([newer.base?.hash, updates]).toEqual(['theirs', []]);
    onArm = 'theirs, changed again';
    expect(await answered(library.save(newer), 1)).toBeNull();
    expect(await answered(library.save(newer), 1)).toBeNull();
    const newest = library.versions.newer()!;
    expect((await answered(library.save(newest), 2))?.origin.id).toBe(7);
    expect(updates).toEqual(['theirs, changed again']);
  });

  it.each([
    ['changed', { name: 'Number 7', hash: 'theirs' }, 'theirs'],
    ['renamed, unlike its own reading', { name: 'Other name', hash: 'own' }, undefined],
  ])('reads again a toolpath that the list shows %s', async (_, head, hash) => {
    onArm = head.hash;
    arm.set({ toolpaths: [{ id: 7, ...head }] });
    replies.pop()!();
    await tick();
    expect(library.versions.newer()?.base?.hash).toBe(hash);
  });

  it.each([
    [false, 'takes over what another page of this window saved'],
    [true, 'reports it to unsaved edits'],
  ])('with edits %s, %s', async (edited) => {
    await answered(library.save(), 2);
    const older = { name: 'Taught', hash: 'older' };
    Object.assign(view, { origin: { name: 'Taught', id: 7, base: older }, edited, replay: null });
    onArm = TAUGHT_BASE.hash;
    arm.set({ toolpaths: [{ id: 7, ...TAUGHT_BASE }] });
    replies.pop()!();
    await tick();
    expect(view.origin?.base?.hash).toBe(edited ? 'older' : 'own');
    expect(library.versions.newer() === null).toBe(!edited);
  });

  it('says nothing while the list shows the same version', () => {
    arm.set({ toolpaths: [{ id: 7, ...base }] });
    expect([replies, library.versions.newer()]).toEqual([[], null]);
  });
});

it.each([
  [{ base: { name: 'B', hash: 'x' } }, false, 'changed and renamed to “B”'],
  [{ base: { name: 'B', hash: 'x' } }, true, 'renamed to “B”'],
  [{ base: { name: 'A', hash: 'x' } }, false, 'changed'],
  [{ base: null, toolpath: null }, false, 'deleted'],
])('says what happened to a toolpath: %o', (patch, sameContent, what) => {
  const newer = { name: 'A', seen: new Date(0), toolpath: TAUGHT, ...patch };
  const text = newerText(newer, { unsaved: true, sameContent });
  expect(text).toContain(`“A” was ${what} elsewhere`);
  expect(text).toContain('Your edits are not saved.');
  expect(text).toMatch(/\(seen at \d\d:\d\d:\d\d\)/);
});
