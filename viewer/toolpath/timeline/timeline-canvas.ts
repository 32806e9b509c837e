/**
 * Draws the timeline on its canvas: ruler, steps, outputs, cells, and the plots on the same axis.
 * Interaction is in timeline-sheet.tsx.
 */

import { hatch } from '../../ui/hatch.ts';
import { PLOT_FONT, type PlotArea } from '../../ui/plot.ts';
import { ticksOf, xOf } from '../../ui/time-axis.ts';
import { minutesText } from '../../ui/value-text.ts';
import type { TimedPath, TimedSegment } from '../timed-path.ts';
import type { ToolpathView } from '../toolpath-view.ts';
import { GUTTER_PX, RIGHT_PX, type TimelineSurface } from './timeline-axis.ts';
import { drawDeviation } from './timeline-deviation.ts';
import { drawPlot, type PlotName } from './timeline-plots.ts';

export const RULER_PX = 22;
/** A time is written beside its tick; the head of the cursor stands under the times. */
const BESIDE_PX = 7;
/** A longer path has minutes on its ruler. */
const MINUTES_FROM_S = 120;
const STEP_TOP = RULER_PX + 4;
const STEP_PX = 24;
/** A narrower move has no name: it is not measured. */
const LABEL_MIN_PX = 20;
const CELL_TOP = STEP_TOP + STEP_PX + 8;
const PLOTS_TOP = CELL_TOP + 28;
const BOTTOM_PX = 6;

const MOVE_TOKENS: Readonly<Record<string, string>> = {
  joint_space: 'move-joint',
  linear: 'move-linear',
  spline: 'move-spline',
  blocked: 'fault',
};

function drawRuler({ context, axis, height_px, colour }: TimelineSurface): void {
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  for (const time_s of ticksOf(axis)) {
    const x = Math.round(xOf(axis, time_s)) + 0.5;
    context.strokeStyle = colour('line');
    context.beginPath();
    context.moveTo(x, RULER_PX);
    context.lineTo(x, height_px - BOTTOM_PX);
    context.stroke();
    context.fillStyle = colour('text2');
    const text =
      axis.to_s < MINUTES_FROM_S ? `${Number(time_s.toFixed(3))} s` : minutesText(time_s);
    context.fillText(text, x + BESIDE_PX, RULER_PX / 2);
  }
}

function drawGutter({ context, colour }: TimelineSurface): void {
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillStyle = colour('text');
  context.font = `600 ${PLOT_FONT}`;
  context.fillText('Steps', 16, STEP_TOP + STEP_PX / 2);
  context.font = PLOT_FONT;
}

/** A filled bar of a move, faint unless selected, with its name if it fits. */
function drawMove(
  sheet: TimelineSurface,
  segment: TimedSegment,
  { selected, label }: { readonly selected: boolean; readonly label: string },
): void {
  const { context, axis, colour } = sheet;
  const left = xOf(axis, segment.start_s);
  const width = Math.max(xOf(axis, segment.start_s + segment.duration_s) - left - 1, 1);
  const tint = colour(MOVE_TOKENS[segment.kind] ?? 'line2');
  context.fillStyle = tint;
  context.globalAlpha = selected ? 1 : 0.24;
  context.beginPath();
  context.roundRect(left, STEP_TOP, width, STEP_PX, Math.min(4, width / 2));
  context.fill();
  context.globalAlpha = 1;
  context.fillRect(left, STEP_TOP, Math.min(3, width), STEP_PX);
  if (label && width > LABEL_MIN_PX && context.measureText(label).width < width - 14) {
    context.textAlign = 'left';
    context.fillStyle = colour(selected ? 'panel' : 'text');
    context.fillText(label, left + 8, STEP_TOP + STEP_PX / 2 + 0.5);
  }
}

function drawWait(sheet: TimelineSurface, segment: TimedSegment): void {
  const { context, axis, colour } = sheet;
  const left = xOf(axis, segment.start_s) + 1;
  const width = xOf(axis, segment.start_s + segment.duration_s) - left - 2;
  if (width < 2) return;
  context.strokeStyle = colour('line2');
  context.setLineDash([2, 2]);
  context.strokeRect(left + 0.5, STEP_TOP + 0.5, width, STEP_PX - 1);
  context.setLineDash([]);
}

function drawProblem(sheet: TimelineSurface, segment: TimedSegment): void {
  const { problem } = segment;
  if (!problem) return;
  const { context, axis, colour, height_px } = sheet;
  const left = xOf(axis, segment.start_s + problem.from_s);
  const width = Math.max(xOf(axis, segment.start_s + segment.duration_s) - left, 8);
  context.fillStyle = colour('fault');
  context.fillRect(left, STEP_TOP, width, STEP_PX);
  context.globalAlpha = 0.13;
  context.fillRect(left, PLOTS_TOP, width, height_px - PLOTS_TOP - BOTTOM_PX);
  context.globalAlpha = 1;
  context.fillStyle = colour('panel');
  context.textAlign = 'center';
  context.font = `600 ${PLOT_FONT}`;
  context.fillText('!', left + Math.min(width, 24) / 2, STEP_TOP + STEP_PX / 2 + 0.5);
  context.font = PLOT_FONT;
}

