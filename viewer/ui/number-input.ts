/**
 * Fields for numbers. They are text fields: a number field of the browser drops a decimal comma
 * where its language has a point, and 12,5 would be 125.
 */

/** A number as people write it: a point or a comma, a sign, and a power of ten. */
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** It may have a comma between thousands or before decimals. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/**
 * Parses a number as typed, also with U+2212 or a decimal comma; null if it is not a number, or if
 * it may be two: 1,234.
 */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace('\u2212', '-');
  if (!NUMBER.test(plain) || AMBIGUOUS.test(plain)) return null;
  const value = Number(plain.replace(',', '.'));
  return Number.isFinite(value) ? value : null;
}

export interface NumberBounds {
  /** Step of the arrow keys; 1 if it is not given. */
  readonly step?: number;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly whole?: boolean;
}

/** What is wrong with the text of a number field; empty for nothing. */
export function numberProblem(text: string, { min, max, whole }: NumberBounds = {}): string {
  if (text.trim() === '') return '';
  const value = typedNumber(text);
  if (value === null) return 'Enter a number, such as 12.5';
  if (whole && !Number.isInteger(value)) return 'Enter a whole number';
  if (min !== undefined && value < min) return `Enter ${min} or more`;
  if (max !== undefined && value > max) return `Enter ${max} or less`;
  return '';
}

/** The keys of a phone for a number: those for decimals may lack a sign. */
export function numberKeys({ min }: NumberBounds): 'decimal' | undefined {
  return min !== undefined && min >= 0 ? 'decimal' : undefined;
}

/** The value an arrow key leads to; null where the text is no number. */
export function steppedNumber(text: string, steps: number, bounds: NumberBounds): number | null {
  const value = typedNumber(text);
  if (value === null) return null;
  const { step = 1, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = bounds;
  const next = Number((value + steps * step).toPrecision(12));
  return Math.min(max, Math.max(min, next));
}

/** Steps a number field by the arrow keys, as a number field of the browser does. */
export function stepByArrow(event: KeyboardEvent, bounds: NumberBounds): void {
  const input = event.currentTarget as HTMLInputElement;
  const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  const next = steps === undefined ? null : steppedNumber(input.value, steps, bounds);
  if (next === null || input.readOnly) return;
  event.preventDefault();
  // After the other handlers of the key.
  setTimeout(() => {
    input.value = String(next);
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
  });
}
