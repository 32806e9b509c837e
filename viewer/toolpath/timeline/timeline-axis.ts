/** The canvas that steps and plots of a path share, and how its times are written. */

import type { TimeAxis } from '../../ui/time-axis.ts';

export const FONT = '11px "Inter Variable", Inter, system-ui, sans-serif';

/** A canvas to draw on, its size, its axis and the page's colours. */
export interface PlotSurface {
  readonly context: CanvasRenderingContext2D;
  readonly axis: TimeAxis;
  readonly height_px: number;
  readonly colour: (token: string) => string;
}

/** Beside the axis are the names of the rows, and of the lines. */
export const GUTTER_PX = 116;
export const RIGHT_PX = 40;
/** Minutes, seconds and hundredths: 0:04.24. */
export function cursorText(time_s: number): string {
  const hundredths = Math.round(time_s * 100);
  const seconds = Math.floor(hundredths / 100);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
}
