/**
 * The controls of the form of a definition: inputs that write into the text as one types, the
 * labware and the dependencies of a task, and the places where problems are shown.
 */
import { button, element, icon, setAttribute, setText } from '../panels/element.ts';
import {
  type DefinitionItem,
  type DefinitionOutline,
  listAt,
  needsOf,
  renamed,
  type TaskNeed,
  textAt,
  withNeed,
  withoutNeed,
  withSource,
} from './definition-edits.ts';
import {
  type DefinitionField,
  type FieldChoice,
  fieldJson,
  idsOf,
  withDependency,
  withField,
} from './definition-items.ts';
import { type JsonPath, nodeAt, pointerOf, withoutJsonValue } from './json-text.ts';
import type { WorkflowFinding } from './workflow-store.ts';

/** What the controls change and where they report. */
export interface FormContext {
  readonly outline: () => DefinitionOutline;
  /** Replaces the text; edits of one gesture are one step of undo. `id`: the open item's new id. */
  readonly edit: (text: string, about?: EditNote) => void;
  /** Registers a place for the problems at a path, and what is wrong when there are any. */
  readonly slot: (path: JsonPath, box: HTMLElement, input?: HTMLElement) => void;
  /** Registers what follows a change of the text. */
  readonly onText: (sync: (outline: DefinitionOutline) => void) => void;
  readonly settle: () => void;
  /** Runs an edit that replaces controls, once no press and no change of focus is under way. */
  readonly later: (edit: () => void) => void;
}

export interface EditNote {
  readonly gesture?: string;
  readonly id?: string;
  /** What a screen reader announces. */
  readonly said?: string;
}

/** Where problems are shown, and the input that they are about. */
export interface ProblemSlot {
  readonly box: HTMLElement;
  readonly input: HTMLElement | undefined;
}

let problems = 0;

/** A box for problems, empty at first. */
export function problemBox(): HTMLElement {
  return element('p', { class: 'def-problem', id: `def-problem-${++problems}` });
}

function options(choices: readonly FieldChoice[], value: string): HTMLOptionElement[] {
  const known = choices.some(([each]) => each === value);
  const all = known ? choices : [[value, value && `${value} (unknown)`] as const, ...choices];
  return all.map(([each, label]) =>
    element('option', { value: each, selected: each === value }, label),
  );
}

function labelled(label: string, input: HTMLElement, ...rest: readonly Node[]): HTMLElement {
  const name = element('label', {}, element('span', {}, label), input);
  // Without aria-label, a select's options would become part of its accessible name.
  setAttribute(input, 'aria-label', label);
  return element('div', { class: 'def-field' }, name, ...rest);
}

function choiceInput(focus: string, choices: readonly FieldChoice[], value: string) {
  return element('select', { class: 'field', 'data-focus': focus }, ...options(choices, value));
}

function textInput(focus: string, isNumber: boolean): HTMLInputElement {
  return element('input', {
    class: 'field',
    'data-focus': focus,
    autocomplete: 'off',
    spellcheck: 'false',
    ...(isNumber && { inputmode: 'decimal' }),
  });
}

/** A field that writes as one types. `focus` is its name among the controls. */
export function fieldControl(
  context: FormContext,
  field: DefinitionField,
  { path, focus }: { readonly path: JsonPath; readonly focus: string },
): HTMLElement {
  const { choices } = field;
  const now = textAt(context.outline(), path);
  const input = choices
    ? choiceInput(focus, choices(context.outline()), now)
    : textInput(focus, field.kind === 'number');
  const write = () => {
    const text = withField(context.outline(), path, { field, typed: input.value });
    context.edit(text, { gesture: pointerOf(path) });
  };
  input.addEventListener('input', write);
  input.addEventListener('blur', () => context.settle());
  const box = problemBox();
  context.slot(path, box, input);
  context.onText((outline) => {
    const node = nodeAt(outline.root, path);
    const json = node ? outline.text.slice(node.from, node.to) : '';
    const typed = input.value === '' ? '' : fieldJson(field, input.value);
    if (typed !== json) input.value = textAt(outline, path);
  });
  return labelled(field.label, input, box);
}

/** The field of an id, which is taken over at the end of typing, with all that names it. */
export function idControl(context: FormContext, item: DefinitionItem): HTMLElement {
  const { section, id: old } = item;
  const input = textInput(`${section} id`, false);
  const box = problemBox();
  input.value = old;
  const rename = () => {
    const id = input.value;
    const outline = context.outline();
    const now = outline.items[section].find((one) => one.id === old);
    const text = now && id !== old ? renamed(outline, now, id) : undefined;
    const problem = id === '' ? 'must not be empty' : `another one is called ${id}`;
    setAttribute(box, 'data-own', text === null && problem);
    setText(box, text === null ? problem : '');
    setAttribute(input, 'aria-invalid', text === null && 'true');
    if (text) context.edit(text, { id, said: `${old} is now ${id}` });
  };
  input.addEventListener('change', ({ isTrusted }) => {
    if (isTrusted) context.later(rename);
    else rename();
  });
  context.slot([...item.path, 'id'], box, input);
  return labelled('Id', input, box);
}

