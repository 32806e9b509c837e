/**
 * One bar of the Gantt chart: box, progress, lateness, planned line and name. Elements are reused
 * between updates, so that the focus stays.
 */

import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { type GanttBar, LATE_THRESHOLD_S, lateness_s } from './gantt-rows.ts';
import { durationText } from './run-figures.ts';
import type { WorkflowView } from './workflow-view.ts';

const BAR_PX = 26;
/** Space above the first lane for the planned line. */
const TOP_PX = 12;
/** Height of a lane; a name below its bar needs a row with one lane. */
const LANE_PX = 32;
const NAME_PX = 15;
const CHARACTER_PX = 6.4;
/** Least width of a failed bar: its colour shows beside that of its labware. */
const FAILED_LEAST_PX = 11;

/** Height of a row with that many lanes. */
export function lanesHeight_px(lanes: number): number {
  return TOP_PX + (lanes > 1 ? lanes * LANE_PX : BAR_PX + NAME_PX);
}

const STATE_TEXT: Record<GanttBar['state'], string> = {
  planned: 'planned',
  running: 'running',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

/** The angle between the hues of neighbouring pieces (degrees): that of the golden section. */
const HUE_STEP_DEG = 137.5;

/** The hue of a piece of labware by its place in a list (degrees). */
export function labwareHue_deg(index: number): number {
  return Math.round((200 + index * HUE_STEP_DEG) % 360);
}

/** Accessible description of a bar. */
export function barSentence(bar: GanttBar, where: string): string {
  const { planned, shown, state, label, error } = bar;
  const from = `${durationText(shown.from_s)} to ${durationText(shown.to_s)}`;
  const plan = planned
    ? `, planned ${durationText(planned.from_s)} to ${durationText(planned.to_s)}`
    : '';
  const late = lateness_s(bar) > LATE_THRESHOLD_S ? `, ${durationText(lateness_s(bar))} late` : '';
  const piece = bar.labware === '' || label.includes(bar.labware) ? '' : `, ${bar.labware}`;
  const what = `${label}${piece}, ${where}, ${STATE_TEXT[state]}`;
  return `${what}, ${from}${plan}${late}${error ? `: ${error}` : ''}`;
}

/** Scale of the chart, and the current time (s). */
export interface Scale {
  /** The hue of a piece (degrees); null for none. */
  readonly hue_deg: (labware: string) => number | null;
  readonly x: (time_s: number) => number;
  readonly now_s: number;
  /** Right end of the chart. */
  readonly end_px: number;
}

/** One bar with its planned line. */
export class BarView {
  readonly element: HTMLButtonElement;
  readonly plan = element('span', { class: 'gantt-plan' });
  readonly label = element('span', { class: 'gantt-label' });
  private readonly done = element('span', { class: 'gantt-done' });
  private readonly late = element('span', { class: 'gantt-late' });
  private readonly piece = element('span', { class: 'gantt-piece' });
  /** Elapsed part of a running bar (px). */
  private passed_px = 0;

  constructor(select: () => void) {
    this.element = button({ class: 'gantt-bar' }, select, this.done, this.late, this.piece);
  }

  draw(bar: GanttBar, where: string, { x, now_s, hue_deg }: Scale): void {
    const { shown, planned, state } = bar;
    const left = x(shown.from_s);
    const width = Math.max(x(shown.to_s) - left, state === 'failed' ? FAILED_LEAST_PX : 3);
    const top = TOP_PX + bar.lane * LANE_PX;
    const box = this.element;
    setAttribute(box, 'data-state', state);
    setAttribute(box, 'data-key', bar.key);
    setAttribute(box, 'data-labware', bar.labware || undefined);
    setAttribute(box, 'aria-label', barSentence(bar, where));
    setAttribute(box, 'title', barSentence(bar, where));
    place(box, left, width);
    box.style.top = `${top}px`;
    const hue = hue_deg(bar.labware);
    this.piece.hidden = hue === null;
    if (hue !== null) this.piece.style.setProperty('--hue', String(hue));
    this.passed_px = state === 'running' ? Math.min(x(now_s) - left, width) : 0;
    this.done.hidden = state !== 'running';
    this.done.style.width = `${Math.max(this.passed_px, 0).toFixed(1)}px`;
    this.drawLate(bar, x);
    const moved =
      planned !== null && Math.abs(planned.from_s - shown.from_s) > LATE_THRESHOLD_S / 2;
    const longer = planned !== null && Math.abs(planned.to_s - shown.to_s) > LATE_THRESHOLD_S / 2;
    this.plan.hidden = !(planned && (moved || longer || state !== 'planned'));
    if (planned)
      place(this.plan, x(planned.from_s), Math.max(x(planned.to_s) - x(planned.from_s), 2));
    this.plan.style.top = `${top - 5}px`;
  }

  private drawLate(bar: GanttBar, x: Scale['x']): void {
    const late = lateness_s(bar) > LATE_THRESHOLD_S && bar.planned !== null;
    this.late.hidden = !late;
    if (!late) return;
    const from = Math.max(bar.planned!.to_s, bar.shown.from_s);
    this.late.style.width = `${(x(bar.shown.to_s) - x(from)).toFixed(1)}px`;
  }

  /**
   * Places the name inside the bar if it fits, otherwise below if there is space before the next
   * bar.
   */
  name(bar: GanttBar, x: Scale['x'], room_px: number): void {
    const left = x(bar.shown.from_s);
    const width = x(bar.shown.to_s) - left;
    // A failure is said in a word where there is space, because its colour alone is not enough.
    const long = bar.state === 'failed' ? `${bar.label} failed` : bar.label;
    const text = long.length * CHARACTER_PX > Math.max(room_px, width - 12) ? bar.label : long;
    const wanted = text.length * CHARACTER_PX;
    const inside = wanted + 12 < width;
    setText(this.label, text);
    setAttribute(this.label, 'data-inside', inside);
    setAttribute(this.label, 'data-state', bar.state);
    this.label.hidden = !inside && wanted > room_px;
    setAttribute(this.label, 'data-over', inside && this.passed_px > wanted + 8);
    this.label.style.left = `${(inside ? left + 8 : left).toFixed(1)}px`;
    this.label.style.top = `${TOP_PX + bar.lane * LANE_PX + (inside ? 0 : BAR_PX)}px`;
  }
}

function place(target: HTMLElement, left: number, width: number): void {
  target.style.left = `${left.toFixed(1)}px`;
  target.style.width = `${width.toFixed(1)}px`;
}

/** What the plan beside the editor is. */
export function draftText({ draft, isPlanning, checks }: WorkflowView): string {
  if (isPlanning) return 'Planning';
  if (!draft) return '';
  if (checks.errors.length > 0) return 'of the last text without errors';
  return `ends after ${durationText(draft.makespan)}`;
}

/** What the chart says while it is empty. */
export function emptyText({
  run,
  workflow_id,
  mode,
  busy,
  isPlanning,
  checks,
}: Pick<WorkflowView, 'run' | 'workflow_id' | 'mode' | 'busy' | 'isPlanning' | 'checks'>): string {
  const isOnItsWay = mode === 'json' ? isPlanning : busy && !run;
  if (isOnItsWay) return 'Planning…';
  const isValid = checks.checked && checks.errors.length === 0;
  if (mode === 'json' && isValid) return 'There is nothing to plan yet: add a task.';
  if (mode === 'json') return 'The plan appears here when the text has no errors.';
  if (run)
    return 'Only the events of this run are available, because the server has restarted since.';
  return workflow_id === null
    ? 'Save the definition, then plan it.'
    : 'Plan the workflow to see it here.';
}
