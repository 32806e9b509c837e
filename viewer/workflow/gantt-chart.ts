/**
 * The Gantt chart of a plan and its run: bars on one time axis, planned against actual, with a line
 * at the current time. Bars are buttons that persist during a run, so that focus and selection
 * stay; arrow keys move between bars.
 */
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { deckOf, type Instrument } from './deck-layout.ts';
import { BarView, lanesHeight_px, type Scale } from './gantt-bar.ts';
import { chartEnd_s, type GanttRow, ganttRows } from './gantt-rows.ts';
import { durationText, elapsed_s, ticksUntil } from './run-figures.ts';
import {
  shownPlan,
  type WorkflowPanel,
  type WorkflowStore,
  type WorkflowView,
} from './workflow-store.ts';

/** Width left of the axis for the row names (equal to timeline-axis). */
const GUTTER_PX = 116;
const RIGHT_PX = 40;
const TICK_GAP_PX = 110;
const ZOOM_MOST = 64;

function legend(): HTMLElement {
  const names = ['planned', 'done', 'now', 'late'].map((word) =>
    element('span', { class: `gantt-sample gantt-sample-${word}` }, element('i'), word),
  );
  return element('div', { class: 'gantt-legend', 'aria-hidden': 'true' }, ...names);
}

class GanttChart implements WorkflowPanel {
  readonly element: HTMLElement;
  private readonly store: WorkflowStore;
  private readonly bars = new Map<string, BarView>();
  private readonly lanes = new Map<string, HTMLElement>();
  private readonly ruler = element('div', { class: 'gantt-ruler', 'aria-hidden': 'true' });
  private readonly grid = element('div', { class: 'gantt-grid', 'aria-hidden': 'true' });
  private readonly rows = element('div', { class: 'gantt-rows', role: 'group' });
  private readonly nowLine = element('div', { class: 'gantt-now', 'aria-hidden': 'true' });
  private readonly nowTime = element('b');
  private readonly sheet: HTMLElement;
  private readonly scroll: HTMLElement;
  private readonly empty = element('p', { class: 'empty gantt-empty' });
  private shown: readonly GanttRow[] = [];
  private instruments: { of: unknown; list: readonly Instrument[] } = { of: null, list: [] };
  private zoom = 1;

  constructor(store: WorkflowStore) {
    this.store = store;
    setAttribute(this.rows, 'aria-label', 'Tasks and moves');
    this.nowLine.append(this.nowTime);
    const layers = [this.grid, this.ruler, this.rows, this.nowLine];
    this.sheet = element('div', { class: 'gantt-sheet' }, ...layers);
    this.scroll = element('div', { class: 'gantt-scroll' }, this.sheet);
    const zoomer = (symbol: string, label: string, factor: number) =>
      button(
        { class: 'chip', 'aria-label': label, title: label },
        () => this.zoomBy(factor),
        symbol,
      );
    this.element = element(
      'main',
      { class: 'gantt', 'aria-labelledby': 'gantt-title' },
      element(
        'header',
        { class: 'section-head' },
        element('h2', { id: 'gantt-title' }, 'Plan and run'),
        element('span', { class: 'age' }),
        legend(),
        element(
          'div',
          { class: 'choice', role: 'group', 'aria-label': 'Zoom' },
          zoomer('−', 'Show more time', 0.5),
          zoomer('Fit', 'Show all', 0),
          zoomer('+', 'Show less time', 2),
        ),
      ),
      this.empty,
      this.scroll,
    );
    this.rows.addEventListener('keydown', (event) => this.step(event));
    new ResizeObserver(() => this.draw(store.view())).observe(this.scroll);
  }

  update(view: WorkflowView, before: WorkflowView | null): void {
    if (view.run?.id !== before?.run?.id || view.workflow_id !== before?.workflow_id) this.zoom = 1;
    this.draw(view);
  }

  private zoomBy(factor: number): void {
    const middle = (this.scroll.scrollLeft + this.scroll.clientWidth / 2) / this.sheet.clientWidth;
    this.zoom = factor === 0 ? 1 : Math.min(Math.max(this.zoom * factor, 1), ZOOM_MOST);
    this.draw(this.store.view());
    this.scroll.scrollLeft = middle * this.sheet.clientWidth - this.scroll.clientWidth / 2;
  }

  private named(definition: unknown): readonly Instrument[] {
    if (definition !== this.instruments.of) {
      this.instruments = { of: definition, list: deckOf(definition).instruments };
    }
    return this.instruments.list;
  }

