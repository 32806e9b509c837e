/** The canvas that steps and plots of a path share. */

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
