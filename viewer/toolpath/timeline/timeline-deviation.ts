/** The plot of the deviation of a run from the plan. */

import { PLOT_FONT, type PlotArea, type PlotSheet } from '../../ui/plot.ts';
import { xOf } from '../../ui/time-axis.ts';
import { decimal, degrees } from '../../ui/value-text.ts';
import type { RunDeviation } from '../deviation.ts';
import { GUTTER_PX } from './timeline-axis.ts';
import { drawTitledScale } from './timeline-plots.ts';

/** Ranges of the deviation plot (mm); the first that fits is used. */
const RANGES_MM = [0.05, 0.2, 1, 5, 20, 100];

/** The largest deviation as text; empty without a run. */
export function deviationText(runDeviation: RunDeviation | null): string {
  const most = runDeviation?.most;
  if (!most) return '';
  const [tool, joint] = [decimal(most.tool_m * 1000, 3), decimal(degrees(most.joint_rad), 3)];
  return `max ${tool} mm at ${decimal(most.at_s, 2)} s, joints ${joint}°`;
}

/** Draws the deviation plot, or says why there is none. */
export function drawDeviation(
  sheet: PlotSheet,
  runDeviation: RunDeviation | null,
  place: PlotArea,
): void {
  const most = runDeviation?.most ?? null;
  const most_mm = (most?.tool_m ?? 0) * 1000;
  const high = RANGES_MM.find((range) => range >= most_mm) ?? most_mm;
  const ticks = [0, high / 2, high];
  const plot = { title: 'Deviation', unit: 'mm', low: 0, high: high * 1.08, ticks, limits: [] };
  const y = drawTitledScale(sheet, plot, place);
  const { context, axis, colour } = sheet;
  context.textAlign = 'left';
  context.font = PLOT_FONT;
  context.fillStyle = colour('text2');
  if (!runDeviation || !most) {
    const why = runDeviation?.why ?? 'Run this toolpath to see it.';
    context.fillText(why, GUTTER_PX + 8, place.top + 8);
    return;
  }
  context.fillText(deviationText(runDeviation), GUTTER_PX + 8, place.top + 8);
  context.strokeStyle = colour('accent');
  context.lineWidth = 1.5;
  context.beginPath();
  for (const { at_s, tool_m } of runDeviation.deviations) {
    if (at_s < axis.from_s || at_s > axis.to_s) continue;
    context.lineTo(xOf(axis, at_s), y(tool_m * 1000));
  }
  context.stroke();
  context.lineWidth = 1;
}