function drawOutput({ context, axis, colour }: TimelineSurface, segment: TimedSegment): void {
  const x = xOf(axis, segment.start_s);
  const y = STEP_TOP + STEP_PX + 8;
  context.fillStyle = colour('text');
  context.beginPath();
  context.moveTo(x, y - 4);
  context.lineTo(x + 4, y);
  context.lineTo(x, y + 4);
  context.lineTo(x - 4, y);
  context.fill();
}

/** Brackets under the segments of each grid cell. */
function drawCells({ context, axis, colour }: TimelineSurface, { segments }: TimedPath): void {
  const y = CELL_TOP + 10.5;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let i = 0; i < segments.length; ) {
    const key = segments[i]!.cell.join();
    const first = i;
    while (i < segments.length && segments[i]!.cell.join() === key) i++;
    if (!key) continue;
    const last = segments[i - 1]!;
    const from = xOf(axis, segments[first]!.start_s) + 2;
    const to = xOf(axis, last.start_s + last.duration_s) - 2;
    if (to - from < 4) continue;
    context.strokeStyle = colour('line2');
    context.beginPath();
    context.moveTo(from, y);
    context.lineTo(to, y);
    context.stroke();
    const label = `cell ${segments[first]!.cell.map((cell) => cell + 1).join(', ')}`;
    if (context.measureText(label).width > to - from) continue;
    context.fillStyle = colour('text3');
    context.fillText(label, (from + to) / 2, y + 10);
  }
}

function drawSteps(
  sheet: TimelineSurface,
  view: ToolpathView,
  names: ReadonlyMap<string, string>,
): void {
  for (const segment of view.path!.segments) {
    const end_s = segment.start_s + segment.duration_s;
    if (end_s < sheet.axis.from_s || segment.start_s > sheet.axis.to_s) continue;
    // The segments of a recording have no step.
    const selected = segment.at !== '' && segment.at === view.selected;
    if (segment.kind === 'wait') drawWait(sheet, segment);
    else if (segment.kind === 'output') drawOutput(sheet, segment);
    else if (segment.duration_s > 0 || segment.kind === 'blocked') {
      drawMove(sheet, segment, { selected, label: names.get(segment.at) ?? '' });
    }
  }
}

/** Hatches what is not known of a recording, over what lies between the last and the next report. */
function drawUnheard(sheet: TimelineSurface, [from_s, to_s]: readonly [number, number]): void {
  const { context, axis, colour, height_px } = sheet;
  const left = Math.max(xOf(axis, from_s), GUTTER_PX);
  const right = Math.min(xOf(axis, to_s), axis.width_px - RIGHT_PX);
  if (right <= left) return;
  const [top, bottom] = [STEP_TOP, height_px - BOTTOM_PX];
  context.fillStyle = colour('panel');
  context.fillRect(left, top, right - left, bottom - top);
  context.strokeStyle = colour('line2');
  hatch(context, { left, right, top, bottom });
  const label = 'not heard';
  const width = context.measureText(label).width;
  if (right - left <= width + 16) return;
  context.textAlign = 'center';
  context.fillStyle = colour('panel');
  const middle = (left + right) / 2;
  context.fillRect(middle - width / 2 - 4, STEP_TOP + 3, width + 8, STEP_PX - 6);
  context.fillStyle = colour('text');
  context.fillText(label, middle, STEP_TOP + STEP_PX / 2 + 0.5);
}

/** Draws everything except the cursor. */
export function drawTimeline(
  sheet: TimelineSurface,
  view: ToolpathView,
  shown: { readonly plots: readonly PlotName[]; readonly names: ReadonlyMap<string, string> },
): void {
  const { context, axis, height_px } = sheet;
  context.clearRect(0, 0, axis.width_px, height_px);
  const { path } = view;
  if (!path) return;
  context.font = PLOT_FONT;
  context.lineWidth = 1;
  drawRuler(sheet);
  drawGutter(sheet);
  const inner = { x: GUTTER_PX - 4, width: axis.width_px - GUTTER_PX - RIGHT_PX + 8 };
  context.save();
  context.beginPath();
  context.rect(inner.x, 0, inner.width, height_px);
  context.clip();
  drawSteps(sheet, view, shown.names);
  drawCells(sheet, path);
  for (const segment of path.segments) drawProblem(sheet, segment);
  context.restore();
  const each = (height_px - PLOTS_TOP - BOTTOM_PX) / Math.max(shown.plots.length, 1);
  for (const [i, name] of shown.plots.entries()) {
    const area: PlotArea = {
      top: PLOTS_TOP + i * each + 8,
      bottom: PLOTS_TOP + (i + 1) * each - 6,
    };
    if (name === 'deviation') drawDeviation(sheet, view.runDeviation, area);
    else drawPlot(sheet, name, { path, area });
  }
  for (const span of path.unheard ?? []) drawUnheard(sheet, span);
}
