import { beforeEach, expect, it } from 'vitest';
import type { Joints } from '../../contract/types.generated.ts';
import { ViewStore } from '../ui/view-store.ts';
import { addWaypoint } from './toolpath-edit.ts';
import { type EditorStore, ToolpathEditor } from './toolpath-editor.ts';
import type { ToolpathDraft } from './toolpath-store.ts';
import type { ToolpathView } from './toolpath-view.ts';

const POSE: Joints = [0, 0.5, -1.7, 0, -1.2, 0];
const add = (toolpath: Parameters<typeof addWaypoint>[0], selected: string | null) =>
  addWaypoint(toolpath, { joints: POSE, selected });

/** A store without a worker. */
function createShown() {
  const nothing = { origin: null, opened: null, selected: null, replay: null };
  const views = new ViewStore(nothing as Partial<ToolpathView> as ToolpathView);
  function edit({ origin, toolpath, notes, selected, edited = true }: ToolpathDraft): void {
    const opened = { ...views.view().opened, toolpath, notes } as Partial<ToolpathView['opened']>;
    views.set({ origin, opened: opened as ToolpathView['opened'], selected, edited });
  }
  return Object.assign(views, { edit }) satisfies EditorStore;
}

let store: EditorStore;
let editor: ToolpathEditor;
beforeEach(() => {
  store = createShown();
  editor = new ToolpathEditor();
  editor.enter(store);
  editor.openNew();
});

const waypoints = () => store.view().opened!.toolpath.waypoints.length;

it('shows edits, undo and redo', () => {
  for (let i = 0; i < 3; i++) editor.change(add);
  expect([waypoints(), store.view().selected]).toEqual([3, '/timeline/2']);
  editor.undo();
  expect([waypoints(), store.view().selected]).toEqual([2, '/timeline/1']);
  editor.redo();
  expect([waypoints(), editor.canRedo]).toEqual([3, false]);
});

it('makes one step per gesture, and none for an edit without change', () => {
  editor.rename('A', 'name');
  editor.rename('Ab', 'name');
  editor.change((toolpath) => ({ toolpath, selected: null }));
  editor.undo();
  expect(store.view().origin?.name).toBe('New toolpath');
  expect(editor.canUndo).toBe(false);
});

it('tracks the saved state through undo and redo', () => {
  editor.change(add);
  expect(editor.unsaved).toBe(true);
  const { name } = store.view().origin!;
  editor.markSaved(editor.document!, { origin: { name, id: 7 }, toolpath: editor.toolpath! });
  expect(editor.unsaved).toBe(false);
  editor.rename('Other name');
  expect(editor.unsaved).toBe(true);
  editor.undo();
  expect(editor.unsaved).toBe(false);
  editor.change(add);
  expect(editor.unsaved).toBe(true);
  editor.undo();
  expect(editor.unsaved).toBe(false);
  editor.undo();
  expect(editor.unsaved).toBe(true);
  expect(store.view().origin).toEqual({ name: 'New toolpath', id: 7 });
});

it('restores unsaved work after another toolpath was opened', () => {
  editor.change(add);
  const other = { ...store.view().opened!, toolpath: structuredClone(editor.toolpath!) };
  store.set({ origin: { name: 'Other', id: 3 }, opened: other });
  expect([editor.toolpath, editor.unsaved]).toEqual([other.toolpath, false]);
  editor.undo();
  expect([waypoints(), store.view().origin!.name]).toEqual([1, 'New toolpath']);
});

it('keeps the id of a toolpath that is being opened', () => {
  const saved = { origin: { name: '', id: 7 }, toolpath: editor.toolpath! };
  store.set({ origin: { name: 'Other', id: 3 }, opened: null });
  editor.markSaved(editor.document!, saved);
  expect(store.view().origin).toEqual({ name: 'Other', id: 3 });
});

