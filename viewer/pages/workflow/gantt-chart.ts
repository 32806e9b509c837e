/**
 * The Gantt chart of a plan and its run: bars on one time axis, planned against actual, with a line
 * at the current time. Bars are buttons that persist during a run, so that focus and selection
 * stay; arrow keys move between bars.
 */
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { svg } from '../../ui/svg.ts';
import { deckOf, type Instrument } from './deck-layout.ts';
import {
  BarView,
  draftText,
  emptyText,
  labwareHue_deg,
  lanesHeight_px,
  type Scale,
} from './gantt-bar.ts';
import { type GanttLink, ganttLinks } from './gantt-links.ts';
import { chartEnd_s, type GanttRow, ganttRows } from './gantt-rows.ts';
import { durationText, elapsed_s, waitsSince_s } from './run-figures.ts';
import { ticksUntil } from './time-ticks.ts';
import type { WorkflowPanel } from './workflow-panel.ts';
import type { WorkflowStore } from './workflow-store.ts';
import { chartView, shownPlan, type WorkflowView } from './workflow-view.ts';

/** Width left of the axis for the row names (equal to timeline-axis). */
const GUTTER_PX = 116;
const RIGHT_PX = 40;
const TICK_GAP_PX = 110;
const ZOOM_MOST = 64;
/** With more lines than this, those of the selected bar are shown only. */
const LINKS_MOST = 60;
const BAR_MIDDLE_PX = 13;

/** Half the widths of the time of now and of a mark's label, with a gap. */
const COVERED_PX = 44;

const SAMPLES = ['planned', 'done', 'now', 'late', 'failed'] as const;

