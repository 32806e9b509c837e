export const MM_PER_M = 1000;

/** A length (m) as a text in mm, with one decimal unless told otherwise. */
export function millimetres(length_m: number, decimals = 1): string {
  return `${(length_m * MM_PER_M).toFixed(decimals)} mm`;
}
