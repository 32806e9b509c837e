/**
 * The plots of the timeline: tool speed, joint positions, and joint velocities with their limits.
 * Fixed ranges; direct labels at the ends of the lines; minimum and maximum per pixel column.
 */

import { limits } from '../../../contract/limits.ts';
import {
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  VELOCITY_MAX_RAD_S,
} from '../../../physics/arm/arm-model.ts';
import { spreadLabels } from '../../ui/spread-labels.ts';
import { xOf } from '../../ui/time-axis.ts';
import { decimal, degrees } from '../../ui/value-text.ts';
import type { TimedPath } from '../timed-path.ts';
import { FONT, GUTTER_PX, type PlotSurface, RIGHT_PX } from './timeline-axis.ts';

export type PlotName = 'speed' | 'position' | 'velocity' | 'deviation';

export interface PlotArea {
  readonly top: number;
  readonly bottom: number;
}

export interface Plot {
  readonly title: string;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly limits: readonly number[];
  readonly lines: readonly { readonly label: string; readonly token: string }[];
  readonly value: (path: TimedPath, sample: number, line: number) => number;
}

/** Height of a label, and its width where two are side by side (px). */
const LABEL_PX = 12;
const COLUMN_PX = 16;
const JOINTS = [1, 2, 3, 4, 5, 6].map((joint) => ({ label: `J${joint}`, token: `j${joint}` }));
const FASTEST_DEG_S = Math.round(degrees(Math.max(...VELOCITY_MAX_RAD_S)));
const SPEED_MM_S = limits.speed_automatic_m_per_s * 1000;
const HIGHEST_DEG = Math.round(degrees(Math.max(...JOINT_MAX_RAD)));
const LOWEST_DEG = Math.round(degrees(Math.min(...JOINT_MIN_RAD)));

const JOINT_PLOTS: Readonly<Record<'position' | 'velocity', Plot>> = {
  position: {
    title: 'Positions',
    unit: '°',
    low: LOWEST_DEG - 12,
    high: HIGHEST_DEG + 12,
    ticks: [-100, 0, 100],
    limits: [HIGHEST_DEG, LOWEST_DEG],
    lines: JOINTS,
    value: ({ samples }, i, joint) => degrees(samples.joints[6 * i + joint]!),
  },
  velocity: {
    title: 'Velocities',
    unit: '°/s',
    low: -FASTEST_DEG_S - 10,
    high: FASTEST_DEG_S + 10,
    ticks: [-100, 0, 100],
    limits: [FASTEST_DEG_S, -FASTEST_DEG_S],
    lines: JOINTS,
    value: ({ samples }, i, joint) => degrees(samples.velocities[6 * i + joint]!),
  },
};

/** The speed range fits the toolpath in steps and includes the limit if it is near. */
function speedPlot({ samples }: TimedPath): Plot {
  const most = samples.speeds.reduce((a, b) => Math.max(a, b), 0) * 1000;
  const high = [250, 500, 1000, 1500].find((one) => one >= most) ?? SPEED_MM_S;
  return {
    title: 'Tool speed',
    unit: 'mm/s',
    low: 0,
    high: high * 1.08,
    ticks: [0, high / 2, high],
    limits: high >= SPEED_MM_S ? [SPEED_MM_S] : [],
    lines: [{ label: '', token: 'text' }],
    value: (path, i) => path.samples.speeds[i]! * 1000,
  };
}

export type ValueToY = (value: number) => number;

/** A plot's frame with its scale from value to px. */
interface Framed {
  readonly plot: Omit<Plot, 'lines' | 'value'>;
  readonly place: PlotArea;
  readonly y: ValueToY;
}

function drawFrame(sheet: PlotSurface, { plot, place, y }: Framed): void {
  const { context, colour } = sheet;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillStyle = colour('text');
  context.font = `600 ${FONT}`;
  context.fillText(plot.title, 16, place.top + 6);
  context.font = FONT;
  context.fillStyle = colour('text3');
  context.fillText(plot.unit, 16, place.top + 21);
  context.textAlign = 'right';
  const last = plot.ticks.length - 1;
  // In a low plot the lines between the first and the last have no value: it would cover theirs.
  const isLow = Math.abs(y(plot.ticks[last]!) - y(plot.ticks[0]!)) < last * LABEL_PX;
  for (const [i, tick] of plot.ticks.entries()) {
    const at = Math.round(y(tick)) + 0.5;
    context.strokeStyle = colour('line');
    stroke(sheet, at);
    if (isLow && i > 0 && i < last) continue;
    context.fillText(decimal(tick, plot.high < 5 ? 2 : 0), GUTTER_PX - 8, at);
  }
  context.setLineDash([5, 4]);
  context.strokeStyle = context.fillStyle = colour('fault');
  for (const limit of plot.limits) stroke(sheet, Math.round(y(limit)) + 0.5);
  context.setLineDash([]);
}

