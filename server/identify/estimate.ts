/**
 * A value with its confidence interval of 95 %; null: not identifiable, with the reason. `used` is
 * then a value that agrees with the data, such as the most that was seen.
 */
export type Estimate =
  | { readonly value: number; readonly low: number; readonly high: number }
  | { readonly value: null; readonly reason: string; readonly used?: number };

/** The value of an estimate, or one that agrees with the data; null for none. */
export function usedValue(estimate: Estimate | undefined): number | null {
  if (!estimate) return null;
  return estimate.value ?? ('used' in estimate ? (estimate.used ?? null) : null);
}
