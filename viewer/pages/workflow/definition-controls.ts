/** The inputs of the form of a definition; they write into the text as one types. */

import { type JsonPath, nodeAt, pointerOf } from '../../../contract/json-text.ts';
import { element, setAttribute, setText } from '../../ui/element.ts';
import { labelled } from '../../ui/value-input.ts';
import { renamed } from './definition-edits.ts';
import {
  type DefinitionField,
  type FieldChoice,
  fieldJson,
  withField,
} from './definition-fields.ts';
import { type DefinitionItem, type DefinitionOutline, textAt } from './definition-outline.ts';
import { problemBox } from './problem-box.ts';

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

function options(choices: readonly FieldChoice[], value: string): HTMLOptionElement[] {
  const known = choices.some(([each]) => each === value);
  const all = known ? choices : [[value, value && `${value} (unknown)`] as const, ...choices];
  return all.map(([each, label]) =>
    element('option', { value: each, selected: each === value }, label),
  );
}

/** A field of a definition under its label, and what stands beside it. */
export function definitionField(
  label: string,
  input: HTMLElement,
  ...rest: readonly Node[]
): HTMLElement {
  return element('div', { class: 'def-field' }, labelled(label, input), ...rest);
}

export function choiceInput(focus: string, choices: readonly FieldChoice[], value: string) {
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
  return definitionField(field.label, input, box);
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
  return definitionField('Id', input, box);
}
