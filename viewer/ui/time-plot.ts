/**
 * A plot of six joint values over a sliding time window on a canvas: fixed value range, and labels
 * at the ends of the lines.
 */

import { createTokens } from './css-tokens.ts';
import { hatch } from './hatch.ts';
import type { JointSeries } from './joint-series.ts';
import { spreadLabels } from './spread-labels.ts';
import { type TimeAxis, xOf } from './time-axis.ts';

/** The fixed value range of a plot. */
export interface PlotRange {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** Dashed lines; `limitText` labels the upper one. */
  readonly limits: readonly number[];
  readonly limitText: string;
}

interface TimePlotOptions {
  readonly series: JointSeries;
  readonly range: PlotRange;
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

/** Parts of the time axis between its labels. */
const AXIS_PARTS = 4;

/** Labels of the time axis, from its start to its end: "−8 s" to "now". */
function timeLabels({ window_ms, unit }: TimePlotOptions, behind_ms: number): string[] {
  // Between whole steps of a window that was moved back there are parts of the unit.
  const digits = behind_ms > 0 ? 1 : unit.digits;
  return Array.from({ length: AXIS_PARTS + 1 }, (_, i) => {
    const ago = (behind_ms + window_ms * (1 - i / AXIS_PARTS)) / unit.ms;
    return ago === 0 ? 'now' : `−${ago.toFixed(digits)} ${unit.name}`;
  });
}

const PAD = { left: 36, right: 34, top: 6, bottom: 20 } as const;
const LABEL_GAP = 12;
const FONT = '11px "Inter Variable", Inter, system-ui, sans-serif';
const JOINT_INDICES = [0, 1, 2, 3, 4, 5] as const;

interface Frame {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly colour: (token: string) => string;
  readonly y: (value: number) => number;
}

function drawGrid(frame: Frame, range: PlotRange, times: readonly string[]): void {
  const { context, width, height, colour, y } = frame;
  context.lineWidth = 1;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const tick of range.ticks) {
    const at = Math.round(y(tick)) + 0.5;
    context.strokeStyle = colour(tick === 0 ? 'line2' : 'line');
    context.beginPath();
    context.moveTo(PAD.left, at);
    context.lineTo(width - PAD.right, at);
    context.stroke();
    context.fillStyle = colour('text3');
    context.fillText(String(tick).replace('-', '−'), PAD.left - 6, at);
  }
  context.textBaseline = 'alphabetic';
  times.forEach((label, i) => {
    const share = i / (times.length - 1);
    context.textAlign = 'center';
    context.fillStyle = colour('text3');
    const at = PAD.left + share * (width - PAD.left - PAD.right);
    context.fillText(label, at, height - 5);
  });
}

function drawLimits(frame: Frame, range: PlotRange): void {
  const { context, width, colour, y } = frame;
  context.strokeStyle = context.fillStyle = colour('fault');
  context.setLineDash([5, 4]);
  for (const limit of range.limits) {
    const at = Math.round(y(limit)) + 0.5;
    context.beginPath();
    context.moveTo(PAD.left, at);
    context.lineTo(width - PAD.right, at);
    context.stroke();
  }
  context.setLineDash([]);
  if (!range.limitText) return;
  context.textAlign = 'right';
  const [right, base] = [width - PAD.right - 4, y(Math.max(...range.limits)) + 12];
  // On the background: a line of the grid may cross the text.
  const wide = context.measureText(range.limitText).width + 4;
  context.fillStyle = colour('panel');
  context.fillRect(right + 2 - wide, base - 9, wide, 11);
  context.fillStyle = colour('fault');
  context.fillText(range.limitText, right, base);
}

/** Size of a canvas and how it is drawn now. */
interface Sheet {
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  /** What else the picture depends on: colours. */
  readonly look: string;
}

/** A font is set here alone: for a canvas of the page, that has its styles computed. */
function sizeCanvas(canvas: HTMLCanvasElement, { width, height, ratio }: Sheet, font = FONT): void {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = font;
}

/** Puts a canvas on another, pixel by pixel. */
function drawPixels(
  context: CanvasRenderingContext2D,
  canvas: HTMLCanvasElement,
  left_px: number,
): void {
  context.save();
  context.resetTransform();
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, left_px, 0);
  context.restore();
}

const NO_SHEET: Sheet = { width: 0, height: 0, ratio: 1, look: '' };

function isSameSheet(one: Sheet, other: Sheet): boolean {
  const isSame = one.width === other.width && one.height === other.height;
  return isSame && one.ratio === other.ratio && one.look === other.look;
}

