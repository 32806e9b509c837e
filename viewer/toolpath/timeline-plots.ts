/**
 * The plots under the timeline: tool speed, joint positions, joint velocities, with their limits.
 * Fixed ranges; direct labels at the lines' ends; of many samples in one pixel column the lowest
 * and the highest are drawn.
 */
import { limits } from '../../contract/limits.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD, VELOCITY_MAX_RAD_S } from '../../physics/arm/arm-model.ts';
import { spread } from '../panels/label-spread.ts';
import { decimal, degrees } from '../panels/value-text.ts';
import { GUTTER_PX, RIGHT_PX, xOf } from './timeline-axis.ts';
import { FONT, type Sheet } from './timeline-sheet.ts';
import type { Way } from './way.ts';

export type PlotName = 'speed' | 'position' | 'velocity' | 'deviation';

export interface PlotPlace {
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
  readonly lines: readonly { readonly words: string; readonly token: string }[];
  readonly value: (way: Way, sample: number, line: number) => number;
}

/** Room for a line's label: its height, and its width where two stand side by side. */
const LABEL_PX = 12;
const COLUMN_PX = 16;
const JOINTS = [1, 2, 3, 4, 5, 6].map((joint) => ({ words: `J${joint}`, token: `j${joint}` }));
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
    value: ({ track }, i, joint) => degrees(track.joints[6 * i + joint]!),
  },
  velocity: {
    title: 'Velocities',
    unit: '°/s',
    low: -FASTEST_DEG_S - 10,
    high: FASTEST_DEG_S + 10,
    ticks: [-100, 0, 100],
    limits: [FASTEST_DEG_S, -FASTEST_DEG_S],
    lines: JOINTS,
    value: ({ track }, i, joint) => degrees(track.velocities[6 * i + joint]!),
  },
};

/** The range of speed fits what the toolpath does, in steps, with the limit where it is near. */
function speedPlot({ track }: Way): Plot {
  const most = track.speeds.reduce((a, b) => Math.max(a, b), 0) * 1000;
  const high = [250, 500, 1000, 1500].find((one) => one >= most) ?? SPEED_MM_S;
  return {
    title: 'Tool speed',
    unit: 'mm/s',
    low: 0,
    high: high * 1.08,
    ticks: [0, high / 2, high],
    limits: high >= SPEED_MM_S ? [SPEED_MM_S] : [],
    lines: [{ words: '', token: 'text' }],
    value: (way, i) => way.track.speeds[i]! * 1000,
  };
}

export type Height = (value: number) => number;

/** A plot's frame in its place, with the height of a value there (px). */
interface Framed {
  readonly plot: Omit<Plot, 'lines' | 'value'>;
  readonly place: PlotPlace;
  readonly y: Height;
}

function drawFrame(sheet: Sheet, { plot, place, y }: Framed): void {
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
  for (const tick of plot.ticks) {
    const at = Math.round(y(tick)) + 0.5;
    context.strokeStyle = colour('line');
    stroke(sheet, at);
    context.fillText(decimal(tick, plot.high < 5 ? 2 : 0), GUTTER_PX - 8, at);
  }
  context.setLineDash([5, 4]);
  context.strokeStyle = context.fillStyle = colour('fault');
  for (const limit of plot.limits) stroke(sheet, Math.round(y(limit)) + 0.5);
  context.setLineDash([]);
}

/** A line across the whole axis. */
function stroke({ context, axis }: Sheet, y: number): void {
  context.beginPath();
  context.moveTo(GUTTER_PX, y);
  context.lineTo(axis.width_px - RIGHT_PX, y);
  context.stroke();
}

/** Draws one line, each pixel column from its lowest to its highest value. */
function drawLine(sheet: Sheet, way: Way, height: (sample: number) => number): void {
  const { context, axis } = sheet;
  const { times_s, count } = way.track;
  context.beginPath();
  let column = Number.NaN;
  let [low, high] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (times_s[i]! < axis.from_s || times_s[i]! > axis.to_s) continue;
    const x = Math.round(xOf(axis, times_s[i]!) * 2) / 2;
    const at = height(i);
    if (x === column) {
      if (at < low || at > high) context.lineTo(x, at);
      low = Math.min(low, at);
      high = Math.max(high, at);
      continue;
    }
    if (Number.isNaN(column)) context.moveTo(x, at);
    else context.lineTo(x, at);
    column = x;
    low = high = at;
  }
  context.stroke();
}

function drawLabels(
  sheet: Sheet,
  { plot, place }: { readonly plot: Plot; readonly place: PlotPlace },
  ends: readonly number[],
): void {
  const { context, axis, colour } = sheet;
  const gap = Math.min(LABEL_PX, (place.bottom - place.top) / ends.length);
  const placed = spread(ends, { gap, low: place.top, high: place.bottom });
  const order = [...placed].sort((a, b) => a - b);
  context.textAlign = 'left';
  context.font = `600 ${FONT}`;
  for (const [line, { words, token }] of plot.lines.entries()) {
    // Where they do not fit below each other, every other one stands beside.
    const beside = gap < LABEL_PX - 2 && order.indexOf(placed[line]!) % 2 === 1 ? COLUMN_PX : 0;
    context.fillStyle = colour(token);
    context.fillText(words, axis.width_px - RIGHT_PX + 7 + beside, placed[line]!);
  }
  context.font = FONT;
}

/** Draws title, ticks and limits of a plot; answers the height of a value there (px). */
export function drawPlotFrame(
  sheet: Sheet,
  plot: Omit<Plot, 'lines' | 'value'>,
  place: PlotPlace,
): Height {
  const y: Height = (value) =>
    place.top + ((plot.high - value) / (plot.high - plot.low)) * (place.bottom - place.top);
  drawFrame(sheet, { plot, place, y });
  return y;
}

/** Draws one plot of the way itself in its place. */
export function drawPlot(
  sheet: Sheet,
  {
    name,
    way,
    place,
  }: {
    readonly name: Exclude<PlotName, 'deviation'>;
    readonly way: Way;
    readonly place: PlotPlace;
  },
): void {
  const plot = name === 'speed' ? speedPlot(way) : JOINT_PLOTS[name];
  const y = drawPlotFrame(sheet, plot, place);
  const placed = { plot, place };
  const { context, colour } = sheet;
  const last = way.track.count - 1;
  const ends = plot.lines.map((_, line) => y(plot.value(way, last, line)));
  for (const [line, { token }] of plot.lines.entries()) {
    context.strokeStyle = colour(token);
    context.lineWidth = 1.5;
    drawLine(sheet, way, (i) => y(plot.value(way, i, line)));
    context.lineWidth = 1;
  }
  drawLabels(sheet, placed, ends);
}
