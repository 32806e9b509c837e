/**
 * Form fields as data (label, value, and the changed subject when set), and as page elements. Forms
 * are drawn from lists of fields, so a new field is a row. A form keeps its elements while it has
 * the same fields, so that typing continues when the toolpath is rebuilt.
 */
import { element, setAttribute } from '../panels/element.ts';
import { numberElement, typedNumber } from '../panels/number-input.ts';

export type FieldKind = 'number' | 'choice' | 'text' | 'flag';

export interface FormField<Subject> {
  readonly kind: FieldKind;
  readonly label: string;
  readonly unit: string;
  /** Displayed value; 'true' or 'false' for a flag. */
  readonly value: string;
  /** For numbers: step of the arrow keys. */
  readonly step: number;
  /** For texts: maximum length. */
  readonly maxLength: number;
  /** For choices: values and their labels. */
  readonly options: readonly (readonly [value: string, label: string])[];
  /** Returns the subject with the field set, or null if the text is invalid. */
  set(text: string): Subject | null;
}

const PLAIN = { unit: '', step: 1, maxLength: 0, options: [] };

/** Format and bounds of a number field. */
export interface NumberRow {
  readonly label: string;
  readonly unit?: string;
  /** Displayed units per stored unit: 1000 for mm displayed and m stored. */
  readonly factor?: number;
  readonly step?: number;
  /** Bounds in displayed units. */
  readonly min?: number;
  readonly max?: number;
  readonly whole?: boolean;
}

/** Rounds to 12 digits: 0.1 m is 100 mm. */
function withoutRoundingNoise(value: number): number {
  return Number(value.toPrecision(12));
}

/** A number field. */
export function numberFormField<Subject>(
  row: NumberRow,
  value: number,
  set: (value: number) => Subject,
): FormField<Subject> {
  const { label, unit = '', factor = 1, step = 1 } = row;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, whole } = row;
  return {
    ...PLAIN,
    kind: 'number',
    label,
    unit,
    step,
    value: String(withoutRoundingNoise(value * factor)),
    set(text) {
      const typed = typedNumber(text);
      if (typed === null || typed < min || typed > max) return null;
      return whole && !Number.isInteger(typed) ? null : set(withoutRoundingNoise(typed / factor));
    },
  };
}

/** A field with a choice of values. */
export function choiceFormField<Subject>(
  { label, options }: Pick<FormField<Subject>, 'label' | 'options'>,
  value: string,
  set: (value: string) => Subject,
): FormField<Subject> {
  const known = (text: string) => options.some(([option]) => option === text);
  return {
    ...PLAIN,
    kind: 'choice',
    label,
    options,
    value,
    set: (text) => (known(text) ? set(text) : null),
  };
}

/** A field with one line of text. */
export function textFormField<Subject>(
  { label, maxLength }: Pick<FormField<Subject>, 'label' | 'maxLength'>,
  value: string,
  set: (value: string) => Subject | null,
): FormField<Subject> {
  return {
    ...PLAIN,
    kind: 'text',
    label,
    maxLength,
    value,
    set: (text) => set(text.slice(0, maxLength)),
  };
}

/** A field that is on or off. */
export function flagFormField<Subject>(
  label: string,
  value: boolean,
  set: (value: boolean) => Subject,
): FormField<Subject> {
  return {
    ...PLAIN,
    kind: 'flag',
    label,
    value: String(value),
    set: (text) => set(text === 'true'),
  };
}

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
    const row = element('label', { class: `form-row form-${field.kind}` }, label, input, ...unit);
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
