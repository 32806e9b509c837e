import { beforeEach, expect, it } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import { success } from '../../contract/refusal.ts';
import type { ArmProfile, Toolpath, ToolpathHead } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import { type ArmStore, createArmStore } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { EMPTY_SIM } from '../link/snapshot.cases.ts';
import {
  createToolpathLibrary,
  openPlace,
  type RemoteToolpathLibrary,
} from './toolpath-library.ts';
import type { ToolpathOrigin, ToolpathStore, ToolpathView } from './toolpath-store.ts';

const TAUGHT = { timeline: [] } as object as Toolpath;
const UNSAVED: ToolpathOrigin = { name: 'Taught', id: null };

let view: Pick<ToolpathView, 'origin' | 'opened'>;
let made: number;
let replies: (() => void)[];
let library: RemoteToolpathLibrary;
let toolpaths: ToolpathStore;
let arm: ArmStore;
let profiles: (ArmProfile | null)[];

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
  [arm, profiles] = [createArmStore(), []];
  const client = {
    createToolpath: () => later({ toolpath: { id: ++made } }),
    getToolpath: ({ toolpath_id }: { toolpath_id: number }) =>
      later({ toolpath: { toolpath: { metadata: { name: `${toolpath_id}` } } } }),
  };
  const call: ArmCalls['call'] = async (act) => success(await act(client as object as ArmClient));
  const store = {
    view: () => view,
    set: (patch: Partial<ToolpathView>) => Object.assign(view, patch),
    open: (origin: ToolpathOrigin) => Object.assign(view, { origin }),
    close: () => Object.assign(view, { origin: null }),
    subscribe: () => () => {},
    setProfile: (profile: ArmProfile | null) => profiles.push(profile),
  };
  toolpaths = store as object as ToolpathStore;
  library = createToolpathLibrary({
    store: toolpaths,
    arm,
    calls: { call } as Partial<ArmCalls> as ArmCalls,
    commands: {} as Commands,
  });
});

it('creates one toolpath from a file, however often Save is pressed meanwhile', async () => {
  const saves = [library.save(), library.save()];
  replies[0]!();
  expect(await Promise.all(saves)).toEqual([{ id: 1, toolpath: TAUGHT }, null]);
  expect([made, view.origin?.id]).toEqual([1, 1]);
});

it('keeps the id of a toolpath that was opened meanwhile', async () => {
  const save = library.save();
  const other: ToolpathOrigin = { name: 'Other', id: 9 };
  Object.assign(view, { origin: other });
  replies[0]!();
  expect(await save).toEqual({ id: 1, toolpath: TAUGHT });
  expect(view.origin).toBe(other);
});

it('opens the last chosen toolpath, in any order of replies', async () => {
  const head = (id: number) => ({ id, name: `Number ${id}` }) as ToolpathHead;
  const opens = [library.open(head(1)), library.open(head(2))];
  for (const reply of replies.reverse()) reply();
  await Promise.all(opens);
  expect(view.origin).toEqual({ name: 'Number 2', id: 2 });
});

it('times the previews by the profile of the arm, while the user may read it', () => {
  const profile: ArmProfile = { armtwin_profile: 1, arm: 'automata-eva', latency_s: 0.01 };
  arm.set({ sim: { ...EMPTY_SIM, profile } });
  arm.set({ sim: null });
  expect(profiles).toEqual([null, profile, null]);
});

it('opens nothing that was on its way when a newer address was opened', async () => {
  const place = (id: number | null) => openPlace({ id, params: {} }, library, toolpaths);
  void place(3);
  await place(null);
  replies[0]!();
  await new Promise((resolve) => setTimeout(resolve));
  expect(view.origin).toBe(UNSAVED);
  const shown: ToolpathOrigin = { name: 'Shown', id: 4 };
  void place(3);
  Object.assign(view, { origin: shown });
  void place(4);
  replies[1]!();
  await new Promise((resolve) => setTimeout(resolve));
  expect(view.origin).toBe(shown);
});