it('keeps the saved id of a toolpath renamed during the save', () => {
  const saved = { origin: { name: '', id: 7 }, toolpath: editor.toolpath! };
  editor.rename('Renamed');
  editor.markSaved(editor.document!, saved);
  expect(store.view().origin).toEqual({ name: 'Renamed', id: 7 });
});

/** Opens another toolpath in the store of a page. */
function open(page: EditorStore, name: string, id: number): void {
  const toolpath = structuredClone(editor.toolpath!);
  page.set({ origin: { name, id }, opened: { ...store.view().opened!, toolpath }, edited: false });
}

it('goes with its edits and its undo from page to page', () => {
  editor.change(add);
  editor.change(add);
  const other = createShown();
  editor.enter(other);
  expect(other.view().opened!.toolpath).toBe(editor.toolpath);
  expect([other.view().origin!.name, other.view().edited]).toEqual(['New toolpath', true]);
  editor.undo();
  expect(other.view().opened!.toolpath.waypoints).toHaveLength(1);
  // The page that was left follows when it is entered again.
  expect(waypoints()).toBe(2);
  editor.enter(store);
  expect(waypoints()).toBe(1);
});

it('takes over what was open in the first page, and nothing of a page that is not shown', () => {
  open(store, 'First', 3);
  const other = createShown();
  editor.enter(other);
  expect([other.view().origin!.name, other.view().edited]).toEqual(['First', false]);
  open(store, 'Hidden', 4);
  expect(other.view().origin!.name).toBe('First');
  editor.enter(store);
  expect(store.view().origin!.name).toBe('First');
});

it('shows on each page the place where the other one left the toolpath', () => {
  for (let i = 0; i < 3; i++) editor.change(add);
  store.set({ selected: '/timeline/1', cursor_s: 4 });
  const other = createShown();
  editor.enter(other);
  expect(other.view()).toMatchObject({ selected: '/timeline/1', cursor_s: 4 });
  other.set({ selected: '/timeline/2', cursor_s: 8 });
  editor.enter(store);
  expect(store.view()).toMatchObject({ selected: '/timeline/2', cursor_s: 8 });
  // A replay has a time of its own.
  other.set({ replay: 1, opened: null, selected: null, cursor_s: 3 });
  editor.enter(other);
  editor.enter(store);
  expect([other.view().cursor_s, store.view().cursor_s]).toEqual([3, 8]);
});

it('leaves a replay on its page, and does not edit it', () => {
  editor.change(add);
  const { toolpath } = editor;
  const other = createShown();
  other.set({ replay: 1, origin: { name: 'Run 1', id: null }, opened: store.view().opened });
  editor.enter(other);
  expect(other.view().origin!.name).toBe('Run 1');
  const motion = { ...store.view().opened!, toolpath: structuredClone(toolpath!) };
  other.set({ opened: motion, replay: 2 });
  expect(editor.toolpath).toBe(toolpath);
});

it('says whose edits are left when another one is opened, and only then', () => {
  const left: string[] = [];
  editor.onLeft((name) => left.push(name));
  open(store, 'Saved', 3);
  open(store, 'Another', 4);
  expect(left).toEqual([]);
  editor.change(add);
  open(store, 'Third', 5);
  expect(left).toEqual(['Another']);
  expect(editor.hasEdits).toBe(false);
  editor.undo();
  expect([store.view().origin!.name, editor.hasEdits]).toEqual(['Another', true]);
  editor.undo();
  expect([store.view().edited, editor.hasEdits]).toEqual([false, false]);
});

it('follows a toolpath that is renamed or deleted on the arm while it is open', () => {
  open(store, 'Saved', 3);
  const base = { name: 'Renamed', hash: 'a' };
  store.set({ origin: { name: 'Renamed', id: 3, base } });
  expect(editor.unsaved).toBe(false);
  const other = createShown();
  editor.enter(other);
  expect(other.view().origin).toEqual({ name: 'Renamed', id: 3, base });
  other.set({ origin: { name: 'Renamed', id: null } });
  expect(editor.unsaved).toBe(true);
});
