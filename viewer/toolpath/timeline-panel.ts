/**
 * The timeline: play, step and scrub the one cursor that tree, plots and scene share, and the part
 * that playback repeats. Steps and plots lie on one axis.
 */
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { type IconName, icon } from '../panels/icons.ts';
import { decimal } from '../panels/value-text.ts';
import { createLoopHandles, type LoopHandles, setLoopEnd } from './loop-handles.ts';
import type { LoopEnd } from './loop-range.ts';
import type { PlanPanel } from './plan-panel.ts';
import { programRows } from './program-rows.ts';
import { type Axis, cursorText, xOf } from './timeline-axis.ts';
import { drawTimeline } from './timeline-canvas.ts';
import { deviationWords } from './timeline-deviation.ts';
import type { PlotName } from './timeline-plots.ts';
import { followPointer, type TimelineSheet } from './timeline-pointer.ts';
import type { ToolpathStore, ToolpathView } from './toolpath-store.ts';
import { stretchAt } from './way.ts';

export const RATES = [0.25, 0.5, 1, 2, 8] as const;
const PLOTS: readonly (readonly [PlotName, string])[] = [
  ['speed', 'Speed'],
  ['position', 'Position'],
  ['velocity', 'Velocity'],
  ['deviation', 'Deviation'],
];

export interface TimelinePanel extends PlanPanel {
  /** Draws anew, as after a change of theme or size. */
  redraw(): void;
}

class Timeline implements TimelinePanel, TimelineSheet {
  readonly element: HTMLElement;
  readonly store: ToolpathStore;
  private readonly canvas = element('canvas', { class: 'timeline-canvas' });
  private readonly cursor = element('div', { class: 'timeline-cursor' });
  readonly slider: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly now = element('b', { class: 'timeline-now' });
  private readonly whole = element('span', { class: 'timeline-whole' });
  private readonly rates: readonly HTMLButtonElement[];
  plots: readonly PlotName[] = ['speed', 'velocity'];
  names: ReadonlyMap<string, string> = new Map();
  axis: Axis = { from_s: 0, to_s: 1, width_px: 0 };
  private readonly handles: LoopHandles;
  private due = false;

  constructor(store: ToolpathStore) {
    this.store = store;
    this.play = this.tool('play', 'Play (Space)', () => this.flipPlay());
    this.loop = this.tool('loop', 'Repeat', () =>
      store.set({ looping: !store.view().looping, range: null }),
    );
    this.handles = createLoopHandles(store, () => this.axis);
    this.rates = RATES.map((rate) =>
      button({ class: 'chip' }, () => store.set({ rate }), `${rate}×`),
    );
    this.slider = element(
      'div',
      { class: 'timeline-sheet', role: 'slider', tabindex: '0', 'aria-label': 'Time' },
      this.canvas,
      this.cursor,
    );
    this.element = element(
      'section',
      { class: 'timeline', 'aria-label': 'Timeline' },
      this.bar(),
      element('div', { class: 'timeline-body' }, this.slider, this.handles.element),
    );
    followPointer(this);
    new ResizeObserver(() => this.redraw()).observe(this.slider);
  }

  update(view: ToolpathView, before: ToolpathView | null): void {
    const { way, opened, playing, looping, rate } = view;
    if (opened !== before?.opened) {
      const rows = opened ? programRows(opened.toolpath) : [];
      this.names = new Map(rows.map(({ at, words }) => [at, words]));
    }
    if (way !== before?.way) this.axis = { ...this.axis, from_s: 0, to_s: way?.duration_s || 1 };
    const gone = view.followed !== before?.followed && this.plots.includes('deviation');
    if (way !== before?.way || view.selected !== before?.selected || gone) this.redraw();
    setAttribute(this.slider, 'aria-description', deviationWords(view.followed) || undefined);
    if (playing !== before?.playing) {
      this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
      setAttribute(this.play, 'aria-label', playing ? 'Pause (Space)' : 'Play (Space)');
    }
    setAttribute(this.play, 'disabled', !way);
    setAttribute(this.loop, 'aria-pressed', String(looping));
    for (const [i, one] of this.rates.entries()) {
      setAttribute(one, 'aria-pressed', String(RATES[i] === rate));
    }
    this.point(view);
  }

