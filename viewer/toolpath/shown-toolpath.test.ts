import { beforeEach, expect, it, vi } from 'vitest';
import type { Toolpath } from '../../contract/types.generated.ts';
import { ArmStore } from '../link/arm-store.ts';
import { publishShownToolpath } from './shown-toolpath.ts';
import { emptyToolpath } from './toolpath-edit.ts';
import { ToolpathEditor } from './toolpath-editor.ts';
import type { ToolpathLibrary } from './toolpath-library.ts';
import { ToolpathStore } from './toolpath-store.ts';

/** A worker that builds nothing. */
class IdleWorker {
  addEventListener(): void {}
  postMessage(): void {}
}

let store: ToolpathStore;
let arm: ArmStore;
let editor: ToolpathEditor;
let publish: (isShown: boolean) => void;
beforeEach(() => {
  vi.stubGlobal('Worker', IdleWorker);
  [store, arm, editor] = [new ToolpathStore(), new ArmStore(), new ToolpathEditor()];
  const library = {} as ToolpathLibrary;
  publish = publishShownToolpath({ store, arm, library, unsaved: () => editor.unsaved });
  editor.enter(store);
});

/** What a page has opened. */
function open(name: string, id: number | null): Toolpath {
  const toolpath = emptyToolpath();
  const opened = { kind: 'opened', toolpath, notes: [], findings: [], took_ms: 0 } as const;
  store.set({ origin: { name, id }, opened: { ...opened, checkedAgainst: [], path: null! } });
  return toolpath;
}

it('says what the shown page has open, and that the arm does not have it', () => {
  open('Seen', null);
  expect(arm.view().shown).toBeNull();
  publish(true);
  expect(arm.view().shown).toMatchObject({ name: 'Seen', unsaved: true });
  open('Saved', 7);
  expect(arm.view().shown).toMatchObject({ name: 'Saved', unsaved: false });
  publish(false);
  expect(arm.view().shown).toBeNull();
});

it('leaves to another page what that one shows', () => {
  const other = { name: 'Other', hash: '', unsaved: false, problem: '', load: vi.fn() };
  arm.set({ shown: other });
  open('Hidden', null);
  expect(arm.view().shown).toBe(other);
});
