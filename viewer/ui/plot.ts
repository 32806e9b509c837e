/**
 * Draws a plot over a time axis: a fixed range with its limits, lines with their names at their ends,
 * minimum and maximum per pixel column. The plots of a path and of the live run are drawn so.
 */

import { spreadLabels } from './spread-labels.ts';
import { type TimeAxis, xOf } from './time-axis.ts';
import { decimal } from './value-text.ts';

export const PLOT_FONT = '11px "Inter Variable", Inter, system-ui, sans-serif';

/** A canvas to draw on, its axis, and the page's colours. */
export interface PlotSheet {
  readonly context: CanvasRenderingContext2D;
  readonly axis: TimeAxis;
  readonly colour: (token: string) => string;
}

/** The height that a plot has (px). */
export interface PlotArea {
  readonly top: number;
  readonly bottom: number;
}

/** The range of the values of a plot, its horizontal lines, and its limits, which are dashed. */
export interface PlotScale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly limits: readonly number[];
  /** Written at the upper limit. */
  readonly limitText?: string;
}

/** A line of a plot: its name, and the token of its colour. */
export interface PlotLine {
  readonly label: string;
  readonly token: string;
}

/** The six joints as lines. */
export const JOINT_LINES: readonly PlotLine[] = [1, 2, 3, 4, 5, 6].map((joint) => ({
  label: `J${joint}`,
  token: `j${joint}`,
}));

/** The values of the lines over time, in its order; NaN where a value is not known. */
export interface PlotValues {
  readonly count: number;
  time_s(sample: number): number;
  value(sample: number, line: number): number;
}

export type ValueToY = (value: number) => number;

/** Height of a label, and its width where two are side by side (px). */
const LABEL_PX = 12;
const COLUMN_PX = 16;
/** A lower plot has no space for the text of its limit. */
const LIMIT_TEXT_PX = 60;

/** A line across the whole axis. */
function strokeAcross({ context, axis }: PlotSheet, y: number): void {
  context.beginPath();
  context.moveTo(axis.left_px, y);
  context.lineTo(axis.width_px - axis.right_px, y);
  context.stroke();
}

function drawLimits(sheet: PlotSheet, { limits, limitText }: PlotScale, y: ValueToY): void {
  const { context, axis, colour } = sheet;
  context.strokeStyle = colour('fault');
  context.setLineDash([5, 4]);
  for (const limit of limits) strokeAcross(sheet, Math.round(y(limit)) + 0.5);
  context.setLineDash([]);
  if (!limitText) return;
  const [right, base] = [axis.width_px - axis.right_px - 4, y(Math.max(...limits)) + 8];
  // On the background: a line of the grid may cross the text.
  const wide = context.measureText(limitText).width + 4;
  context.fillStyle = colour('panel');
  context.fillRect(right + 2 - wide, base - 6, wide, 11);
  context.textAlign = 'right';
  context.fillStyle = colour('fault');
  context.fillText(limitText, right, base);
}

/** Draws ticks and limits of a plot; returns its scale from value to px. */
export function drawScale(sheet: PlotSheet, scale: PlotScale, { top, bottom }: PlotArea): ValueToY {
  const { context, axis, colour } = sheet;
  const { low, high, ticks } = scale;
  const y: ValueToY = (value) => top + ((high - value) / (high - low)) * (bottom - top);
  context.font = PLOT_FONT;
  context.lineWidth = 1;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const last = ticks.length - 1;
  // In a low plot the lines between the first and the last have no value: it would cover theirs.
  const isLow = Math.abs(y(ticks[last]!) - y(ticks[0]!)) < last * LABEL_PX;
  for (const [i, tick] of ticks.entries()) {
    const at = Math.round(y(tick)) + 0.5;
    context.strokeStyle = colour('line');
    strokeAcross(sheet, at);
    if (isLow && i > 0 && i < last) continue;
    context.fillStyle = colour('text3');
    context.fillText(decimal(tick, high < 5 ? 2 : 0), axis.left_px - 8, at);
  }
  const { limitText, ...others } = scale;
  drawLimits(sheet, bottom - top < LIMIT_TEXT_PX ? others : scale, y);
  return y;
}

/**
 * Draws one line; each half pixel as a band from its minimum to its maximum, so that a long path
 * costs as many strokes as the plot is wide. The line ends at a value that is not known.
 */
function drawLine(sheet: PlotSheet, { count, time_s }: PlotValues, y: (sample: number) => number) {
  const { context, axis } = sheet;
  const [zero, scale] = [xOf(axis, 0) * 2, (xOf(axis, 1) - xOf(axis, 0)) * 2];
  const columnOf = (sample: number) => Math.round(zero + scale * time_s(sample));
  let i = 0;
  while (i < count && time_s(i) < axis.from_s) i++;
  context.beginPath();
  let isKnown = false;
  while (i < count && time_s(i) <= axis.to_s) {
    const column = columnOf(i);
    const first = y(i);
    let [low, high, last] = [first, first, first];
    for (i++; i < count && columnOf(i) === column; i++) {
      last = y(i);
      if (last < low) low = last;
      else if (last > high) high = last;
    }
    if (isKnown) context.lineTo(column / 2, first);
    else context.moveTo(column / 2, first);
    if (low < Math.min(first, last)) context.lineTo(column / 2, low);
    if (high > Math.max(first, last)) context.lineTo(column / 2, high);
    if (last !== first) context.lineTo(column / 2, last);
    isKnown = !Number.isNaN(last);
  }
  context.stroke();
}

function drawLabels(
  { context, axis, colour }: PlotSheet,
  lines: readonly PlotLine[],
  { wanted, top, bottom }: PlotArea & { readonly wanted: readonly number[] },
): void {
  const gap = Math.min(LABEL_PX, (bottom - top) / wanted.length);
  const placed = spreadLabels(wanted, { gap, low: top, high: bottom });
  const order = [...placed].sort((a, b) => a - b);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.font = `600 ${PLOT_FONT}`;
  for (const [line, { label, token }] of lines.entries()) {
    // Where labels do not fit below each other, every other one is shifted right.
    const beside = gap < LABEL_PX - 2 && order.indexOf(placed[line]!) % 2 === 1 ? COLUMN_PX : 0;
    context.fillStyle = colour(token);
    context.fillText(label, axis.width_px - axis.right_px + 7 + beside, placed[line]!);
  }
  context.font = PLOT_FONT;
}

/** Draws the lines of a plot with their names at the last values that are known. */
export function drawLines(
  sheet: PlotSheet,
  lines: readonly PlotLine[],
  {
    values,
    y,
    area,
  }: { readonly values: PlotValues; readonly y: ValueToY; readonly area: PlotArea },
): void {
  const { context, colour } = sheet;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  for (const [line, { token }] of lines.entries()) {
    context.strokeStyle = colour(token);
    drawLine(sheet, values, (sample) => y(values.value(sample, line)));
  }
  context.lineWidth = 1;
  let last = values.count - 1;
  while (last >= 0 && Number.isNaN(values.value(last, 0))) last--;
  if (last < 0) return;
  const wanted = lines.map((_, line) => y(values.value(last, line)));
  drawLabels(sheet, lines, { ...area, wanted });
}
