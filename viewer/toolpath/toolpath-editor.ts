/**
 * The toolpath being edited, with undo and redo: one for all pages. The store of the shown page
 * shows and builds its state. Opening another toolpath is a step too, so that it can be undone and
 * no unsaved edit is lost.
 */

import { signal } from '@preact/signals';
import type { Toolpath } from '../../contract/types.generated.ts';
import { EditHistory } from '../ui/edit-history.ts';
import { onChange } from '../ui/view-store.ts';
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

/** What a page shows of another toolpath, before it shows this one. */
const NOTHING = {
  ...{ opened: null, path: null, problems: [], cursor_s: 0, range: null, looping: false },
  ...{ finding: null, remedy: null, lookAt: null, beside: null, runDeviation: null },
} as const satisfies Partial<ToolpathView>;

export type ToolpathEdit = (toolpath: Toolpath, selected: string | null) => EditResult;

/** The part of a page's store that the editor uses. */
export type EditorStore = Pick<ToolpathStore, 'view' | 'whole' | 'edit' | 'set'>;

export class ToolpathEditor {
  /** The store of the page that is shown, or was shown last. */
  private store: EditorStore | null = null;
  private readonly followed = new Set<EditorStore>();
  /** Counts the changes, also of what is saved; what reads the editor follows it. */
  private readonly changes = signal(0);
  private readonly leavers: ((name: string) => void)[] = [];
  /** Each document as it was opened. */
  private readonly begun = new Map<number, Toolpath>();
  private history: EditHistory<Draft> | null = null;
  private documents = 0;
  /** The toolpath of each document as saved on the arm, and its name there. */
  private readonly saved = new Map<
    number,
    { readonly toolpath: Toolpath; readonly name: string }
  >();

  /**
   * Shows what is edited in the store of a page, which is entered, at the place where the page
   * before left it, and edits what the page opens from now on. A replay that the page shows stays.
   */
  enter(store: EditorStore): void {
    const left = this.store?.view();
    this.store = store;
    if (!this.followed.has(store)) {
      this.followed.add(store);
      onChange(
        store.whole,
        (view, before) => store === this.store && this.onStoreChange(view, before),
      );
    }
    const { opened, origin, replay } = store.view();
    if (!this.history) this.take(store.view());
    else if (replay === null && opened?.toolpath !== this.history.present.toolpath) {
      if (origin) store.set(NOTHING);
      this.show();
    }
    if (left) this.goTo(left);
  }

  /** Goes to the place in the toolpath where another view is. */
  private goTo({ opened, selected, cursor_s }: ToolpathView): void {
    const now = this.store!.view();
    const { toolpath } = this.history?.present ?? {};
    if (!toolpath || opened?.toolpath !== toolpath || now.opened?.toolpath !== toolpath) return;
    if (selected === now.selected && cursor_s === now.cursor_s) return;
    this.store!.set({ selected, cursor_s, finding: null, remedy: null, lookAt: null });
  }

  /** Calls back with the name of a toolpath whose edits are not saved when another one is opened. */
  onLeft(listener: (name: string) => void): void {
    this.leavers.push(listener);
  }

  /** What is edited, which a component that asks follows; null before anything was opened. */
  private edited(): EditHistory<Draft> | null {
    void this.changes.value;
    return this.history;
  }

  get toolpath(): Toolpath | null {
    return this.edited()?.present.toolpath ?? null;
  }

  /** Number of the document being edited. */
  get document(): number | null {
    return this.edited()?.present.document ?? null;
  }

  get canUndo(): boolean {
    return this.edited()?.canUndo ?? false;
  }

  get canRedo(): boolean {
    return this.edited()?.canRedo ?? false;
  }

  /** Whether there are edits that the arm does not have. */
  get unsaved(): boolean {
    const present = this.edited()?.present;
    if (!present) return false;
    const saved = this.saved.get(present.document);
    return saved?.toolpath !== present.toolpath || saved.name !== present.origin.name;
  }

  /** Whether the user has made edits that the arm does not have; a file that was opened is none. */
  get hasEdits(): boolean {
    const present = this.history?.present;
    return this.unsaved && present?.toolpath !== this.begun.get(present?.document ?? -1);
  }

  /** Opens a new or migrated toolpath, which did not come through the store. */
  open(origin: ToolpathOrigin, toolpath: Toolpath, notes: readonly string[]): void {
    const document = this.documents++;
    this.begun.set(document, toolpath);
    this.push({ document, origin, toolpath, notes, selected: null });
    this.show();
  }

  openNew(): void {
    this.open({ name: 'New toolpath', id: null }, emptyToolpath(), []);
  }

  /** Applies an edit; edits of one gesture are one undo step. */
  change(edit: ToolpathEdit, gesture?: string): void {
    const present = this.history?.present;
    if (!present) return;
    const now = this.store?.view().selected ?? null;
    const { toolpath, selected } = edit(present.toolpath, now);
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
    this.store?.edit({ ...present, edited: this.unsaved });
    this.changes.value += 1;
  }

  private onStoreChange(view: ToolpathView, before: ToolpathView): void {
    if (view.opened !== before.opened) this.take(view);
    else if (view.origin && before.origin) this.followOrigin(view.origin, before.origin);
  }

  /** What is open was renamed, saved or deleted on the arm, and not by an edit of it. */
  private followOrigin(now: ToolpathOrigin, before: ToolpathOrigin): void {
    const present = this.history?.present;
    const isOpen = present && this.store?.view().opened?.toolpath === present.toolpath;
    if (!isOpen || now === before || now === present.origin) return;
    const { document } = present;
    const saved = this.saved.get(document);
    if (now.id === null) this.saved.delete(document);
    else if (saved?.name === before.name) this.saved.set(document, { ...saved, name: now.name });
    this.history?.rewrite((draft) => {
      if (draft.document !== document) return draft;
      const name = draft.origin.name === before.name ? now.name : draft.origin.name;
      return { ...draft, origin: { ...now, name } };
    });
    this.changes.value += 1;
  }

  /** Edits what a page has opened; a replay is nothing to edit. */
  private take({ opened, origin, replay }: ToolpathView): void {
    if (!opened || !origin || replay !== null || opened.toolpath === this.toolpath) return;
    const { toolpath, notes } = opened;
    const left = this.hasEdits ? this.history?.present.origin.name : undefined;
    const document = this.documents++;
    if (origin.id !== null) this.saved.set(document, { toolpath, name: origin.name });
    this.begun.set(document, toolpath);
    this.push({ document, origin, toolpath, notes, selected: null });
    this.changes.value += 1;
    if (left !== undefined) for (const listener of this.leavers) listener(left);
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
    const shown = present && this.store?.view().opened?.toolpath === present.toolpath;
    if (shown && present.document === document) {
      this.store?.set({ origin: present.origin, edited: this.unsaved });
    }
    this.changes.value += 1;
  }
}
