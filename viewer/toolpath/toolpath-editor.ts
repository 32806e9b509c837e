/**
 * The toolpath being edited, with undo and redo. The page's store shows and builds its state.
 * Opening another toolpath is a step too, so that it can be undone and no unsaved edit is lost.
 */

import type { Toolpath } from '../../contract/types.generated.ts';
import { EditHistory } from '../ui/edit-history.ts';
import { type EditResult, emptyToolpath } from './toolpath-edit.ts';
import type { SavedToolpath } from './toolpath-library.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathOrigin, ToolpathView } from './toolpath-view.ts';

interface Draft {
  /** Number of the opened document that this draft belongs to. */
  readonly document: number;
  readonly origin: ToolpathOrigin;
  readonly toolpath: Toolpath;
  readonly notes: readonly string[];
  readonly selected: string | null;
}

export type ToolpathEdit = (toolpath: Toolpath, selected: string | null) => EditResult;

/** The part of the page's store that the editor uses. */
export type EditorStore = Pick<ToolpathStore, 'view' | 'subscribe' | 'edit' | 'set'>;

export class ToolpathEditor {
  private readonly store: EditorStore;
  private readonly listeners: (() => void)[] = [];
  private history: EditHistory<Draft> | null = null;
  private documents = 0;
  /** The toolpath of each document as saved on the arm, and its name there. */
  private readonly saved = new Map<
    number,
    { readonly toolpath: Toolpath; readonly name: string }
  >();

  constructor(store: EditorStore) {
    this.store = store;
    store.subscribe((view, before) => this.onStoreChange(view, before));
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  get toolpath(): Toolpath | null {
    return this.history?.present.toolpath ?? null;
  }

  /** Number of the document being edited. */
  get document(): number | null {
    return this.history?.present.document ?? null;
  }

  get canUndo(): boolean {
    return this.history?.canUndo ?? false;
  }

  get canRedo(): boolean {
    return this.history?.canRedo ?? false;
  }

  /** Whether there are edits that the arm does not have. */
  get unsaved(): boolean {
    const present = this.history?.present;
    if (!present) return false;
    const saved = this.saved.get(present.document);
    return saved?.toolpath !== present.toolpath || saved.name !== present.origin.name;
  }

  /** Opens a new or migrated toolpath, which did not come through the store. */
  open(origin: ToolpathOrigin, toolpath: Toolpath, notes: readonly string[]): void {
    this.push({ document: this.documents++, origin, toolpath, notes, selected: null });
    this.show();
  }

  openNew(): void {
    this.open({ name: 'New toolpath', id: null }, emptyToolpath(), []);
  }

  /** Applies an edit; edits of one gesture are one undo step. */
  change(edit: ToolpathEdit, gesture?: string): void {
    const present = this.history?.present;
    if (!present) return;
    const { toolpath, selected } = edit(present.toolpath, this.store.view().selected);
    if (toolpath === present.toolpath) return;
    this.push({ ...present, toolpath, selected }, gesture);
    this.show();
  }

  rename(name: string, gesture?: string): void {
    const present = this.history?.present;
    if (!present || name === '' || name === present.origin.name) return;
    this.push({ ...present, origin: { ...present.origin, name } }, gesture);
    this.show();
  }

  /** Ends a gesture. */
  settle(): void {
    this.history?.settle();
  }

  undo(): void {
    if (this.history?.undo()) this.show();
  }

  redo(): void {
    if (this.history?.redo()) this.show();
  }

  private push(draft: Draft, gesture?: string): void {
    if (this.history) this.history.push(draft, gesture);
    else this.history = new EditHistory(draft);
  }

  private show(): void {
    const present = this.history?.present;
    if (!present) return;
    this.store.edit(present);
    for (const listener of this.listeners) listener();
  }

  private onStoreChange(view: ToolpathView, before: ToolpathView): void {
    const { opened, origin } = view;
    if (!opened || !origin) return;
    if (opened !== before.opened && opened.toolpath !== this.toolpath) {
      const { toolpath, notes } = opened;
      const document = this.documents++;
      if (origin.id !== null) this.saved.set(document, { toolpath, name: origin.name });
      this.push({ document, origin, toolpath, notes, selected: null });
      for (const listener of this.listeners) listener();
    }
  }

  /** Records that the arm has saved a toolpath of a document, as its new version. */
  markSaved(document: number, { origin, toolpath }: SavedToolpath): void {
    const { id, base } = origin;
    const kept = { id, ...(base && { base }) };
    this.saved.set(document, { toolpath, name: origin.name });
    this.history?.rewrite((draft) =>
      draft.document === document ? { ...draft, origin: { ...draft.origin, ...kept } } : draft,
    );
    const { present } = this.history ?? {};
    // Another document may be loading into the store; that one keeps its own id.
    const shown = present && this.store.view().opened?.toolpath === present.toolpath;
    if (shown && present.document === document) this.store.set({ origin: present.origin });
    for (const listener of this.listeners) listener();
  }
}