/** A select with a button that takes the chosen one. */
function adder(
  names: { readonly label: string; readonly focus: string },
  ids: readonly string[],
  take: (id: string) => void,
): HTMLElement[] {
  if (ids.length === 0) return [];
  const choice = choiceInput(
    `${names.focus} choice`,
    ids.map((id) => [id, id]),
    ids[0]!,
  );
  setAttribute(choice, 'aria-label', names.label);
  const focus = { 'data-focus': `${names.focus} add` };
  const add = button(
    { class: 'plain small', ...focus, 'aria-label': names.label },
    () => take(choice.value),
    'Add',
  );
  return [element('div', { class: 'def-line' }, choice, add)];
}

function removeButton(label: string, remove: () => void): HTMLButtonElement {
  return button(
    { class: 'plain small square', 'aria-label': label, title: label },
    remove,
    icon('remove'),
  );
}

function needRow(context: FormContext, task: DefinitionItem, need: TaskNeed): HTMLElement {
  const outline = context.outline();
  const { piece, path, source } = need;
  const users = outline.items.tasks.filter(
    (other) => other.id !== task.id && needsOf(outline, other).some((one) => one.piece === piece),
  );
  const choices: FieldChoice[] = [['', 'its start'], ...users.map(({ id }) => [id, id] as const)];
  const from = choiceInput(`need ${piece}`, choices, source);
  from.addEventListener('input', () => {
    context.edit(withSource(context.outline(), task, { piece, source: from.value }));
  });
  const box = problemBox();
  context.slot(path, box);
  const fromBox = problemBox();
  context.slot([...path, 'source_task'], fromBox, from);
  const slot = { path: ['destination_slot'], label: 'Into slot', kind: 'number' } as const;
  return element(
    'li',
    { class: 'def-need' },
    element('b', {}, element('bdi', {}, piece)),
    labelled('From', from, fromBox),
    fieldControl(context, slot, { path: [...path, ...slot.path], focus: `slot ${piece}` }),
    removeButton(`Take ${piece} out of ${task.id}`, () => {
      const said = `${task.id} no longer takes ${piece}`;
      context.edit(withoutNeed(context.outline(), task, need), { said });
    }),
    box,
  );
}

/** What a task takes, and what it waits for. */
export function taskParts(context: FormContext, task: DefinitionItem): HTMLElement[] {
  const outline = context.outline();
  const needs = needsOf(outline, task);
  const pieces = idsOf(outline, 'labware').filter((id) => !needs.some((one) => one.piece === id));
  const listed = [...task.path, 'dependencies'];
  const waits = listAt(outline, listed);
  const others = idsOf(outline, 'tasks').filter((id) => id !== task.id && !waits.includes(id));
  const waitRow = (id: string, i: number) => {
    const box = problemBox();
    context.slot([...listed, String(i)], box);
    const remove = () => {
      const text = withoutJsonValue(context.outline().text, [...listed, String(i)]);
      context.edit(text, { said: `${task.id} no longer waits for ${id}` });
    };
    const name = element('bdi', { class: 'grow' }, id);
    const row = [name, removeButton(`Do not wait for ${id}`, remove), box];
    return element('li', { class: 'def-line' }, ...row);
  };
  const part = (title: string, rows: readonly HTMLElement[], more: readonly HTMLElement[]) =>
    element(
      'div',
      { class: 'def-part', role: 'group', 'aria-label': title },
      element('h4', {}, title),
      ...(rows.length > 0 ? [element('ul', {}, ...rows)] : []),
      ...more,
    );
  return [
    part(
      'Takes labware',
      needs.map((need) => needRow(context, task, need)),
      adder({ label: 'Add labware', focus: 'needs' }, pieces, (piece) => {
        const text = withNeed(context.outline(), task, piece);
        context.edit(text, { said: `${task.id} takes ${piece}` });
      }),
    ),
    part(
      'Waits for the end of',
      waits.map(waitRow),
      adder({ label: 'Add dependency', focus: 'waits' }, others, (id) => {
        const text = withDependency(context.outline(), task, id);
        context.edit(text, { said: `${task.id} waits for ${id}` });
      }),
    ),
  ];
}

/** Shows every problem at the nearest place that the form has for it. */
export function showProblems(
  slots: ReadonlyMap<string, ProblemSlot>,
  errors: readonly WorkflowFinding[],
): void {
  const texts = new Map<ProblemSlot, string[]>();
  for (const { path, message } of errors) {
    let pointer = path;
    while (pointer !== '' && !slots.has(pointer)) {
      pointer = pointer.slice(0, pointer.lastIndexOf('/'));
    }
    const slot = slots.get(pointer);
    if (slot) texts.set(slot, [...(texts.get(slot) ?? []), message]);
  }
  for (const slot of slots.values()) {
    const { box, input } = slot;
    const text = box.dataset['own'] || (texts.get(slot) ?? []).join('; ');
    setText(box, text);
    if (!input) continue;
    const isField = !(input instanceof HTMLButtonElement);
    setAttribute(input, 'aria-invalid', text !== '' && isField && 'true');
    setAttribute(input, 'aria-describedby', text !== '' && box.id);
  }
}
