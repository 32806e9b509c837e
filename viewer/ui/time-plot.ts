/** A plot of six joint values over a sliding time window, on a canvas of its own. */

import { createTokens } from './css-tokens.ts';
import { hatch } from './hatch.ts';
import type { JointSeries } from './joint-series.ts';
import {
  drawLines,
  drawScale,
  JOINT_LINES,
  PLOT_FONT,
  type PlotScale,
  type PlotSheet,
  type PlotValues,
} from './plot.ts';
import { type TimeAxis, xOf } from './time-axis.ts';

interface TimePlotOptions {
  readonly series: JointSeries;
  readonly scale: PlotScale;
  /** How much of the series is seen at a time (ms). */
  readonly window_ms: number;
  /** The unit of the time axis. */
  readonly unit: TimeUnit;
}

/** A unit of a time axis. */
interface TimeUnit {
  readonly name: string;
  readonly ms: number;
  readonly digits: number;
}
export const SECONDS: TimeUnit = { name: 's', ms: 1000, digits: 0 };
export const MINUTES: TimeUnit = { name: 'min', ms: 60_000, digits: 1 };

/** What of its series a plot shows. */
export interface PlotView {
  /** Time at its right edge, and how much earlier than now that is (ms). */
  readonly end_ms: number;
  readonly behind_ms: number;
  /** The time that is looked at; null while that is now. */
  readonly cursor_ms: number | null;
  readonly faded: boolean;
}

/** The processor draws a plot in a millisecond; software graphics take many, and hold up the scene. */
const BY_PROCESSOR: CanvasRenderingContext2DSettings = { willReadFrequently: true };
/** Parts of the time axis between its labels. */
const AXIS_PARTS = 4;
const LEFT_PX = 36;
const RIGHT_PX = 34;
const TOP_PX = 6;
const BOTTOM_PX = 20;

/** Labels of the time axis, from its start to its end: "−8 s" to "now". */
function timeLabels({ window_ms, unit, series }: TimePlotOptions, view: PlotView): string[] {
  const { behind_ms, faded } = view;
  // Between whole steps of a window that was moved back there are parts of the unit.
  const digits = behind_ms > 0 ? 1 : unit.digits;
  const now = faded && series.length() > 0 ? 'last data' : 'now';
  return Array.from({ length: AXIS_PARTS + 1 }, (_, i) => {
    const ago = (behind_ms + window_ms * (1 - i / AXIS_PARTS)) / unit.ms;
    return ago === 0 ? now : `−${ago.toFixed(digits)} ${unit.name}`;
  });
}

/** A series as the values of a plot. */
function valuesOf(series: JointSeries): PlotValues {
  return {
    count: series.length(),
    time_s: (i) => series.time_ms(i) / 1000,
    value: series.value,
  };
}

/** A plot over time; its canvas follows the size given by the style sheet. */
export class TimePlot {
  readonly canvas = document.createElement('canvas');
  private readonly options: TimePlotOptions;
  private readonly token = createTokens(this.canvas);
  /** It is drawn beside the page, where a font needs no styles of the page. */
  private readonly picture = document.createElement('canvas');
  private size = { width: 0, height: 0, ratio: 1 };
  /** What is drawn, in words. */
  private drawn = '';
  private redraw = (): void => undefined;

