import { pointerOf, readJson } from '../../../contract/json-text.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { makeOrderable } from '../../ui/orderable.ts';
import { createPressQueue } from '../../ui/press-queue.ts';
import { type EditNote, type FormContext, fieldControl, idControl } from './definition-controls.ts';
import { moved } from './definition-edits.ts';
import { FIELDS, GENERAL_FIELDS } from './definition-fields.ts';
import { itemText, SECTION_TEXT, withItem, withoutItem } from './definition-items.ts';
import {
  canAdd,
  type DefinitionItem,
  type DefinitionOutline,
  type DefinitionSection,
  listAt,
  needsOf,
  outlineOf,
  PLACES,
  SECTIONS,
} from './definition-outline.ts';
import { type ProblemSlot, problemBox, showProblems } from './problem-box.ts';
import { taskParts } from './task-parts.ts';
import type { WorkflowPanel } from './workflow-panel.ts';
import type { WorkflowView } from './workflow-view.ts';

/** What the form does outside itself. */
export interface FormActions {
  readonly edit: (text: string, gesture?: string) => void;
  readonly settle: () => void;
  readonly say: (text: string) => void;
  /** Called when an item is opened, with its JSON pointer. */
  readonly onOpen: (pointer: string, item: DefinitionItem) => void;
}

type OpenItem = Pick<DefinitionItem, 'section' | 'id' | 'index'>;

class DefinitionForm implements WorkflowPanel {
  readonly element: HTMLElement;
  private readonly actions: FormActions;
  private readonly context: FormContext;
  private readonly broken = element('p', { class: 'def-broken', role: 'status' });
  private readonly body = element('fieldset', { class: 'def-body' });
  private outline = outlineOf('{}')!;
  private open: OpenItem | null = null;
  private view: WorkflowView | null = null;
  private shown = '';
  private slots = new Map<string, ProblemSlot>();
  private syncs: ((outline: DefinitionOutline) => void)[] = [];

  constructor(actions: FormActions) {
    this.actions = actions;
    this.context = {
      outline: () => this.outline,
      edit: (text, about) => this.edit(text, about),
      slot: (path, box, input) => this.slots.set(pointerOf(path), { box, input }),
      onText: (sync) => {
        this.syncs.push(sync);
        sync(this.outline);
      },
      settle: actions.settle,
      later: createPressQueue(this.body),
    };
    const label = { class: 'def-form', role: 'region', 'aria-label': 'Form of the definition' };
    this.element = element('div', label, this.broken, this.body);
  }

  update(view: WorkflowView, before: WorkflowView | null): void {
    if (view.document !== before?.document) this.open = null;
    if (view.text !== before?.text) this.read(view.text);
    const { selected } = view;
    if (selected !== before?.selected && selected?.kind === 'bar') this.follow(selected.key);
    this.view = view;
    this.draw(view);
  }

  /** Opens the task of a bar of the chart, and brings it into view. */
  private follow(key: string): void {
    const item = this.outline.items.tasks.find(({ id }) => `task/${id}` === key);
    if (!item) return;
    if (this.open?.section !== 'tasks' || this.open.id !== item.id) this.open = item;
    requestAnimationFrame(() => showOpenItem(this.element));
  }

  private read(text: string): void {
    if (text === this.outline.text && !this.broken.textContent) return;
    const outline = outlineOf(text);
    if (outline) this.outline = outline;
    const read = outline ? null : readJson(text);
    const line = read && !read.ok ? read.error.line : 1;
    setText(
      this.broken,
      outline || text === ''
        ? ''
        : `The JSON has an error at line ${line}. The form waits until it is corrected.`,
    );
    this.broken.hidden = outline !== null;
    setAttribute(this.body, 'disabled', outline === null);
  }

  private edit(text: string, { gesture, id, said }: EditNote = {}): void {
    if (id !== undefined && this.open) this.open = { ...this.open, id };
    this.actions.edit(text, gesture);
    // At once, because the next key may come before the next frame.
    this.read(text);
    if (this.view) this.draw({ ...this.view, text });
    if (said) this.actions.say(said);
  }

  /** What the elements depend on, apart from values and problems. */
  private structure(): string {
    const { outline, open } = this;
    const ids = SECTIONS.map((section) => outline.items[section].map(({ id }) => id));
    const item = this.openItem();
    const task = item?.section === 'tasks' ? item : null;
    const listed = task ? listAt(outline, [...task.path, 'dependencies']) : [];
    const choices = item ? FIELDS[item.section].map(({ choices: of }) => of?.(outline)) : [];
    const takes = task ? needsOf(outline, task).map(({ path, piece }) => [path, piece]) : [];
    const adds = SECTIONS.map((section) => canAdd(outline, section));
    return JSON.stringify([ids, open, listed, choices, takes, adds]);
  }

  private openItem(): DefinitionItem | null {
    const { open, outline } = this;
    if (!open) return null;
    const items = outline.items[open.section];
    const there = items[open.index];
    return (there?.id === open.id ? there : items.find(({ id }) => id === open.id)) ?? null;
  }

  private draw({ text, checks }: WorkflowView): void {
    const structure = this.structure();
    if (structure !== this.shown) {
      this.shown = structure;
      this.rebuild();
    } else if (text === this.outline.text) for (const sync of this.syncs) sync(this.outline);
    showProblems(this.slots, checks.errors);
  }