  redraw(): void {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw();
    });
  }

  private flipPlay(): void {
    const { playing, way, cursor_s } = this.store.view();
    if (!way) return;
    if (!playing && cursor_s >= way.duration_s) this.store.seek(0);
    this.store.set({ playing: !playing });
  }

  private tool(name: IconName, label: string, act: () => void): HTMLButtonElement {
    return button({ class: 'tool', 'aria-label': label, title: label }, act, icon(name));
  }

  private bar(): HTMLElement {
    const { store } = this;
    const plots = PLOTS.map(([name, words]) => {
      const on = () => String(this.plots.includes(name));
      const chip = button({ class: 'chip', 'aria-pressed': on() }, flip, words);
      const flip_ = () => setAttribute(chip, 'aria-pressed', on());
      const self = this;
      function flip(): void {
        self.flipPlot(name);
        flip_();
      }
      return chip;
    });
    this.play.classList.add('timeline-play');
    const end = (name: IconName, label: string, which: LoopEnd) =>
      this.tool(name, label, () => setLoopEnd(store, which, store.view().cursor_s));
    return element(
      'header',
      { class: 'timeline-bar' },
      this.tool('first', 'Step back (Shift ←)', () => stepBy(store, -1)),
      this.play,
      this.tool('last', 'Step on (Shift →)', () => stepBy(store, 1)),
      this.loop,
      end('loopFrom', 'Repeat from here (A)', 'from_s'),
      end('loopTo', 'Repeat to here (B)', 'to_s'),
      element('span', { class: 'timeline-time' }, this.now, this.whole),
      this.handles.chip,
      element('div', { class: 'choice', role: 'group', 'aria-label': 'Rate' }, ...this.rates),
      element('span', { class: 'rail-space' }),
      element('div', { class: 'choice', role: 'group', 'aria-label': 'Plots' }, ...plots),
    );
  }

  private flipPlot(name: PlotName): void {
    const on = this.plots.includes(name);
    this.plots = PLOTS.map(([each]) => each).filter((each) =>
      each === name ? !on : this.plots.includes(each),
    );
    this.redraw();
  }

  private draw(): void {
    const { canvas } = this;
    const context = canvas.getContext('2d');
    const { clientWidth: width_px, clientHeight: height_px } = this.slider;
    if (!context || width_px === 0) return;
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = Math.round(width_px * ratio);
    canvas.height = Math.round(height_px * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.axis = { ...this.axis, width_px };
    const style = getComputedStyle(canvas);
    const colour = (token: string) => style.getPropertyValue(`--${token}`);
    const view = this.store.view();
    drawTimeline({ context, axis: this.axis, height_px, colour }, view, this);
    this.point(view);
  }

  /** Puts the cursor where it belongs and says so. */
  private point(view: ToolpathView): void {
    const { way, cursor_s, finding } = view;
    this.handles.place(this.axis, view);
    const x = xOf(this.axis, cursor_s);
    const seen = way !== null && cursor_s >= this.axis.from_s && cursor_s <= this.axis.to_s;
    this.cursor.hidden = !seen;
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
    setText(this.now, cursorText(cursor_s));
    setText(this.whole, ` / ${cursorText(way?.duration_s ?? 0)}`);
    setAttribute(this.slider, 'aria-valuemin', '0');
    setAttribute(this.slider, 'aria-valuemax', decimal(way?.duration_s ?? 0, 2));
    setAttribute(this.slider, 'aria-valuenow', decimal(cursor_s, 2));
    const stretch = way?.stretches[stretchAt(way, cursor_s)];
    const name = (stretch && this.names.get(stretch.at)) ?? '';
    const wrong = finding || stretch?.problem ? ', error' : '';
    setAttribute(this.slider, 'aria-valuetext', `${decimal(cursor_s, 2)} seconds, ${name}${wrong}`);
  }
}

/** Takes the cursor to the start of the stretch before or after it. */
export function stepBy(store: ToolpathStore, direction: 1 | -1): void {
  const { way, cursor_s } = store.view();
  const starts = way?.stretches.map(({ start_s }) => start_s) ?? [];
  const next =
    direction > 0
      ? (starts.find((start_s) => start_s > cursor_s + 1e-6) ?? way?.duration_s)
      : starts.findLast((start_s) => start_s < cursor_s - 1e-6);
  store.set({ playing: false });
  store.seek(next ?? 0);
}

/** The timeline of the open toolpath. */
export function createTimeline(store: ToolpathStore): TimelinePanel {
  return new Timeline(store);
}
