/** The plots of the timeline: tool speed, joint positions, and joint velocities with their limits. */

import { limits } from '../../../contract/limits.ts';
import {
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  VELOCITY_MAX_RAD_S,
} from '../../../physics/arm/arm-model.ts';
import {
  drawLines,
  drawScale,
  JOINT_LINES,
  PLOT_FONT,
  type PlotArea,
  type PlotLine,
  type PlotScale,
  type PlotSheet,
  type ValueToY,
} from '../../ui/plot.ts';
import { degrees } from '../../ui/value-text.ts';
import type { TimedPath } from '../timed-path.ts';

export type PlotName = 'speed' | 'position' | 'velocity' | 'deviation';

/** A scale under its title, which stands beside the axis. */
export interface TitledScale extends PlotScale {
  readonly title: string;
  readonly unit: string;
}

interface Plot extends TitledScale {
  readonly lines: readonly PlotLine[];
  readonly value: (path: TimedPath, sample: number, line: number) => number;
}

/** Where titles begin. */
const TITLE_PX = 16;
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
    lines: JOINT_LINES,
    value: ({ samples }, i, joint) => degrees(samples.joints[6 * i + joint]!),
  },
  velocity: {
    title: 'Velocities',
    unit: '°/s',
    low: -FASTEST_DEG_S - 10,
    high: FASTEST_DEG_S + 10,
    ticks: [-100, 0, 100],
    limits: [FASTEST_DEG_S, -FASTEST_DEG_S],
    lines: JOINT_LINES,
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

/** Draws title, ticks and limits of a plot; returns its scale from value to px. */
export function drawTitledScale(sheet: PlotSheet, scale: TitledScale, area: PlotArea): ValueToY {
  const { context, colour } = sheet;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillStyle = colour('text');
  context.font = `600 ${PLOT_FONT}`;
  context.fillText(scale.title, TITLE_PX, area.top + 6);
  context.font = PLOT_FONT;
  context.fillStyle = colour('text3');
  context.fillText(scale.unit, TITLE_PX, area.top + 21);
  return drawScale(sheet, scale, area);
}

/** Draws one plot of the path. */
export function drawPlot(
  sheet: PlotSheet,
  name: Exclude<PlotName, 'deviation'>,
  { path, area }: { readonly path: TimedPath; readonly area: PlotArea },
): void {
  const plot = name === 'speed' ? speedPlot(path) : JOINT_PLOTS[name];
  const y = drawTitledScale(sheet, plot, area);
  const { count, times_s } = path.samples;
  const values = {
    count,
    time_s: (i: number) => times_s[i]!,
    value: (i: number, line: number) => plot.value(path, i, line),
  };
  drawLines(sheet, plot.lines, { values, y, area });
}