  constructor(options: TimePlotOptions) {
    this.options = options;
    this.canvas.className = 'plot-canvas';
    this.canvas.setAttribute('role', 'img');
    // Reading the size while drawing would lay out the page each time.
    new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      this.size = { width, height, ratio: Math.min(devicePixelRatio, 2) };
      for (const canvas of [this.canvas, this.picture]) {
        canvas.width = Math.round(width * this.size.ratio);
        canvas.height = Math.round(height * this.size.ratio);
      }
      this.drawn = '';
      this.redraw();
    }).observe(this.canvas);
  }

  /** Time of a pixel of the screen (ms). */
  private get pixel_ms(): number {
    const { width, ratio } = this.size;
    return this.options.window_ms / ((width - LEFT_PX - RIGHT_PX) * ratio);
  }

  /** Its axis with a time at the right edge (ms). */
  axis(end_ms: number): TimeAxis {
    const [from_s, to_s] = [end_ms - this.options.window_ms, end_ms].map((at_ms) => at_ms / 1000);
    const margins = { left_px: LEFT_PX, right_px: RIGHT_PX };
    return { from_s: from_s!, to_s: to_s!, width_px: this.size.width, ...margins };
  }

  /** Draws what a view shows, unless the picture would be the one before. */
  draw(view: PlotView): void {
    this.redraw = () => this.draw(view);
    const { width, height, ratio } = this.size;
    const context = this.picture.getContext('2d', BY_PROCESSOR);
    const shown = this.canvas.getContext('2d', BY_PROCESSOR);
    if (!context || !shown || width <= LEFT_PX + RIGHT_PX) return;
    const { series } = this.options;
    // It moves by whole pixels: between them the lines would tremble.
    const end_px = Math.round(view.end_ms / this.pixel_ms);
    const newest_ms = series.length() > 0 ? series.time_ms(series.length() - 1) : 0;
    const { theme = '' } = document.documentElement.dataset;
    const labels = timeLabels(this.options, view);
    const wanted = [end_px, newest_ms, view.cursor_ms, view.faded, theme, ...labels].join();
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    const fading = (name: string) => (/^j\d$|^fault$/.test(name) ? 'line2' : name);
    const colour = (name: string) => this.token(view.faded ? fading(name) : name);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const sheet = { context, axis: this.axis(end_px * this.pixel_ms), colour };
    this.drawTimes(sheet, labels);
    this.drawValues(sheet);
    if (view.cursor_ms !== null) this.drawCursor(sheet, view.cursor_ms / 1000);
    shown.clearRect(0, 0, this.canvas.width, this.canvas.height);
    shown.drawImage(this.picture, 0, 0);
  }

  private drawTimes({ context, colour }: PlotSheet, labels: readonly string[]): void {
    const { width, height } = this.size;
    context.font = PLOT_FONT;
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.fillStyle = colour('text3');
    for (const [i, label] of labels.entries()) {
      const at = LEFT_PX + (i / AXIS_PARTS) * (width - LEFT_PX - RIGHT_PX);
      context.fillText(label, at, height - 5);
    }
  }

  private drawValues(sheet: PlotSheet): void {
    const { context, axis, colour } = sheet;
    const area = { top: TOP_PX, bottom: this.size.height - BOTTOM_PX };
    const y = drawScale(sheet, this.options.scale, area);
    const values = valuesOf(this.options.series);
    drawLines(sheet, JOINT_LINES, { values, y, area });
    context.strokeStyle = colour('line2');
    for (let i = 0; i + 1 < values.count; i++) {
      if (!Number.isNaN(values.value(i, 0)) || values.time_s(i + 1) < axis.from_s) continue;
      const left = Math.max(xOf(axis, values.time_s(i)), axis.left_px);
      const right = Math.min(xOf(axis, values.time_s(i + 1)), axis.width_px - axis.right_px);
      if (left < right) hatch(context, { ...area, left, right });
    }
  }

  /** The time that is looked at, as a line. */
  private drawCursor({ context, axis, colour }: PlotSheet, at_s: number): void {
    if (at_s < axis.from_s || at_s > axis.to_s) return;
    const x = Math.round(xOf(axis, at_s)) + 0.5;
    context.strokeStyle = context.fillStyle = colour('accent');
    context.beginPath();
    context.moveTo(x, TOP_PX);
    context.lineTo(x, this.size.height - BOTTOM_PX);
    context.stroke();
    context.beginPath();
    context.arc(x, TOP_PX + 2, 4, 0, 2 * Math.PI);
    context.fill();
  }
}
