/** Labelled fields of the Bench page's forms: numbers, words and choices, each read as a value. */
import { element } from '../panels/element.ts';

export interface Entry<Value> {
  readonly element: HTMLElement;
  /** The value; undefined while it is left empty. */
  read(): Value | undefined;
}

export interface NumberOptions {
  readonly value?: number;
  readonly low?: number;
  readonly high?: number;
  readonly step?: number | 'any';
}

function labelled(words: string, field: HTMLElement): HTMLElement {
  // A choice's options would count to the words of the label around it.
  field.setAttribute('aria-label', words);
  return element('label', { class: 'bench-entry' }, element('span', {}, words), field);
}

/** A number; empty counts as left out. */
export function numberEntry(words: string, options: NumberOptions = {}): Entry<number> {
  const { value, low, high, step = 'any' } = options;
  const text = (bound: number | undefined) => (bound === undefined ? undefined : String(bound));
  const field = element('input', {
    ...{ type: 'number', class: 'field', step: String(step) },
    ...{ value: text(value), min: text(low), max: text(high) },
  });
  return {
    element: labelled(words, field),
    read: () => (Number.isNaN(field.valueAsNumber) ? undefined : field.valueAsNumber),
  };
}

/** A short text; empty counts as left out. */
export function wordEntry(words: string, value = ''): Entry<string> {
  const field = element('input', { type: 'text', class: 'field', value, spellcheck: 'false' });
  return { element: labelled(words, field), read: () => field.value.trim() || undefined };
}

/** One of several values; an empty first option means none. */
export function choiceEntry(
  words: string,
  options: readonly (readonly [value: string, words: string])[],
  changed: (value: string) => void = () => undefined,
): Entry<string> {
  const field = element(
    'select',
    { class: 'field' },
    ...options.map(([value, text]) => element('option', { value }, text)),
  );
  field.addEventListener('change', () => changed(field.value));
  return { element: labelled(words, field), read: () => field.value || undefined };
}

/** A list of things with a button or two each, or a sentence while there are none. */
export function createRows(empty: string) {
  const list = element('ul', { class: 'bench-rows' });
  const none = element('p', { class: 'empty' }, empty);
  let shown = '';
  return {
    elements: [none, list] as const,
    /** Draws rows anew when what `key` says of them has changed. */
    set(key: string, make: () => readonly HTMLElement[]): void {
      if (key === shown) return;
      shown = key;
      const rows = make();
      list.replaceChildren(...rows);
      none.hidden = rows.length > 0;
    },
  };
}
