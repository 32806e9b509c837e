/**
 * One bar of the chart: its box, how much of it has passed, how late it is, the line of its plan,
 * its name. Kept from one picture to the next, so that focus stays.
 */
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { type GanttBar, LATE_S, lateness_s } from './gantt-rows.ts';
import { durationText } from './run-figures.ts';

const BAR_PX = 26;
/** Above the first lane, for the planned line. */
const TOP_PX = 12;
/** From one lane to the next; a name below its bar needs a row with one lane. */
const LANE_PX = 32;
const NAME_PX = 15;
const CHARACTER_PX = 6.4;

/** Height of a row with so many lanes. */
export function lanesHeight_px(lanes: number): number {
  return TOP_PX + (lanes > 1 ? lanes * LANE_PX : BAR_PX + NAME_PX);
}

const STATE_WORDS: Record<GanttBar['state'], string> = {
  planned: 'planned',
  running: 'running',
  done: 'done',
  failed: 'failed',
  skipped: 'left out',
};

/** What a bar says to those who do not see it. */
export function barSentence(bar: GanttBar, where: string): string {
  const { planned, shown, state, words, error } = bar;
  const from = `${durationText(shown.from_s)} to ${durationText(shown.to_s)}`;
  const plan = planned
    ? `, planned ${durationText(planned.from_s)} to ${durationText(planned.to_s)}`
    : '';
  const late = lateness_s(bar) > LATE_S ? `, ${durationText(lateness_s(bar))} late` : '';
  const what = `${words}, ${where}, ${STATE_WORDS[state]}`;
  return `${what}, ${from}${plan}${late}${error ? `: ${error}` : ''}`;
}

/** Where times stand, and the present (s). */
export interface Scale {
  readonly x: (time_s: number) => number;
  readonly now_s: number;
  /** Where the sheet ends. */
  readonly end_px: number;
}

/** One bar with its planned line; kept from one picture to the next. */
export class BarView {
  readonly element: HTMLButtonElement;
  readonly plan = element('span', { class: 'gantt-plan' });
  readonly words = element('span', { class: 'gantt-words' });
  private readonly done = element('span', { class: 'gantt-done' });
  private readonly late = element('span', { class: 'gantt-late' });
  /** How much of a running bar has passed. */
  private passed_px = 0;

  constructor(select: () => void) {
    this.element = button({ class: 'gantt-bar' }, select, this.done, this.late);
  }

  draw(bar: GanttBar, where: string, { x, now_s }: Scale): void {
    const { shown, planned, state } = bar;
    const left = x(shown.from_s);
    const width = Math.max(x(shown.to_s) - left, 3);
    const top = TOP_PX + bar.lane * LANE_PX;
    const box = this.element;
    setAttribute(box, 'data-state', state);
    setAttribute(box, 'data-key', bar.key);
    setAttribute(box, 'aria-label', barSentence(bar, where));
    setAttribute(box, 'title', barSentence(bar, where));
    place(box, left, width);
    box.style.top = `${top}px`;
    this.passed_px = state === 'running' ? Math.min(x(now_s) - left, width) : 0;
    this.done.hidden = state !== 'running';
    this.done.style.width = `${Math.max(this.passed_px, 0).toFixed(1)}px`;
    this.drawLate(bar, x);
    const moved = planned !== null && Math.abs(planned.from_s - shown.from_s) > LATE_S / 2;
    const longer = planned !== null && Math.abs(planned.to_s - shown.to_s) > LATE_S / 2;
    this.plan.hidden = !(planned && (moved || longer || state !== 'planned'));
    if (planned)
      place(this.plan, x(planned.from_s), Math.max(x(planned.to_s) - x(planned.from_s), 2));
    this.plan.style.top = `${top - 5}px`;
  }

  private drawLate(bar: GanttBar, x: Scale['x']): void {
    const late = lateness_s(bar) > LATE_S && bar.planned !== null;
    this.late.hidden = !late;
    if (!late) return;
    const from = Math.max(bar.planned!.to_s, bar.shown.from_s);
    this.late.style.width = `${(x(bar.shown.to_s) - x(from)).toFixed(1)}px`;
  }

  /** Writes the name inside where it fits, else below where the next bar leaves room. */
  name(bar: GanttBar, x: Scale['x'], room_px: number): void {
    const left = x(bar.shown.from_s);
    const width = x(bar.shown.to_s) - left;
    const wanted = bar.words.length * CHARACTER_PX;
    const inside = wanted + 12 < width;
    setText(this.words, bar.words);
    setAttribute(this.words, 'data-inside', inside);
    setAttribute(this.words, 'data-state', bar.state);
    this.words.hidden = !inside && wanted > room_px;
    setAttribute(this.words, 'data-over', inside && this.passed_px > wanted + 8);
    this.words.style.left = `${(inside ? left + 8 : left).toFixed(1)}px`;
    this.words.style.top = `${TOP_PX + bar.lane * LANE_PX + (inside ? 0 : BAR_PX)}px`;
  }
}

function place(target: HTMLElement, left: number, width: number): void {
  target.style.left = `${left.toFixed(1)}px`;
  target.style.width = `${width.toFixed(1)}px`;
}