  private rebuild(): void {
    const active = document.activeElement;
    const inside = active instanceof HTMLElement && this.body.contains(active);
    const focus = inside ? active.dataset['focus'] : undefined;
    const isWhole = active instanceof HTMLInputElement && active.selectionStart === 0;
    this.slots = new Map();
    this.syncs = [];
    const top = problemBox();
    this.context.slot([], top);
    const general = GENERAL_FIELDS.map((field) =>
      fieldControl(this.context, field, { path: field.path, focus: field.label }),
    );
    this.body.replaceChildren(
      top,
      element('div', { class: 'def-fields' }, ...general),
      ...(['tasks', 'labware', 'instruments', 'limits'] as const).map((one) => this.section(one)),
    );
    if (focus) this.focus(focus, isWhole);
  }

  private focus(name: string, isSelected = false): void {
    const all = [...this.body.querySelectorAll<HTMLElement>('[data-focus]')];
    const found = all.find((one) => one.dataset['focus'] === name);
    found?.focus();
    if (found instanceof HTMLInputElement && isSelected) found.select();
  }

  private section(section: DefinitionSection): HTMLElement {
    const { title, one } = SECTION_TEXT[section];
    const items = this.outline.items[section];
    const box = problemBox();
    this.context.slot(PLACES[section], box);
    const add = () => {
      const { text, id } = withItem(this.outline, section);
      this.open = { section, id, index: items.length };
      this.edit(text, { said: `Added ${id}` });
      this.focus(`${section} id`);
    };
    const attributes = {
      class: 'plain small def-add',
      'data-focus': `${section} add`,
      disabled: !canAdd(this.outline, section),
    };
    const list = element('ol', { class: 'def-list' }, ...items.map((item) => this.row(item)));
    makeOrderable(list, (from, to) => this.move(section, from, to));
    return element(
      'section',
      { class: 'def-section', 'aria-label': title },
      element(
        'header',
        { class: 'section-head' },
        element('h3', {}, title),
        element('span', { class: 'end' }, `${items.length}`),
        button(attributes, add, `Add ${one}`),
      ),
      box,
      list,
    );
  }

  private move(section: DefinitionSection, from: number, to: number): void {
    const item = this.outline.items[section][from];
    const count = this.outline.items[section].length;
    if (!item || to < 0 || to >= count || to === from) return;
    const said = `${item.id} is now ${to + 1} of ${count}`;
    const isOpen = this.openItem() === item;
    if (isOpen) this.open = { ...item, index: to };
    this.edit(moved(this.outline, item, to), { said });
    this.focus(`${section} grip ${to}`);
  }

  private row(item: DefinitionItem): HTMLElement {
    const { section, id, index, path } = item;
    const { one } = SECTION_TEXT[section];
    const isOpen = this.openItem() === item;
    const name = id || `unnamed ${one}`;
    const sub = element('span', { class: 'sub' });
    this.context.onText((outline) => setText(sub, itemText(outline, item)));
    const toggle = button(
      { class: 'def-toggle', 'aria-expanded': String(isOpen), 'data-focus': `${section} ${index}` },
      () => this.toggle(item),
      icon('chevron'),
      element('bdi', {}, name),
      sub,
    );
    const order = `Move ${name}: drag it, or press the up and down arrow keys`;
    const grip = element(
      'button',
      {
        type: 'button',
        class: 'def-grip',
        'data-grip': true,
        'aria-label': order,
        title: order,
        'data-focus': `${section} grip ${index}`,
      },
      icon('grip'),
    );
    const remove = button(
      { class: 'plain small square', 'aria-label': `Remove ${name}`, title: `Remove ${name}` },
      () => this.remove(item, name),
      icon('remove'),
    );
    const box = problemBox();
    this.context.slot(path, box, toggle);
    const head = element('div', { class: 'def-row' }, grip, toggle, remove);
    const row = element('li', { class: 'def-item', 'data-open': isOpen }, head, box);
    if (isOpen) row.append(...this.details(item, name));
    return row;
  }

  private toggle(item: DefinitionItem): void {
    const now = this.openItem();
    const isOpen = now?.section === item.section && now.index === item.index;
    this.open = isOpen ? null : item;
    if (this.view) this.draw(this.view);
    if (!isOpen) this.actions.onOpen(pointerOf(item.path), item);
  }

  private remove(item: DefinitionItem, name: string): void {
    this.edit(withoutItem(this.outline, item), { said: `Removed ${name}` });
    this.focus(`${item.section} add`);
  }

  private details(item: DefinitionItem, name: string): HTMLElement[] {
    const controls = FIELDS[item.section].map((field) =>
      field.kind === 'id'
        ? idControl(this.context, item)
        : fieldControl(this.context, field, {
            path: [...item.path, ...field.path],
            focus: `${item.section} ${field.label}`,
          }),
    );
    const fields = element(
      'div',
      { class: 'def-fields', role: 'group', 'aria-label': name },
      ...controls,
    );
    return [fields, ...(item.section === 'tasks' ? taskParts(this.context, item) : [])];
  }
}

/** Creates the form of the open definition. */
export function createDefinitionForm(actions: FormActions): WorkflowPanel {
  return new DefinitionForm(actions);
}

/** Scrolls a form to its open item, unless the user is in the form. */
export function showOpenItem(form: HTMLElement): void {
  const item = form.querySelector('.def-item[data-open]');
  if (!form.contains(document.activeElement)) item?.scrollIntoView({ block: 'start' });
}
