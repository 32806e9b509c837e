/**
 * The toolpath that is edited, with its undo. The page's store shows and builds what this says; a
 * toolpath opened in place of another is a step too, so that nothing unsaved is lost by opening.
 */
import type { Toolpath } from '../../contract/types.ts';
import type { Saved } from '../toolpath/library.ts';
import type { Origin, ToolpathStore, ToolpathView } from '../toolpath/toolpath-store.ts';
import { createEditHistory, type EditHistory } from './edit-history.ts';
import { type Edited, emptyToolpath } from './toolpath-edit.ts';

interface Draft {
  /** Number of the opening that this belongs to. */
  readonly document: number;
  readonly origin: Origin;
  readonly toolpath: Toolpath;
  readonly notes: readonly string[];
  readonly selected: string | null;
}

export type Edit = (toolpath: Toolpath, selected: string | null) => Edited;

/** What shows the edits; the page's store. */
export type Shown = Pick<ToolpathStore, 'view' | 'subscribe' | 'edit' | 'set'>;

export class Editor {
  private readonly store: Shown;
  private readonly listeners: (() => void)[] = [];
  private history: EditHistory<Draft> | null = null;
  private documents = 0;
  /** The toolpath of each document as the arm has it. */
  private readonly saved = new Map<number, Toolpath>();

  constructor(store: Shown) {
    this.store = store;
    store.subscribe((view, before) => this.hear(view, before));
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  get toolpath(): Toolpath | null {
    return this.history?.present.toolpath ?? null;
  }

  /** Number of the opening that is edited. */
  get document(): number | null {
    return this.history?.present.document ?? null;
  }

  get canUndo(): boolean {
    return this.history?.canUndo ?? false;
  }

  get canRedo(): boolean {
    return this.history?.canRedo ?? false;
  }

  /** Whether there is something that the arm has not. */
  get unsaved(): boolean {
    const present = this.history?.present;
    return present !== undefined && this.saved.get(present.document) !== present.toolpath;
  }

  /** Opens a toolpath that did not come through the store: a new one, or a migrated one. */
  open(origin: Origin, toolpath: Toolpath, notes: readonly string[]): void {
    this.push({ document: this.documents++, origin, toolpath, notes, selected: null });
    this.show();
  }

  openNew(): void {
    this.open({ name: 'New toolpath', id: null }, emptyToolpath(), []);
  }

  /** Does an edit; those of one gesture are one step of undo. */
  change(edit: Edit, gesture?: string): void {
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
    else this.history = createEditHistory(draft);
  }

  private show(): void {
    const present = this.history?.present;
    if (!present) return;
    this.store.edit(present);
    for (const listener of this.listeners) listener();
  }

  private hear(view: ToolpathView, before: ToolpathView): void {
    const { opened, origin } = view;
    if (!opened || !origin) return;
    if (opened !== before.opened && opened.toolpath !== this.toolpath) {
      const { toolpath, notes } = opened;
      const document = this.documents++;
      if (origin.id !== null) this.saved.set(document, toolpath);
      this.push({ document, origin, toolpath, notes, selected: null });
      for (const listener of this.listeners) listener();
    }
  }

  /** The arm has taken a toolpath of a document, under a number. */
  keep(document: number, { id, toolpath }: Saved): void {
    this.saved.set(document, toolpath);
    this.history?.rewrite((draft) =>
      draft.document === document ? { ...draft, origin: { ...draft.origin, id } } : draft,
    );
    const { present } = this.history ?? {};
    // By now another may be on its way into the store, which keeps its own number.
    const shown = present && this.store.view().opened?.toolpath === present.toolpath;
    if (shown && present.document === document) this.store.set({ origin: present.origin });
    for (const listener of this.listeners) listener();
  }
}
