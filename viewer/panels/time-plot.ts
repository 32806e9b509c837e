/**
 * A plot of six joints over the last while on a small canvas: fixed range, direct labels at the
 * lines' ends, limits dashed with their value. Nothing rescales while it streams.
 */
import { spread } from './label-spread.ts';
import type { Series } from './series.ts';

export interface PlotRange {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** Dashed lines, with the words at the upper one. */
  readonly limits: readonly number[];
  readonly limitText: string;
}

export interface TimePlotOptions {
  readonly series: Series;
  readonly range: PlotRange;
  /** Words under the axis from its start to now. */
  readonly times: readonly string[];
}

export interface TimePlot {
  readonly canvas: HTMLCanvasElement;
  draw(now_ms: number, faded: boolean): void;
}

const PAD = { left: 36, right: 34, top: 6, bottom: 20 } as const;
const LABEL_GAP = 12;
const FONT = '11px "Inter Variable", Inter, system-ui, sans-serif';
const JOINTS = [0, 1, 2, 3, 4, 5] as const;

interface Frame {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly colour: (token: string) => string;
  readonly x: (time_ms: number) => number;
  readonly y: (value: number) => number;
}

function drawGrid(frame: Frame, { range, times }: TimePlotOptions): void {
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
  times.forEach((words, i) => {
    const share = i / (times.length - 1);
    context.textAlign = 'center';
    context.fillStyle = colour('text3');
    const at = PAD.left + share * (width - PAD.left - PAD.right);
    context.fillText(words, at, height - 5);
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
  context.textAlign = 'right';
  const upper = range.limits.length > 0 ? Math.max(...range.limits) : 0;
  if (range.limitText) context.fillText(range.limitText, width - PAD.right - 4, y(upper) + 12);
}

function drawLine(frame: Frame, series: Series, joint: number): void {
  const { context, colour, x, y } = frame;
  context.strokeStyle = colour(`j${joint + 1}`);
  context.lineWidth = 1.5;
  context.beginPath();
  for (let i = 0; i < series.length(); i++) {
    const px = Math.max(x(series.time_ms(i)), PAD.left);
    const py = y(series.value(i, joint));
    if (i === 0) context.moveTo(px, py);
    else context.lineTo(px, py);
  }
  context.stroke();
}

function drawLabels(frame: Frame, series: Series): void {
  const { context, width, height, colour, y } = frame;
  const last = series.length() - 1;
  if (last < 0) return;
  const wanted = JOINTS.map((joint) => y(series.value(last, joint)));
  const placed = spread(wanted, {
    gap: LABEL_GAP,
    low: PAD.top + 6,
    high: height - PAD.bottom - 2,
  });
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.font = `600 ${FONT}`;
  for (const joint of JOINTS) {
    context.fillStyle = colour(`j${joint + 1}`);
    context.fillText(`J${joint + 1}`, width - PAD.right + 7, placed[joint]!);
  }
  context.font = FONT;
}

/** A plot; its canvas takes the size its style gives it. */
export function createTimePlot(options: TimePlotOptions): TimePlot {
  const canvas = document.createElement('canvas');
  canvas.className = 'plot-canvas';
  canvas.setAttribute('role', 'img');
  const context = canvas.getContext('2d');

  function takeSize(): { width: number; height: number } {
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    const ratio = Math.min(devicePixelRatio, 2);
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    return { width, height };
  }

  return {
    canvas,
    draw(now_ms, faded) {
      const { width, height } = takeSize();
      if (!context || width === 0) return;
      const { series, range } = options;
      const style = getComputedStyle(canvas);
      const inner = { width: width - PAD.left - PAD.right, height: height - PAD.top - PAD.bottom };
      const frame: Frame = {
        context,
        width,
        height,
        colour: (token) => {
          const grey = faded && /^j\d$|^fault$/.test(token);
          return style.getPropertyValue(grey ? '--line2' : `--${token}`);
        },
        x: (time) => PAD.left + (1 - (now_ms - time) / series.span_ms) * inner.width,
        y: (value) => PAD.top + ((range.high - value) / (range.high - range.low)) * inner.height,
      };
      context.clearRect(0, 0, width, height);
      context.font = FONT;
      drawGrid(frame, options);
      for (const joint of JOINTS) drawLine(frame, series, joint);
      drawLimits(frame, range);
      drawLabels(frame, series);
    },
  };
}
