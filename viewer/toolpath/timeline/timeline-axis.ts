/**
 * The time axis that steps and plots share, and the canvas they draw on. Times in s, positions in
 * px.
 */

export const FONT = '11px "Inter Variable", Inter, system-ui, sans-serif';

/** A canvas to draw on, its size, its axis and the page's colours. */
export interface PlotSurface {
  readonly context: CanvasRenderingContext2D;
  readonly axis: TimeAxis;
  readonly height_px: number;
  readonly colour: (token: string) => string;
}

/** Width left of the axis for the row names. */
export const GUTTER_PX = 116;
export const RIGHT_PX = 40;
const SHORTEST_S = 0.2;

export interface TimeAxis {
  readonly from_s: number;
  readonly to_s: number;
  readonly width_px: number;
}

/** Position of a time on the canvas (px). */
export function xOf({ from_s, to_s, width_px }: TimeAxis, time_s: number): number {
  const inner = width_px - GUTTER_PX - RIGHT_PX;
  return GUTTER_PX + ((time_s - from_s) / Math.max(to_s - from_s, 1e-9)) * inner;
}

/** Time at a position on the canvas (s). */
export function timeAtX({ from_s, to_s, width_px }: TimeAxis, x_px: number): number {
  const inner = Math.max(width_px - GUTTER_PX - RIGHT_PX, 1);
  return from_s + ((x_px - GUTTER_PX) / inner) * (to_s - from_s);
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
  const inner = axis.width_px - GUTTER_PX - RIGHT_PX;
  const least_s = (span_s * gap_px) / Math.max(inner, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(least_s, 1e-6)));
  const step_s = power * ([1, 2, 5].find((one) => one * power >= least_s) ?? 10);
  const first = Math.ceil(axis.from_s / step_s - 1e-9);
  const count = Math.floor((axis.to_s - first * step_s) / step_s + 1e-9) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, i) => (first + i) * step_s);
}

/** Minutes, seconds and hundredths: 0:04.24. */
export function cursorText(time_s: number): string {
  const hundredths = Math.round(time_s * 100);
  const seconds = Math.floor(hundredths / 100);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
}

/** Position of a pointer within an element (px). */
export function offsetOf(event: MouseEvent, element: Element): readonly [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}
