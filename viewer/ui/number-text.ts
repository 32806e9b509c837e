/** What a number field shows for a value, and the value that a text means. Pure. */
import { typedNumber } from './number-input.ts';

/** How a field shows a value: in units of its own, with so many decimals at most. */
export interface NumberScale {
  /** Shown units per unit of the value: 1000 for a field in mm of a value in metres. */
  readonly scale?: number;
  readonly digits?: number;
}

/** A value that went through its shown unit and back differs from it by less than this share. */
const SAME = 1e-9;

/** The value that a text means, in units of the value; undefined for none. */
export function typedValue(text: string, { scale = 1 }: NumberScale): number | undefined {
  const typed = typedNumber(text);
  return typed === null ? undefined : typed / scale;
}

/**
 * The text of a field whose value is `value`: as it was typed while that means the value, be it
 * `2,50` or no number at all for none, and empty, be it cleared to type another; null where nothing
 * was typed.
 */
export function numberText(
  typed: string | null,
  value: number | undefined,
  shown: NumberScale = {},
): string {
  if (typed?.trim() === '') return typed;
  if (typed !== null) {
    const meant = typedValue(typed, shown);
    if (meant === value) return typed;
    const difference = Math.abs((meant ?? Number.NaN) - (value ?? Number.NaN));
    if (difference <= SAME * Math.abs(value!)) return typed;
  }
  if (value === undefined) return '';
  const { scale = 1, digits = 12 } = shown;
  return String(Number((value * scale).toFixed(digits)));
}
