/**
 * Draws a list of fields as a form. A form keeps its elements while it has the same fields, so
 * that typing continues when the toolpath is rebuilt.
 */

import { element, setAttribute } from './element.ts';
import type { FormField } from './form-field.ts';
import { numberElement } from './number-input.ts';

/** Source of a form's fields, and the handlers of its changes. */
export interface FieldListParts<Subject> {
  /** Current fields of the thing with that name; the page may be drawn later. */
  readonly fieldsOf: (name: string) => readonly FormField<Subject>[];
  /** Called with the changed subject after input in a field. */
  readonly onChange: (changed: Subject, field: FormField<Subject>) => void;
  /** Called when a field loses focus. */
  readonly settle: () => void;
}

type Input = HTMLInputElement | HTMLSelectElement;

interface DrawnField<Subject> {
  readonly element: HTMLElement;
  readonly input: Input;
  field: FormField<Subject>;
}

/** Fields with the same shape can be shown by the same elements. */
function shapeOf<Subject>(fields: readonly FormField<Subject>[]): string {
  return JSON.stringify(
    fields.map(({ kind, label, unit, options }) => [kind, label, unit, options]),
  );
}

function inputOf<Subject>({ kind, options, maxLength, step }: FormField<Subject>): Input {
  if (kind === 'choice') {
    const choices = options.map(([value, label]) => element('option', { value }, label));
    return element('select', { class: 'field' }, ...choices);
  }
  if (kind === 'flag') return element('input', { type: 'checkbox' });
  if (kind === 'number') return numberElement({ class: 'field' }, { step });
  return element('input', { type: 'text', class: 'field', maxlength: `${maxLength}` });
}

function textOf(input: Input): string {
  const flag = input instanceof HTMLInputElement && input.type === 'checkbox';
  return flag ? String(input.checked) : input.value;
}

function write(input: Input, value: string): void {
  if (input instanceof HTMLInputElement && input.type === 'checkbox') {
    input.checked = value === 'true';
  } else if (input.value !== value) input.value = value;
}

export interface FieldList {
  readonly element: HTMLElement;
  /** Shows the fields of the thing with that name; returns their number. */
  show(name: string): number;
}

/** Creates a list of fields. */
export function createFieldList<Subject>(parts: FieldListParts<Subject>): FieldList {
  const { fieldsOf, onChange, settle } = parts;
  const box = element('div', { class: 'form-fields' });
  let drawn: readonly DrawnField<Subject>[] = [];
  let shape = '';
  let shown = '';

  function draw(field: FormField<Subject>): DrawnField<Subject> {
    const input = inputOf(field);
    const label = element('span', {}, field.label);
    const unit = field.unit ? [element('span', { class: 'unit' }, field.unit)] : [];
    const row = element('label', { class: 'field-row' }, label, input, ...unit);
    const made = { element: row, input, field };
    input.addEventListener('input', () => {
      const now = fieldsOf(shown).find(({ label }) => label === made.field.label);
      const changed = now?.set(textOf(input)) ?? null;
      setAttribute(input, 'aria-invalid', changed === null ? 'true' : undefined);
      if (now && changed !== null) onChange(changed, now);
    });
    input.addEventListener('change', settle);
    input.addEventListener('blur', () => {
      write(input, made.field.value);
      setAttribute(input, 'aria-invalid', undefined);
      settle();
    });
    return made;
  }

  return {
    element: box,
    show(name) {
      const fields = fieldsOf(name);
      shown = name;
      const next = shapeOf(fields);
      if (next !== shape) {
        shape = next;
        const at = drawn.findIndex(({ input }) => input === document.activeElement);
        drawn = fields.map(draw);
        box.replaceChildren(...drawn.map((one) => one.element));
        // After a choice that changes the form, the focus moves to the field in its place.
        if (at >= 0) drawn[Math.min(at, drawn.length - 1)]?.input.focus();
      }
      for (const [i, one] of drawn.entries()) {
        one.field = fields[i]!;
        if (one.input !== document.activeElement) write(one.input, one.field.value);
        else if (one.field.kind === 'choice' || one.field.kind === 'flag') {
          write(one.input, one.field.value);
        }
      }
      return fields.length;
    },
  };
}
