/** Form fields as data: label, value, and the changed subject when set. Pure. */
import { typedNumber } from './number-input.ts';

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