/** The meaning of the bars' looks; before a run all bars are planned and need no legend. */
function createLegend() {
  const samples = SAMPLES.map((word) =>
    element('span', { class: `gantt-sample gantt-sample-${word}` }, element('i'), word),
  );
  const legend = element('div', { class: 'gantt-legend', 'aria-hidden': 'true' }, ...samples);
  return {
    element: legend,
    update(run: WorkflowView['run'], rows: readonly GanttRow[]): void {
      legend.hidden = run === null;
      const failed = rows.some(({ bars }) => bars.some(({ state }) => state === 'failed'));
      samples.at(-1)!.hidden = !failed;
    },
  };
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
  private readonly links = svg('svg');
  private readonly title = element('h2', { id: 'gantt-title' });
  private readonly about = element('span', { class: 'sub gantt-about', role: 'status' });
  private readonly sheet: HTMLElement;
  private readonly scroll: HTMLElement;
  private readonly empty = element('p', { class: 'empty gantt-empty' });
  private readonly legend = createLegend();
  private shown: readonly GanttRow[] = [];
  private instruments: { of: unknown; list: readonly Instrument[] } = { of: null, list: [] };
  private zoom = 1;

  constructor(store: WorkflowStore) {
    this.store = store;
    setAttribute(this.rows, 'aria-label', 'Tasks and moves');
    this.nowLine.append(this.nowTime);
    setAttribute(this.links, 'class', 'gantt-links');
    setAttribute(this.links, 'aria-hidden', 'true');
    const layers = [this.grid, this.ruler, this.rows, this.links, this.nowLine];
    this.sheet = element('div', { class: 'gantt-sheet' }, ...layers);
    this.scroll = element('div', { class: 'gantt-scroll' }, this.sheet);
    const zoomer = (symbol: string, label: string, factor: number) =>
      button(
        { class: 'chip', 'aria-label': label, title: label },
        () => this.zoomBy(factor),
        symbol,
      );
    this.element = element(
      'section',
      { class: 'gantt', 'aria-labelledby': 'gantt-title' },
      element(
        'header',
        { class: 'section-head' },
        this.title,
        this.about,
        this.legend.element,
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

  private draw(given: WorkflowView): void {
    const isBeside = given.mode === 'json';
    setAttribute(this.element, 'role', isBeside ? undefined : 'main');
    setText(this.title, isBeside ? 'Plan' : 'Plan and run');
    setText(this.about, isBeside ? draftText(given) : '');
    const view = chartView(given);
    const { run, firstPlan, definition } = view;
    const width = this.scroll.clientWidth;
    if (width === 0) return;
    const plan = shownPlan(view);
    const instruments = this.named(definition);
    const since = { waitsSince_s: waitsSince_s(run, view.events) };
    this.shown = ganttRows({ run, plan, firstPlan, instruments, ...since });
    this.empty.hidden = this.shown.length > 0;
    setText(this.empty, emptyText(view));
    const now_s = run ? elapsed_s(run) : 0;
    const end_s = chartEnd_s(this.shown, now_s);
    const inner = (width - GUTTER_PX - RIGHT_PX) * this.zoom;
    this.sheet.style.width = `${(inner + GUTTER_PX + RIGHT_PX).toFixed(0)}px`;
    const x = (time_s: number) => (time_s / end_s) * inner;
    this.legend.update(run, this.shown);
    const marks = this.shown.length > 0 ? ticksUntil(end_s, (TICK_GAP_PX / inner) * end_s) : [];
    this.drawRuler(x, marks, run ? x(now_s) : null);
    const pieces = this.piecesOf();
    const hue_deg = (id: string) => (pieces.has(id) ? labwareHue_deg(pieces.get(id)!) : null);
    this.drawRows({ x, now_s, end_px: inner + RIGHT_PX, hue_deg });
    this.drawLinks(view, x);
    this.nowLine.hidden = run === null || this.shown.length === 0;
    this.nowLine.style.transform = `translateX(${(GUTTER_PX + x(now_s)).toFixed(1)}px)`;
    setText(this.nowTime, durationText(now_s));
    this.mark(view);
  }

  /** Draws the marks; without bars there are none, because there is no time to read. */
  private drawRuler(
    x: Scale['x'],
    marks: readonly { time_s: number; label: string }[],
    now_px: number | null,
  ): void {
    this.ruler.hidden = marks.length === 0;
    while (this.ruler.childElementCount > marks.length) this.ruler.lastElementChild!.remove();
    while (this.ruler.childElementCount < marks.length) this.ruler.append(element('span'));
    this.grid.replaceChildren(...marks.map(() => element('i')));
    for (const [i, { time_s, label }] of marks.entries()) {
      const mark = this.ruler.children[i] as HTMLElement;
      const left = `${(GUTTER_PX + x(time_s)).toFixed(1)}px`;
      mark.style.left = left;
      (this.grid.children[i] as HTMLElement).style.left = left;
      const isCovered = now_px !== null && Math.abs(x(time_s) - now_px) < COVERED_PX;
      setAttribute(mark, 'data-covered', isCovered);
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

  /** The pieces of labware by their order in time. */
  private piecesOf(): Map<string, number> {
    const bars = this.shown.flatMap((row) => row.bars).filter(({ labware }) => labware !== '');
    const ids = bars.sort((a, b) => a.shown.from_s - b.shown.from_s).map((bar) => bar.labware);
    return new Map([...new Set(ids)].sort().map((id, i) => [id, i] as const));
  }

  /** Lines from bar to bar: dependencies, and limits of time with their slack. */
  private drawLinks({ definition, run, selected }: WorkflowView, x: Scale['x']): void {
    const places = new Map(
      this.shown.flatMap((row) => row.bars.map((bar) => [bar.key, bar] as const)),
    );
    const known = ganttLinks(definition, run).filter(
      ({ from, to }) => places.has(from) && places.has(to),
    );
    const key = selected?.kind === 'bar' ? selected.key : '';
    const isOwn = ({ from, to }: GanttLink) => from === key || to === key;
    const few = known.length <= LINKS_MOST;
    const drawn = known.filter((one) => few || one.kind === 'limit' || isOwn(one));
    const y = (of: string) => {
      let top_px = BAR_MIDDLE_PX;
      let box: Element | null = this.bars.get(of)!.element;
      for (; box instanceof HTMLElement && box !== this.sheet; box = box.offsetParent)
        top_px += box.offsetTop;
      return top_px;
    };
    const at = (of: string, isEnd: boolean) => {
      const { from_s, to_s } = places.get(of)!.shown;
      return GUTTER_PX + x(isEnd ? to_s : from_s);
    };
    this.links.replaceChildren(
      ...drawn.map((link) => {
        const path = svg('path');
        const [x1, x2] = [at(link.from, link.fromEnd), at(link.to, link.toEnd)];
        const [y1, y2] = [y(link.from), y(link.to)];
        const bend = Math.max(8, Math.abs(x2 - x1) / 3);
        const middle = `C${x1 + bend} ${y1} ${x2 - bend} ${y2}`;
        setAttribute(path, 'd', `M${x1} ${y1} ${middle} ${x2} ${y2}`);
        setAttribute(path, 'data-kind', link.kind);
        setAttribute(path, 'data-state', link.state || undefined);
        setAttribute(path, 'data-own', isOwn(link));
        path.append(svg('title', {}, link.text));
        return path;
      }),
    );
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

/** Creates the chart of the run or plan in `store`. */
export function createGanttChart(store: WorkflowStore): WorkflowPanel {
  return new GanttChart(store);
}
