/** The time axis that steps and plots share: what part of the way is in sight, and where. Pure. */

/** Left of the axis stand the names of the rows. */
export const GUTTER_PX = 116;
export const RIGHT_PX = 40;
const SHORTEST_S = 0.2;

export interface Axis {
  readonly from_s: number;
  readonly to_s: number;
  readonly width_px: number;
}

/** Where a time of the way (s) stands on the sheet (px). */
export function xOf({ from_s, to_s, width_px }: Axis, time_s: number): number {
  const inner = width_px - GUTTER_PX - RIGHT_PX;
  return GUTTER_PX + ((time_s - from_s) / Math.max(to_s - from_s, 1e-9)) * inner;
}

/** The time of the way (s) at a place of the sheet (px). */
export function timeAt({ from_s, to_s, width_px }: Axis, x_px: number): number {
  const inner = Math.max(width_px - GUTTER_PX - RIGHT_PX, 1);
  return from_s + ((x_px - GUTTER_PX) / inner) * (to_s - from_s);
}

/** How to zoom: about which time (s), by what (below 1 shows less), within how long a way (s). */
export interface Zoom {
  readonly about_s: number;
  readonly factor: number;
  readonly whole_s: number;
}

/** The axis zoomed; stays within the way. */
export function zoomed(axis: Axis, { about_s, factor, whole_s }: Zoom): Axis {
  const span_s = axis.to_s - axis.from_s;
  const wanted_s = Math.min(Math.max(span_s * factor, Math.min(SHORTEST_S, whole_s)), whole_s);
  const share = (about_s - axis.from_s) / Math.max(span_s, 1e-9);
  const from_s = Math.min(Math.max(about_s - share * wanted_s, 0), whole_s - wanted_s);
  return { ...axis, from_s, to_s: from_s + wanted_s };
}

/** Round times for the ruler, at least `gap_px` apart. */
export function ticksOf(axis: Axis, gap_px = 90): readonly number[] {
  const span_s = axis.to_s - axis.from_s;
  const inner = axis.width_px - GUTTER_PX - RIGHT_PX;
  const least_s = (span_s * gap_px) / Math.max(inner, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(least_s, 1e-6)));
  const step_s = power * ([1, 2, 5].find((one) => one * power >= least_s) ?? 10);
  const first = Math.ceil(axis.from_s / step_s - 1e-9);
  const count = Math.floor((axis.to_s - first * step_s) / step_s + 1e-9) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, i) => (first + i) * step_s);
}

/** Minutes, seconds and hundredths, as in 0:04.24. */
export function cursorText(time_s: number): string {
  const hundredths = Math.round(time_s * 100);
  const seconds = Math.floor(hundredths / 100);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
}
