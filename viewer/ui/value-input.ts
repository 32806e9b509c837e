/** Labelled inputs that are read as values. */

import { type Attributes, element } from './element.ts';

/** A labelled input that is read as a value. */
export interface ValueInput<Value> {
  readonly element: HTMLElement;
  /** The value; undefined while the field is empty. */
  read(): Value | undefined;
}

/** A field under its label. */
export function labelled(label: string, field: HTMLElement, attributes: Attributes = {}) {
  // Without aria-label, a select's options would become part of its accessible name.
  field.setAttribute('aria-label', label);
  return element('label', attributes, element('span', {}, label), field);
}

const FIELD = { class: 'form-field' };

/** A one-line text input. */
export function textInput(label: string, value = ''): ValueInput<string> {
  const field = element('input', { type: 'text', class: 'field', value, spellcheck: 'false' });
  return { element: labelled(label, field, FIELD), read: () => field.value.trim() || undefined };
}