  private draw(view: WorkflowView): void {
    const { run, firstPlan, definition } = view;
    const width = this.scroll.clientWidth;
    if (width === 0) return;
    const plan = shownPlan(view);
    this.shown = ganttRows({ run, plan, firstPlan, instruments: this.named(definition) });
    this.empty.hidden = this.shown.length > 0;
    setText(this.empty, emptyText(view));
    const now_s = run ? elapsed_s(run) : 0;
    const end_s = chartEnd_s(this.shown, now_s);
    const inner = (width - GUTTER_PX - RIGHT_PX) * this.zoom;
    this.sheet.style.width = `${(inner + GUTTER_PX + RIGHT_PX).toFixed(0)}px`;
    const x = (time_s: number) => (time_s / end_s) * inner;
    this.drawRuler(x, ticksUntil(end_s, (TICK_GAP_PX / inner) * end_s));
    this.drawRows({ x, now_s, end_px: inner + RIGHT_PX });
    this.nowLine.hidden = run === null || this.shown.length === 0;
    this.nowLine.style.transform = `translateX(${(GUTTER_PX + x(now_s)).toFixed(1)}px)`;
    setText(this.nowTime, durationText(now_s));
    this.mark(view);
  }

  private drawRuler(x: Scale['x'], marks: readonly { time_s: number; label: string }[]): void {
    while (this.ruler.childElementCount > marks.length) this.ruler.lastElementChild!.remove();
    while (this.ruler.childElementCount < marks.length) this.ruler.append(element('span'));
    this.grid.replaceChildren(...marks.map(() => element('i')));
    for (const [i, { time_s, label }] of marks.entries()) {
      const mark = this.ruler.children[i] as HTMLElement;
      const left = `${(GUTTER_PX + x(time_s)).toFixed(1)}px`;
      mark.style.left = left;
      (this.grid.children[i] as HTMLElement).style.left = left;
      setText(mark, label);
    }
  }

  private drawRows(scale: Scale): void {
    const used = new Set<string>();
    const rows = this.shown.map((row) => {
      const lane = this.laneOf(row);
      for (const [i, bar] of row.bars.entries()) {
        used.add(bar.key);
        const next = row.bars.slice(i + 1).find((other) => other.lane === bar.lane);
        const to = next ? scale.x(next.shown.from_s) : scale.end_px;
        const view = this.barOf(bar.key);
        view.draw(bar, row.name, scale);
        view.name(bar, scale.x, to - scale.x(bar.shown.from_s) - 4);
        if (view.element.parentElement !== lane) lane.append(view.plan, view.element, view.label);
      }
      return lane.parentElement!;
    });
    for (const [key, view] of this.bars) {
      if (used.has(key)) continue;
      for (const part of [view.element, view.plan, view.label]) part.remove();
      this.bars.delete(key);
    }
    const same = rows.length === this.rows.childElementCount;
    if (!same || rows.some((row, i) => row !== this.rows.children[i])) {
      this.rows.replaceChildren(...rows);
    }
  }

  private laneOf({ id, name, lanes }: GanttRow): HTMLElement {
    let lane = this.lanes.get(id);
    if (!lane) {
      lane = element('div', { class: 'gantt-lane' });
      element('div', { class: 'gantt-row' }, element('bdi', { class: 'gantt-name' }), lane);
      this.lanes.set(id, lane);
    }
    setText(lane.previousElementSibling!, name);
    lane.style.minHeight = `${lanesHeight_px(lanes)}px`;
    return lane;
  }

  private barOf(key: string): BarView {
    const known = this.bars.get(key);
    if (known) return known;
    const made = new BarView(() => this.store.set({ selected: { kind: 'bar', key } }));
    this.bars.set(key, made);
    return made;
  }

  /** Marks the selected bar; only one bar is a tab stop. */
  private mark({ selected }: WorkflowView): void {
    const key = selected?.kind === 'bar' && this.bars.has(selected.key) ? selected.key : null;
    const stop = key ?? this.shown[0]?.bars[0]?.key;
    for (const [each, view] of this.bars) {
      setAttribute(view.element, 'aria-pressed', String(each === key));
      setAttribute(view.element, 'tabindex', each === stop ? '0' : '-1');
    }
  }

  private step(event: KeyboardEvent): void {
    const key = event.target instanceof HTMLElement ? event.target.dataset['key'] : undefined;
    const row = this.shown.findIndex(({ bars }) => bars.some((bar) => bar.key === key));
    if (row < 0) return;
    const bars = this.shown[row]!.bars;
    const at = bars.findIndex((bar) => bar.key === key);
    const { from_s } = bars[at]!.shown;
    const nearest = (of: GanttRow | undefined) =>
      of?.bars.reduce((a, b) =>
        Math.abs(b.shown.from_s - from_s) < Math.abs(a.shown.from_s - from_s) ? b : a,
      );
    const target = {
      ArrowLeft: bars[at - 1],
      ArrowRight: bars[at + 1],
      ArrowUp: nearest(this.shown[row - 1]),
      ArrowDown: nearest(this.shown[row + 1]),
    }[event.key];
    if (!target) return;
    event.preventDefault();
    this.store.set({ selected: { kind: 'bar', key: target.key } });
    this.bars.get(target.key)?.element.focus();
  }
}

function emptyText({ run, workflow_id }: WorkflowView): string {
  if (run)
    return 'Only the events of this run are available, because the server has restarted since.';
  return workflow_id === null
    ? 'Save the definition, then plan it.'
    : 'Plan the workflow to see it here.';
}

/** Creates the chart of the run or plan in `store`. */
export function createGanttChart(store: WorkflowStore): WorkflowPanel {
  return new GanttChart(store);
}
