/** What the editor of a definition knows: its outline, the open item, and what goes wrong. */
import { batch, computed, signal } from '@preact/signals';
import { type JsonPath, pointerOf, readJson } from '../../../contract/json-text.ts';
import { moved } from './definition-edits.ts';
import { withItem, withoutItem } from './definition-items.ts';
import {
  type DefinitionItem,
  type DefinitionOutline,
  type DefinitionSection,
  outlineOf,
} from './definition-outline.ts';
import { problemTexts } from './definition-problems.ts';
import type { DraftHistory } from './draft-history.ts';
import type { WorkflowState } from './workflow-state.ts';

interface OpenItem extends Pick<DefinitionItem, 'section' | 'id' | 'index'> {
  readonly document: number;
}

interface EditNote {
  /** Edits of one gesture are one step of undo. */
  readonly gesture?: string;
  /** The new id of the open item. */
  readonly id?: string;
  /** What a screen reader announces. */
  readonly said?: string;
}

/** A line of the text that is to be seen. */
interface Goal {
  readonly line: number;
  readonly isSelected: boolean;
}

export class EditorState {
  readonly said = signal('');
  readonly goal = signal<Goal | null>(null);
  /** The control of the form that is to have the focus, as a selector; null for none. */
  readonly focus = signal<string | null>(null);
  /** The outline of the last text that is JSON. */
  readonly outline = computed(() => {
    this.lastOutline = this.read.value ?? this.lastOutline;
    return this.lastOutline;
  });
  /** Why the form cannot be used; empty while it can; null for a text that is empty. */
  readonly obstacle = computed(() => {
    if (this.read.value) return '';
    if (this.text.value === '') return null;
    const read = readJson(this.text.value);
    const line = read.ok ? 1 : read.error.line;
    return `The JSON has an error at line ${line}. The form waits until it is corrected.`;
  });
  readonly openItem = computed((): DefinitionItem | null => {
    const open = this.open.value;
    if (open?.document !== this.state.draft.value.document) return null;
    const items = this.outline.value.items[open.section];
    const there = items[open.index];
    return (there?.id === open.id ? there : items.find(({ id }) => id === open.id)) ?? null;
  });
  /** What is wrong, by the JSON pointers of the places in the form. */
  readonly problems = computed(() => {
    const { errors } = this.state.checks.value;
    return problemTexts(this.outline.value, this.openItem.value, errors);
  });
  private readonly state: WorkflowState;
  private readonly history: DraftHistory;
  private readonly open = signal<OpenItem | null>(null);
  private readonly text = computed(() => this.state.draft.value.text);
  private readonly read = computed(() => outlineOf(this.text.value));
  private lastOutline: DefinitionOutline = outlineOf('{}')!;

  constructor(state: WorkflowState, history: DraftHistory) {
    this.state = state;
    this.history = history;
  }

  /** Replaces the text. */
  edit(text: string, { gesture, id, said }: EditNote = {}): void {
    batch(() => {
      const open = this.open.value;
      if (open && id !== undefined) this.open.value = { ...open, id };
      this.history.edit(text, gesture);
      if (said) this.said.value = said;
    });
  }

  /** Sets a field of the form; typing in it is one gesture. */
  write(path: JsonPath, text: string): void {
    this.edit(text, { gesture: pointerOf(path) });
  }

  /** Ends the gesture: what is typed next is another step of undo. */
  readonly settle = (): void => this.history.settle();

  /** Opens the task of a bar of the chart; returns whether there is one. */
  openTask(key: string): boolean {
    const item = this.outline.value.items.tasks.find(({ id }) => `task/${id}` === key);
    if (!item) return false;
    const now = this.openItem.value;
    if (now?.section !== 'tasks' || now.id !== item.id) this.openAs(item);
    return true;
  }

  /** Opens an item, with its JSON and its bar, or closes it. */
  toggle(item: DefinitionItem): void {
    const now = this.openItem.value;
    if (now?.section === item.section && now.index === item.index) {
      this.open.value = null;
      return;
    }
    this.openAs(item);
    const read = readJson(this.text.value);
    if (read.ok) this.show(read.value.lineOf(pointerOf(item.path)));
    if (item.section === 'tasks') this.state.select({ kind: 'bar', key: `task/${item.id}` });
  }

  add(section: DefinitionSection): void {
    const { text, id } = withItem(this.outline.value, section);
    this.openAs({ section, id, index: this.outline.value.items[section].length });
    this.edit(text, { said: `Added ${id}` });
    this.focus.value = `[data-section="${section}"] [data-open] input`;
  }

  remove(item: DefinitionItem, name: string): void {
    this.edit(withoutItem(this.outline.value, item), { said: `Removed ${name}` });
    this.focus.value = `[data-section="${item.section}"] .def-add`;
  }

  move(section: DefinitionSection, from: number, to: number): void {
    const items = this.outline.value.items[section];
    const item = items[from];
    if (!item || to < 0 || to >= items.length || to === from) return;
    if (this.openItem.value === item) this.openAs({ ...item, index: to });
    const said = `${item.id} is now ${to + 1} of ${items.length}`;
    this.edit(moved(this.outline.value, item, to), { said });
    this.focus.value = `[data-section="${section}"] .def-item:nth-child(${to + 1}) .def-grip`;
  }

  /** Scrolls the text to a line, which is selected where a user asks for it. */
  show(line: number, isSelected = false): void {
    this.goal.value = { line, isSelected };
  }

  private openAs({ section, id, index }: Pick<DefinitionItem, 'section' | 'id' | 'index'>): void {
    const { document } = this.state.draft.value;
    this.open.value = { document, section, id, index };
  }
}

/** What the parts of the form draw. */
export interface FormProps {
  readonly form: EditorState;
}
