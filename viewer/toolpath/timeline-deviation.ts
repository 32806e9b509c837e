/** The plot of how far a running arm is from the plan: a solid line over the time of the plan. */
import { decimal, degrees } from '../panels/value-text.ts';
import { GUTTER_PX, xOf } from './timeline-axis.ts';
import { drawPlotFrame, type PlotPlace } from './timeline-plots.ts';
import { FONT, type Sheet } from './timeline-sheet.ts';
import type { Followed } from './toolpath-store.ts';

/** Ranges of the plot (mm): the first that holds all of it. */
const RANGES_MM = [0.05, 0.2, 1, 5, 20, 100];

/** The largest deviation in words; empty without a run. */
export function deviationWords(followed: Followed | null): string {
  const most = followed?.trace.most();
  if (!most) return '';
  const [tool, joint] = [decimal(most.tool_m * 1000, 3), decimal(degrees(most.joint_rad), 3)];
  return `most ${tool} mm at ${decimal(most.time_s, 2)} s, joints ${joint}°`;
}

/** Draws it in its place; without a run it says how to have one. */
export function drawDeviation(sheet: Sheet, followed: Followed | null, place: PlotPlace): void {
  const most = followed?.trace.most() ?? null;
  const most_mm = (most?.tool_m ?? 0) * 1000;
  const high = RANGES_MM.find((range) => range >= most_mm) ?? most_mm;
  const ticks = [0, high / 2, high];
  const plot = { title: 'Deviation', unit: 'mm', low: 0, high: high * 1.08, ticks, limits: [] };
  const y = drawPlotFrame(sheet, plot, place);
  const { context, axis, colour } = sheet;
  context.textAlign = 'left';
  context.font = FONT;
  context.fillStyle = colour('text2');
  if (!followed || !most) {
    context.fillText('Run this toolpath to see it.', GUTTER_PX + 8, place.top + 8);
    return;
  }
  context.fillText(deviationWords(followed), GUTTER_PX + 8, place.top + 8);
  context.strokeStyle = colour('accent');
  context.lineWidth = 1.5;
  context.beginPath();
  for (const { time_s, tool_m } of followed.trace.deviations) {
    if (time_s < axis.from_s || time_s > axis.to_s) continue;
    context.lineTo(xOf(axis, time_s), y(tool_m * 1000));
  }
  context.stroke();
  context.lineWidth = 1;
}
