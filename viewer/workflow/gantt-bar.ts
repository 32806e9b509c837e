/**
 * One bar of the Gantt chart: box, progress, lateness, planned line and name. Elements are reused
 * between updates, so that the focus stays. Also: the figures of a run's header.
 */
import type { Delivery, RunDetails, RunEvent, WorkflowPlan } from '../../contract/types.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { type GanttBar, LATE_THRESHOLD_S, lateness_s } from './gantt-rows.ts';
import type { WorkflowView } from './workflow-store.ts';

/** Figures of a run's header: progress, remaining time and delay. Pure. */

export interface RunFigures {
  readonly elapsed_s: number;
  /** Planned time left; null after the run has ended. */
  readonly left_s: number | null;
  /** How much later than first planned the run ends; 0 if on time. */
  readonly behind_s: number;
  readonly done: number;
  readonly tasks: number;
}

const COMPLETED_STATES: readonly string[] = ['succeeded', 'completed_manually', 'skipped'];
const FINISHED_STATES: readonly string[] = [...COMPLETED_STATES, 'aborted'];

const RUN_TEXT = { started: 'Running', paused: 'Paused', stopped: 'Stopped' } as const;

/** State of a run in words; the API calls a run that has completed its tasks stopped, too. */
export function runStateText({
  state,
  pausing,
  tasks,
}: Pick<RunDetails, 'state' | 'pausing' | 'tasks'>): string {
  if (pausing) return 'Pausing after the running tasks';
  const isCompleted = tasks.every((task) => COMPLETED_STATES.includes(task.state));
  return state === 'stopped' && isCompleted ? 'Completed' : RUN_TEXT[state];
}

/** Whether the message of a state says it, too, as "stopped by user" and "completed" do. */
export function statesItself(message: string | null, state: string): boolean {
  const [word] = message?.split(/[ ;]/) ?? [];
  return state !== '' && (word === state || (state === 'stopped' && word === 'completed'));
}

/** State and message of a run in a list, where its tasks are not known. */
export function runHeadText({ state, message }: Pick<RunDetails, 'state' | 'message'>): string {
  if (message && statesItself(message, state))
    return message.charAt(0).toUpperCase() + message.slice(1);
  return message ? `${RUN_TEXT[state]}: ${message}` : RUN_TEXT[state];
}

/** Elapsed time (s); of a stopped run, the time at which it stopped. */
export function elapsed_s({ now_s, started_at, stopped_at }: RunDetails): number {
  return stopped_at === null ? now_s : (Date.parse(stopped_at) - Date.parse(started_at)) / 1000;
}

/**
 * Since when the plan of a paused run waits (s since its start): since the pause, or since a newer
 * plan. Null while it runs.
 */
export function waitsSince_s(run: RunDetails | null, events: readonly RunEvent[]): number | null {
  if (run?.state !== 'paused') return null;
  const last = events.findLast(
    ({ hook_type }) => hook_type === 'RunStateChangeHook' || hook_type === 'NewPlanHook',
  );
  if (!last) return null;
  const since_s = (Date.parse(last.body.timestamp) - Date.parse(run.started_at)) / 1000;
  return Math.min(since_s, run.now_s);
}

/** Figures of `run` relative to the plan it started with; `delay_s` is that of unstarted work. */
export function runFigures(run: RunDetails, first: WorkflowPlan | null, delay_s = 0): RunFigures {
  const passed_s = elapsed_s(run);
  const makespan_s = (run.plan?.makespan ?? passed_s) + delay_s;
  const ended = run.state === 'stopped';
  const end_s = ended ? passed_s : Math.max(makespan_s, passed_s);
  const over = run.tasks.filter(({ state }) => FINISHED_STATES.includes(state)).length;
  return {
    elapsed_s: passed_s,
    left_s: ended ? null : Math.max(makespan_s - passed_s, 0),
    behind_s: first ? Math.max(end_s - first.makespan, 0) : 0,
    done: over,
    tasks: run.tasks.length,
  };
}

/** "31 sent, 1 waiting, 2 failed"; zero counts are omitted, "none" without deliveries. */
export function deliveryCountText(deliveries: readonly Delivery[]): string {
  const count = (...states: readonly Delivery['state'][]) =>
    deliveries.filter(({ state }) => states.includes(state)).length;
  const parts = [`${count('delivered')} sent`];
  if (count('pending') > 0) parts.push(`${count('pending')} waiting`);
  if (count('dead', 'disabled') > 0) parts.push(`${count('dead', 'disabled')} failed`);
  return deliveries.length === 0 ? 'none' : parts.join(', ');
}

/** Minutes and seconds, with hours if needed: 15:12, 1:02:03. */
export function durationText(time_s: number): string {
  const whole = Math.max(Math.round(time_s), 0);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const STEPS_S = [
  1, 2, 5, 10, 20, 30, 60, 120, 240, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400,
];

/** Round times (s) from 0 to `end_s` with labels, at least `least_s` apart. */
export function ticksUntil(end_s: number, least_s: number): { time_s: number; label: string }[] {
  const step_s = STEPS_S.find((step) => step >= least_s) ?? Math.ceil(least_s / 86400) * 86400;
  const [unit_s, unit] = step_s >= 3600 ? [3600, 'h'] : step_s >= 60 ? [60, 'min'] : [1, 's'];
  return Array.from({ length: Math.floor(end_s / step_s) + 1 }, (_, i) => {
    const time_s = i * step_s;
    return { time_s, label: `${Number((time_s / unit_s).toFixed(2))} ${unit}` };
  });
}

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
  isPlanning,
  checks,
}: Pick<WorkflowView, 'run' | 'workflow_id' | 'mode' | 'isPlanning' | 'checks'>): string {
  if (mode === 'json' && isPlanning) return 'Planning…';
  const isValid = checks.checked && checks.errors.length === 0;
  if (mode === 'json' && isValid) return 'There is nothing to plan yet: add a task.';
  if (mode === 'json') return 'The plan appears here when the text has no errors.';
  if (run)
    return 'Only the events of this run are available, because the server has restarted since.';
  return workflow_id === null
    ? 'Save the definition, then plan it.'
    : 'Plan the workflow to see it here.';
}
