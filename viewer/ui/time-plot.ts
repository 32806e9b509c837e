/**
 * A plot of six joint values over a sliding time window on a canvas: fixed value range, and labels
 * at the ends of the lines.
 */

import { createTokens } from './css-tokens.ts';
import type { JointSeries } from './joint-series.ts';
import { spreadLabels } from './spread-labels.ts';

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
  /** Labels of the time axis, from its start to now; faded, its end is the last data. */
  readonly times: readonly string[];
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

function drawGrid(frame: Frame, { range, times }: TimePlotOptions, end: string): void {
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
    const isEnd = i === times.length - 1;
    context.fillText(isEnd ? end || label : label, at, height - 5);
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

function sizeCanvas(canvas: HTMLCanvasElement, { width, height, ratio }: Sheet): void {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0);
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
  readonly colours: readonly string[];
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

  /** Moves the lines so that `now_ms` is at the right edge, and draws the points since then. */
  advance(now_ms: number, given: Sheet, lines: Lines): void {
    const { context, canvas } = this;
    if (!context) return;
    const sheet = { ...given, width: given.width + SPARE_PX };
    const pixel_ms = lines.series.span_ms / (given.width * given.ratio);
    const moved = Math.round((now_ms - this.edge_ms) / pixel_ms);
    if (!isSameSheet(this.sheet, sheet) || moved < 0 || moved >= canvas.width) {
      this.sheet = sheet;
      sizeCanvas(canvas, sheet);
      this.edge_ms = now_ms;
      this.newest_ms = Number.NEGATIVE_INFINITY;
    } else if (moved > 0) {
      context.globalCompositeOperation = 'copy';
      drawPixels(context, canvas, -moved);
      context.globalCompositeOperation = 'source-over';
      this.edge_ms += moved * pixel_ms;
    }
    this.drawNewer(context, given.width, lines);
  }

  private drawNewer(
    context: CanvasRenderingContext2D,
    width: number,
    { series, colours, y }: Lines,
  ): void {
    const length = series.length();
    let from = length;
    while (from > 0 && series.time_ms(from - 1) > this.newest_ms) from--;
    if (from === length) return;
    const x = (time_ms: number) => (1 - (this.edge_ms - time_ms) / series.span_ms) * width;
    context.lineWidth = 1.5;
    context.lineCap = context.lineJoin = 'round';
    for (const joint of JOINT_INDICES) {
      context.strokeStyle = colours[joint]!;
      context.beginPath();
      // From the last point that is drawn.
      for (let i = Math.max(from - 1, 0); i < length; i++) {
        context.lineTo(x(series.time_ms(i)), y(series.value(i, joint)));
      }
      context.stroke();
    }
    this.newest_ms = series.time_ms(length - 1);
  }
}

function drawLabels(frame: Frame, series: JointSeries): void {
  const { context, width, height, colour, y } = frame;
  const last = series.length() - 1;
  if (last < 0) return;
  const wanted = JOINT_INDICES.map((joint) => y(series.value(last, joint)));
  const placed = spreadLabels(wanted, {
    gap: LABEL_GAP,
    low: PAD.top + 6,
    high: height - PAD.bottom - 2,
  });
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.font = `600 ${FONT}`;
  for (const joint of JOINT_INDICES) {
    context.fillStyle = colour(`j${joint + 1}`);
    context.fillText(`J${joint + 1}`, width - PAD.right + 7, placed[joint]!);
  }
  context.font = FONT;
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
  private drawn = { now_ms: Number.NaN, newest_ms: 0 };
  private redraw = (): void => undefined;

  constructor(options: TimePlotOptions) {
    this.options = options;
    this.canvas.className = 'plot-canvas';
    this.canvas.setAttribute('role', 'img');
    // Reading the size while drawing would lay out the page each time.
    new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      this.sheet = { width, height, ratio: Math.min(devicePixelRatio, 2), look: '' };
      sizeCanvas(this.canvas, this.sheet);
      this.redraw();
    }).observe(this.canvas);
  }

  /** Draws the window up to `now_ms`, unless the picture would be the one before. */
  draw(now_ms: number, faded: boolean): void {
    this.redraw = () => this.draw(now_ms, faded);
    const { context, drawn } = this;
    const { series } = this.options;
    const { width, height, ratio } = this.sheet;
    const span_px = width - PAD.left - PAD.right;
    if (!context || span_px <= 0) return;
    const theme = document.documentElement.dataset['theme'] ?? '';
    const look = faded ? `${theme} faded` : theme;
    const newest_ms = series.length() > 0 ? series.time_ms(series.length() - 1) : 0;
    const isSame = look === this.sheet.look && newest_ms === drawn.newest_ms;
    const pixel_ms = series.span_ms / (span_px * ratio);
    if (isSame && Math.abs(now_ms - drawn.now_ms) < pixel_ms) return;
    this.drawn = { now_ms, newest_ms };
    this.sheet = { ...this.sheet, look };
    const frame = this.frameOn(context);
    const colours = JOINT_INDICES.map((joint) => frame.colour(`j${joint + 1}`));
    const lines = { series, colours, y: frame.y };
    this.strip.advance(now_ms, { ...this.sheet, width: span_px }, lines);
    context.clearRect(0, 0, width, height);
    this.drawBackdrop();
    drawPixels(context, this.backdrop, 0);
    drawPixels(context, this.strip.canvas, PAD.left * ratio);
    drawLabels(frame, series);
  }

  /** Draws grid and limits where size or colours have changed. */
  private drawBackdrop(): void {
    const target = this.backdrop.getContext('2d');
    if (!target || isSameSheet(this.backdropSheet, this.sheet)) return;
    this.backdropSheet = this.sheet;
    sizeCanvas(this.backdrop, this.sheet);
    const isOld = this.sheet.look.endsWith(' faded') && this.options.series.length() > 0;
    drawGrid(this.frameOn(target), this.options, isOld ? 'last data' : '');
    drawLimits(this.frameOn(target), this.options.range);
  }

  private frameOn(context: CanvasRenderingContext2D): Frame {
    const { width, height, look } = this.sheet;
    const { low, high } = this.options.range;
    const isFaded = look.endsWith(' faded');
    const inner = height - PAD.top - PAD.bottom;
    context.font = FONT;
    return {
      ...{ context, width, height },
      colour: (name) => this.token(isFaded && /^j\d$|^fault$/.test(name) ? 'line2' : name),
      y: (value) => PAD.top + ((high - value) / (high - low)) * inner,
    };
  }
}
