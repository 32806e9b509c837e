/**
 * A field of a form as data: what it is called, what it shows and what the subject becomes when it
 * is set. Forms are drawn from lists of these, so a new field is a row. Pure.
 */

export type FieldKind = 'number' | 'choice' | 'text' | 'flag';

export interface Field<Subject> {
  readonly kind: FieldKind;
  readonly words: string;
  readonly unit: string;
  /** What it shows; of a flag 'true' or 'false'. */
  readonly value: string;
  /** Of a number: what one press of an arrow key adds. */
  readonly step: number;
  /** Of a text: how long it may be. */
  readonly most: number;
  /** Of a choice: values and their words. */
  readonly options: readonly (readonly [value: string, words: string])[];
  /** The subject with the field set, or null where the text does not fit. */
  set(text: string): Subject | null;
}

const PLAIN = { unit: '', step: 1, most: 0, options: [] };

/** A number as typed, with a true minus or a comma too; null where it is none. */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace('\u2212', '-').replace(',', '.');
  const value = plain === '' ? Number.NaN : Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** What a number is shown as and kept in bounds by. */
export interface NumberRow {
  readonly words: string;
  readonly unit?: string;
  /** Shown units in one kept unit: 1000 for mm shown and m kept. */
  readonly factor?: number;
  readonly step?: number;
  /** Bounds as shown. */
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
}

/** A number without the noise of conversion: 0.1 m is 100 mm. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** A field with a number. */
export function numberField<Subject>(
  row: NumberRow,
  value: number,
  set: (value: number) => Subject,
): Field<Subject> {
  const { words, unit = '', factor = 1, step = 1 } = row;
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, whole } = row;
  return {
    ...PLAIN,
    kind: 'number',
    words,
    unit,
    step,
    value: String(tidy(value * factor)),
    set(text) {
      const typed = typedNumber(text);
      if (typed === null || typed < least || typed > most) return null;
      return whole && !Number.isInteger(typed) ? null : set(tidy(typed / factor));
    },
  };
}

/** A field with a choice among a few values. */
export function choiceField<Subject>(
  { words, options }: Pick<Field<Subject>, 'words' | 'options'>,
  value: string,
  set: (value: string) => Subject,
): Field<Subject> {
  const known = (text: string) => options.some(([option]) => option === text);
  return {
    ...PLAIN,
    kind: 'choice',
    words,
    options,
    value,
    set: (text) => (known(text) ? set(text) : null),
  };
}

/** A field with a line of text. */
export function textField<Subject>(
  { words, most }: Pick<Field<Subject>, 'words' | 'most'>,
  value: string,
  set: (value: string) => Subject | null,
): Field<Subject> {
  return { ...PLAIN, kind: 'text', words, most, value, set: (text) => set(text.slice(0, most)) };
}

/** A field that is on or off. */
export function flagField<Subject>(
  words: string,
  value: boolean,
  set: (value: boolean) => Subject,
): Field<Subject> {
  return {
    ...PLAIN,
    kind: 'flag',
    words,
    value: String(value),
    set: (text) => set(text === 'true'),
  };
}
