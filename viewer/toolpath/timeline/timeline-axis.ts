/** The canvas that steps and plots of a path share. */

import type { PlotSheet } from '../../ui/plot.ts';

/** The sheet of the whole timeline. */
export interface TimelineSurface extends PlotSheet {
  readonly height_px: number;
}

/** Beside the axis are the names of the rows, and of the lines. */
export const GUTTER_PX = 116;
export const RIGHT_PX = 40;
