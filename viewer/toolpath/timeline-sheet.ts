/** What timeline and plots draw on. Apart from both so that neither imports the other's drawing. */
import type { Axis } from './timeline-axis.ts';

export const FONT = '11px "Inter Variable", Inter, system-ui, sans-serif';

/** A canvas to draw on, its size, its axis and the page's colours. */
export interface Sheet {
  readonly context: CanvasRenderingContext2D;
  readonly axis: Axis;
  readonly height_px: number;
  readonly colour: (token: string) => string;
}