/** What the lines of a plot are drawn from. */
interface Lines {
  readonly series: JointSeries;
  readonly window_ms: number;
  readonly colours: readonly string[];
  /** Of the hatch where nothing is known. */
  readonly unknown: string;
  readonly y: (value: number) => number;
}

/** The newest point lies up to half a pixel behind the edge: what is drawn there is not cut. */
const SPARE_PX = 2;

/** The lines on a canvas as wide as the time window; it moves by whole pixels. */
class LineStrip {
  readonly canvas = document.createElement('canvas');
  private readonly context = this.canvas.getContext('2d');
  private sheet = NO_SHEET;
  /** Time at the right edge, and of the newest point that is drawn. */
  private edge_ms = 0;
  private newest_ms = Number.NEGATIVE_INFINITY;

  /** Moves the lines so that `end_ms` is at the right edge, and draws the points since then. */
  advance(end_ms: number, given: Sheet, lines: Lines): void {
    const { context, canvas } = this;
    if (!context) return;
    const sheet = { ...given, width: given.width + SPARE_PX };
    const pixel_ms = lines.window_ms / (given.width * given.ratio);
    const moved = Math.round((end_ms - this.edge_ms) / pixel_ms);
    if (!isSameSheet(this.sheet, sheet) || moved < 0 || moved >= canvas.width) {
      this.sheet = sheet;
      sizeCanvas(canvas, sheet);
      this.edge_ms = end_ms;
      this.newest_ms = Number.NEGATIVE_INFINITY;
    } else if (moved > 0) {
      context.globalCompositeOperation = 'copy';
      drawPixels(context, canvas, -moved);
      context.globalCompositeOperation = 'source-over';
      this.edge_ms += moved * pixel_ms;
    }
    this.drawNewer(context, given, lines);
  }

  private drawNewer(context: CanvasRenderingContext2D, { width, height }: Sheet, lines: Lines) {
    const { series, window_ms, colours, unknown, y } = lines;
    let to = series.length();
    while (to > 0 && series.time_ms(to - 1) > this.edge_ms + window_ms / width) to--;
    const drawn_ms = Math.max(this.newest_ms, this.edge_ms - window_ms);
    let from = to;
    while (from > 0 && series.time_ms(from - 1) > drawn_ms) from--;
    if (from === to) return;
    const x = (i: number) => (1 - (this.edge_ms - series.time_ms(i)) / window_ms) * width;
    context.lineWidth = 1.5;
    context.lineCap = context.lineJoin = 'round';
    // From the last point that is drawn.
    const first = Math.max(from - 1, 0);
    for (const joint of JOINT_INDICES) {
      context.strokeStyle = colours[joint]!;
      context.beginPath();
      let isKnown = false;
      for (let i = first; i < to; i++) {
        const value = series.value(i, joint);
        if (isKnown) context.lineTo(x(i), y(value));
        else context.moveTo(x(i), y(value));
        isKnown = !Number.isNaN(value);
      }
      context.stroke();
    }
    context.strokeStyle = unknown;
    for (let i = first; i + 1 < to; i++) {
      if (!Number.isNaN(series.value(i, 0))) continue;
      hatch(context, { left: x(i), right: x(i + 1), top: 0, bottom: height });
    }
    this.newest_ms = series.time_ms(to - 1);
  }
}

function drawLabels(frame: Frame, series: JointSeries): void {
  const { context, width, height, colour, y } = frame;
  let last = series.length() - 1;
  while (last >= 0 && Number.isNaN(series.value(last, 0))) last--;
  if (last < 0) return;
  const wanted = JOINT_INDICES.map((joint) => y(series.value(last, joint)));
  const placed = spreadLabels(wanted, {
    gap: LABEL_GAP,
    low: PAD.top + 6,
    high: height - PAD.bottom - 2,
  });
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  for (const joint of JOINT_INDICES) {
    context.fillStyle = colour(`j${joint + 1}`);
    context.fillText(`J${joint + 1}`, width - PAD.right + 7, placed[joint]!);
  }
}

/** A plot over time; its canvas follows the size given by the style sheet. */
export class TimePlot {
  readonly canvas = document.createElement('canvas');
  private readonly options: TimePlotOptions;
  private readonly context = this.canvas.getContext('2d');
  private readonly token = createTokens(this.canvas);
  private readonly strip = new LineStrip();
  private readonly backdrop = document.createElement('canvas');
  private backdropSheet = NO_SHEET;
  private sheet = NO_SHEET;
  private drawn: Omit<PlotView, 'faded'> & { readonly newest_ms: number } = {
    ...{ end_ms: Number.NaN, behind_ms: 0, cursor_ms: null, newest_ms: 0 },
  };
  private redraw = (): void => undefined;

