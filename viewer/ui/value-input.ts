/** Labelled inputs that are read as values. */

import { type Attributes, type Child, element } from './element.ts';
import { type NumberBounds, numberElement, typedNumber } from './number-input.ts';

/** A labelled input that is read as a value. */
export interface ValueInput<Value> {
  readonly element: HTMLElement;
  /** The value; undefined while the field is empty. */
  read(): Value | undefined;
}

interface NumberInputOptions extends NumberBounds {
  readonly value?: number;
}

/** A field under its label. */
export function labelled(label: string, field: HTMLElement, attributes: Attributes = {}) {
  // Without aria-label, a select's options would become part of its accessible name.
  field.setAttribute('aria-label', label);
  return element('label', attributes, element('span', {}, label), field);
}

const FIELD = { class: 'simulation-field' };

/** Fields and buttons in one line of a form. */
export function inputLine(...parts: readonly Child[]): HTMLElement {
  return element('div', { class: 'simulation-line' }, ...parts);
}

/** A number input. */
export function numberInput(label: string, options: NumberInputOptions = {}): ValueInput<number> {
  const { value, ...bounds } = options;
  const text = value === undefined ? undefined : String(value);
  const field = numberElement({ class: 'field', value: text }, bounds);
  return {
    element: labelled(label, field, FIELD),
    read: () => typedNumber(field.value) ?? undefined,
  };
}

/** A one-line text input. */
export function textInput(label: string, value = ''): ValueInput<string> {
  const field = element('input', { type: 'text', class: 'field', value, spellcheck: 'false' });
  return { element: labelled(label, field, FIELD), read: () => field.value.trim() || undefined };
}

/** A select; an option with an empty value means none. */
export function selectInput(
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  onChange: (value: string) => void = () => undefined,
): ValueInput<string> {
  const field = element(
    'select',
    { class: 'field' },
    ...options.map(([value, text]) => element('option', { value }, text)),
  );
  field.addEventListener('change', () => onChange(field.value));
  return { element: labelled(label, field, FIELD), read: () => field.value || undefined };
}