/** A line across the whole axis. */
function stroke({ context, axis }: PlotSurface, y: number): void {
  context.beginPath();
  context.moveTo(GUTTER_PX, y);
  context.lineTo(axis.width_px - RIGHT_PX, y);
  context.stroke();
}

/**
 * Draws one line; each half pixel as a band from its minimum to its maximum, so that a long path
 * costs as many strokes as the plot is wide.
 */
function drawLine(sheet: PlotSurface, path: TimedPath, height: (sample: number) => number): void {
  const { context, axis } = sheet;
  const { times_s, count } = path.samples;
  const [zero, scale] = [xOf(axis, 0) * 2, (xOf(axis, 1) - xOf(axis, 0)) * 2];
  let i = 0;
  while (i < count && times_s[i]! < axis.from_s) i++;
  context.beginPath();
  while (i < count && times_s[i]! <= axis.to_s) {
    const column = Math.round(zero + scale * times_s[i]!);
    const first = height(i);
    let [low, high, last] = [first, first, first];
    for (i++; i < count && Math.round(zero + scale * times_s[i]!) === column; i++) {
      last = height(i);
      if (last < low) low = last;
      else if (last > high) high = last;
    }
    context.lineTo(column / 2, first);
    if (low < Math.min(first, last)) context.lineTo(column / 2, low);
    if (high > Math.max(first, last)) context.lineTo(column / 2, high);
    if (last !== first) context.lineTo(column / 2, last);
  }
  context.stroke();
}

function drawLabels(
  sheet: PlotSurface,
  { plot, place }: { readonly plot: Plot; readonly place: PlotArea },
  ends: readonly number[],
): void {
  const { context, axis, colour } = sheet;
  const gap = Math.min(LABEL_PX, (place.bottom - place.top) / ends.length);
  const placed = spreadLabels(ends, { gap, low: place.top, high: place.bottom });
  const order = [...placed].sort((a, b) => a - b);
  context.textAlign = 'left';
  context.font = `600 ${FONT}`;
  for (const [line, { label, token }] of plot.lines.entries()) {
    // Where labels do not fit below each other, every other one is shifted right.
    const beside = gap < LABEL_PX - 2 && order.indexOf(placed[line]!) % 2 === 1 ? COLUMN_PX : 0;
    context.fillStyle = colour(token);
    context.fillText(label, axis.width_px - RIGHT_PX + 7 + beside, placed[line]!);
  }
  context.font = FONT;
}

/** Draws title, ticks and limits of a plot; returns its scale from value to px. */
export function drawPlotFrame(
  sheet: PlotSurface,
  plot: Omit<Plot, 'lines' | 'value'>,
  place: PlotArea,
): ValueToY {
  const y: ValueToY = (value) =>
    place.top + ((plot.high - value) / (plot.high - plot.low)) * (place.bottom - place.top);
  drawFrame(sheet, { plot, place, y });
  return y;
}

/** Draws one plot of the path. */
export function drawPlot(
  sheet: PlotSurface,
  {
    name,
    path,
    place,
  }: {
    readonly name: Exclude<PlotName, 'deviation'>;
    readonly path: TimedPath;
    readonly place: PlotArea;
  },
): void {
  const plot = name === 'speed' ? speedPlot(path) : JOINT_PLOTS[name];
  const y = drawPlotFrame(sheet, plot, place);
  const placed = { plot, place };
  const { context, colour } = sheet;
  const last = path.samples.count - 1;
  const ends = plot.lines.map((_, line) => y(plot.value(path, last, line)));
  for (const [line, { token }] of plot.lines.entries()) {
    context.strokeStyle = colour(token);
    context.lineWidth = 1.5;
    drawLine(sheet, path, (i) => y(plot.value(path, i, line)));
    context.lineWidth = 1;
  }
  drawLabels(sheet, placed, ends);
}
