/**
 * Fields as page elements. A form keeps its elements as long as it has the same fields, so that
 * typing goes on while the toolpath is built anew behind it.
 */
import { element, setAttribute } from '../panels/element.ts';
import type { Field } from './field.ts';

/** What a form is for, and what is done with a change. */
export interface FieldListParts<Subject> {
  /** The fields as they are now, of the thing with that name: the page may be drawn later. */
  readonly fieldsOf: (name: string) => readonly Field<Subject>[];
  /** Takes what was changed by a field. */
  readonly take: (changed: Subject, field: Field<Subject>) => void;
  /** A field is left. */
  readonly settle: () => void;
}

type Input = HTMLInputElement | HTMLSelectElement;

interface DrawnField<Subject> {
  readonly element: HTMLElement;
  readonly input: Input;
  field: Field<Subject>;
}

/** Fields with the same shape can be shown by the same elements. */
function shapeOf<Subject>(fields: readonly Field<Subject>[]): string {
  return JSON.stringify(
    fields.map(({ kind, words, unit, options }) => [kind, words, unit, options]),
  );
}

function inputOf<Subject>({ kind, options, most, step }: Field<Subject>): Input {
  if (kind === 'choice') {
    const choices = options.map(([value, words]) => element('option', { value }, words));
    return element('select', { class: 'field' }, ...choices);
  }
  if (kind === 'flag') return element('input', { type: 'checkbox' });
  if (kind === 'number')
    return element('input', { type: 'number', class: 'field', step: `${step}` });
  return element('input', { type: 'text', class: 'field', maxlength: `${most}` });
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
  /** Shows the fields of the thing with that name; says how many there are. */
  show(name: string): number;
}

/** A list of fields. */
export function createFieldList<Subject>(parts: FieldListParts<Subject>): FieldList {
  const { fieldsOf, take, settle } = parts;
  const box = element('div', { class: 'form-fields' });
  let drawn: readonly DrawnField<Subject>[] = [];
  let shape = '';
  let shown = '';

  function draw(field: Field<Subject>): DrawnField<Subject> {
    const input = inputOf(field);
    const words = element('span', {}, field.words);
    const unit = field.unit ? [element('span', { class: 'unit' }, field.unit)] : [];
    const row = element('label', { class: `form-row form-${field.kind}` }, words, input, ...unit);
    const made = { element: row, input, field };
    input.addEventListener('input', () => {
      const now = fieldsOf(shown).find(({ words }) => words === made.field.words);
      const changed = now?.set(textOf(input)) ?? null;
      setAttribute(input, 'aria-invalid', changed === null ? 'true' : undefined);
      if (now && changed !== null) take(changed, now);
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
        // A choice that changes the form keeps the focus on what takes its place.
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