  constructor(options: TimePlotOptions) {
    this.options = options;
    this.canvas.className = 'plot-canvas';
    this.canvas.setAttribute('role', 'img');
    // Reading the size while drawing would lay out the page each time.
    new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      this.sheet = { width, height, ratio: Math.min(devicePixelRatio, 2), look: '' };
      sizeCanvas(this.canvas, this.sheet, `600 ${FONT}`);
      this.redraw();
    }).observe(this.canvas);
  }

  /** Its axis with a time at the right edge (ms). */
  axis(end_ms: number): TimeAxis {
    const [from_s, to_s] = [end_ms - this.options.window_ms, end_ms].map((at_ms) => at_ms / 1000);
    const margins = { left_px: PAD.left, right_px: PAD.right };
    return { from_s: from_s!, to_s: to_s!, width_px: this.sheet.width, ...margins };
  }

  /** Draws what a view shows, unless the picture would be the one before. */
  draw(view: PlotView): void {
    this.redraw = () => this.draw(view);
    const { context, drawn } = this;
    const { series, window_ms } = this.options;
    const { width, height, ratio } = this.sheet;
    const span_px = width - PAD.left - PAD.right;
    if (!context || span_px <= 0) return;
    const theme = document.documentElement.dataset['theme'] ?? '';
    const look = view.faded ? `${theme} faded` : theme;
    const newest_ms = series.length() > 0 ? series.time_ms(series.length() - 1) : 0;
    const { end_ms, behind_ms, cursor_ms } = view;
    const isSame = look === this.sheet.look && newest_ms === drawn.newest_ms;
    const pixel_ms = window_ms / (span_px * ratio);
    const isNear = (a: number, b: number) => Math.abs(a - b) < pixel_ms;
    const isThere = isNear(end_ms, drawn.end_ms) && isNear(behind_ms, drawn.behind_ms);
    if (isSame && isThere && cursor_ms === drawn.cursor_ms) return;
    this.drawn = { end_ms, behind_ms, cursor_ms, newest_ms };
    this.sheet = { ...this.sheet, look };
    const frame = this.frameOn(context);
    const colours = JOINT_INDICES.map((joint) => frame.colour(`j${joint + 1}`));
    const lines = { series, window_ms, colours, unknown: frame.colour('line2'), y: frame.y };
    this.strip.advance(end_ms, { ...this.sheet, width: span_px }, lines);
    context.clearRect(0, 0, width, height);
    this.drawBackdrop(behind_ms);
    drawPixels(context, this.backdrop, 0);
    drawPixels(context, this.strip.canvas, PAD.left * ratio);
    if (cursor_ms !== null) this.drawCursor(frame, this.axis(end_ms), cursor_ms / 1000);
    drawLabels(frame, series);
  }

  /** The time that is looked at, as a line. */
  private drawCursor({ context, height, colour }: Frame, axis: TimeAxis, at_s: number): void {
    if (at_s < axis.from_s || at_s > axis.to_s) return;
    const x = Math.round(xOf(axis, at_s)) + 0.5;
    context.strokeStyle = context.fillStyle = colour('accent');
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, PAD.top);
    context.lineTo(x, height - PAD.bottom);
    context.stroke();
    context.beginPath();
    context.arc(x, PAD.top + 2, 4, 0, 2 * Math.PI);
    context.fill();
  }

  /** Draws grid and limits where size, colours or times have changed. */
  private drawBackdrop(behind_ms: number): void {
    const target = this.backdrop.getContext('2d');
    const isOld = this.sheet.look.endsWith(' faded') && this.options.series.length() > 0;
    const times = timeLabels(this.options, behind_ms);
    if (isOld && behind_ms === 0) times[AXIS_PARTS] = 'last data';
    const sheet = { ...this.sheet, look: `${this.sheet.look} ${times}` };
    if (!target || isSameSheet(this.backdropSheet, sheet)) return;
    this.backdropSheet = sheet;
    sizeCanvas(this.backdrop, sheet);
    drawGrid(this.frameOn(target), this.options.range, times);
    drawLimits(this.frameOn(target), this.options.range);
  }

  private frameOn(context: CanvasRenderingContext2D): Frame {
    const { width, height, look } = this.sheet;
    const { low, high } = this.options.range;
    const isFaded = look.endsWith(' faded');
    const inner = height - PAD.top - PAD.bottom;
    return {
      ...{ context, width, height },
      colour: (name) => this.token(isFaded && /^j\d$|^fault$/.test(name) ? 'line2' : name),
      y: (value) => PAD.top + ((high - value) / (high - low)) * inner,
    };
  }
}
