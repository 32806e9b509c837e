/** The axis of the timelines, of a path and of the live run. Times in s, positions in px. Pure. */

const SHORTEST_S = 0.2;

/** What of the time is drawn, and where: between two margins of something so wide. */
export interface TimeAxis {
  readonly from_s: number;
  readonly to_s: number;
  readonly width_px: number;
  readonly left_px: number;
  readonly right_px: number;
}

const innerOf = ({ width_px, left_px, right_px }: TimeAxis) =>
  Math.max(width_px - left_px - right_px, 1);

/** Position of a time on the canvas (px). */
export function xOf(axis: TimeAxis, time_s: number): number {
  const { from_s, to_s, left_px } = axis;
  return left_px + ((time_s - from_s) / Math.max(to_s - from_s, 1e-9)) * innerOf(axis);
}

/** Time at a position on the canvas (s). */
export function timeAtX(axis: TimeAxis, x_px: number): number {
  const { from_s, to_s, left_px } = axis;
  return from_s + ((x_px - left_px) / innerOf(axis)) * (to_s - from_s);
}

/** A zoom about a time (s), by a factor (below 1 zooms in), within a duration (s). */
export interface Zoom {
  readonly about_s: number;
  readonly factor: number;
  readonly whole_s: number;
}

/** The zoomed axis, clamped to the path. */
export function zoomAxis(axis: TimeAxis, { about_s, factor, whole_s }: Zoom): TimeAxis {
  const span_s = axis.to_s - axis.from_s;
  const wanted_s = Math.min(Math.max(span_s * factor, Math.min(SHORTEST_S, whole_s)), whole_s);
  const share = (about_s - axis.from_s) / Math.max(span_s, 1e-9);
  const from_s = Math.min(Math.max(about_s - share * wanted_s, 0), whole_s - wanted_s);
  return { ...axis, from_s, to_s: from_s + wanted_s };
}

/** Round times for the ruler, at least `gap_px` apart. */
export function ticksOf(axis: TimeAxis, gap_px = 90): readonly number[] {
  const span_s = axis.to_s - axis.from_s;
  const least_s = (span_s * gap_px) / innerOf(axis);
  const power = 10 ** Math.floor(Math.log10(Math.max(least_s, 1e-6)));
  const step_s = power * ([1, 2, 5].find((one) => one * power >= least_s) ?? 10);
  const first = Math.ceil(axis.from_s / step_s - 1e-9);
  const count = Math.floor((axis.to_s - first * step_s) / step_s + 1e-9) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, i) => (first + i) * step_s);
}
