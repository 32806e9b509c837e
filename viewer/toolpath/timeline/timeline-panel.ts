/**
 * The timeline: plays, steps and scrubs the cursor that tree, plots and scene share, and sets the
 * loop range. Steps and plots share one axis.
 */

import { createTokens } from '../../ui/css-tokens.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { type IconName, icon } from '../../ui/icon.ts';
import { type TimeAxis, timeAtX, xOf, zoomAxis } from '../../ui/time-axis.ts';
import { offsetOf, onDrag, sayTime } from '../../ui/time-slider.ts';
import { cursorText, decimal } from '../../ui/value-text.ts';
import { programRows } from '../program-rows.ts';
import { segmentAt } from '../timed-path.ts';
import type { ToolpathPanel } from '../toolpath-panel.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import type { ToolpathView } from '../toolpath-view.ts';
import { createLoopHandles, type LoopHandles, setLoopEnd } from './loop-handles.ts';
import { type LoopEnd, rangeBetween } from './loop-range.ts';
import { RATES, stepBy, togglePlay } from './playback.ts';
import { GUTTER_PX, RIGHT_PX } from './timeline-axis.ts';
import { drawTimeline, RULER_PX } from './timeline-canvas.ts';
import { deviationText } from './timeline-deviation.ts';
import type { PlotName } from './timeline-plots.ts';

const PLOTS: readonly (readonly [PlotName, string])[] = [
  ['speed', 'Speed'],
  ['position', 'Position'],
  ['velocity', 'Velocity'],
  ['deviation', 'Deviation'],
];

const PROFILE_HINT = 'The motions are timed by the profile of this arm';

/** What an empty timeline is for. */
const NONE = 'The steps and speeds of an open toolpath are drawn here over time.';

const ZOOM = 1.0015;
/** A press on the ruler that moves less than this is a click, not a range. */
const STILL_PX = 4;

/** The timeline of the open toolpath. */
export class TimelinePanel implements ToolpathPanel {
  readonly element: HTMLElement;
  readonly store: ToolpathStore;
  private readonly canvas = element('canvas', { class: 'timeline-canvas' });
  private readonly token = createTokens(this.canvas);
  private readonly cursor = element('div', { class: 'timeline-cursor' });
  readonly slider: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly now = element('b', { class: 'timeline-now' });
  private readonly whole = element('span', { class: 'timeline-whole' });
  private readonly rates: readonly HTMLButtonElement[];
  plots: readonly PlotName[] = ['speed', 'velocity'];
  names: ReadonlyMap<string, string> = new Map();
  axis: TimeAxis = { from_s: 0, to_s: 1, width_px: 0, left_px: GUTTER_PX, right_px: RIGHT_PX };
  private readonly handles: LoopHandles;
  private due = false;
  /** The size in which it was drawn last. */
  private drawn = { width_px: 0, height_px: 0 };

  constructor(store: ToolpathStore) {
    this.store = store;
    this.play = this.tool('play', 'Play (Space)', () => togglePlay(store));
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
      element('p', { class: 'empty timeline-none' }, NONE),
    );
    attachPointer(this);
    new ResizeObserver(() => this.resize()).observe(this.slider);
  }

  update(view: ToolpathView, before: ToolpathView | null): void {
    const { path, opened, playing, looping, rate } = view;
    if (opened !== before?.opened) {
      const rows = opened ? programRows(opened.toolpath) : [];
      this.names = new Map(rows.map(({ at, text }) => [at, text]));
    }
    if (path !== before?.path) this.axis = { ...this.axis, from_s: 0, to_s: path?.duration_s || 1 };
    const deviationChanged =
      view.runDeviation !== before?.runDeviation && this.plots.includes('deviation');
    if (path !== before?.path || view.selected !== before?.selected || deviationChanged)
      this.redraw();
    setAttribute(this.slider, 'aria-description', deviationText(view.runDeviation) || undefined);
    if (playing !== before?.playing) {
      this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
      setAttribute(this.play, 'aria-label', playing ? 'Pause (Space)' : 'Play (Space)');
    }
    setAttribute(this.element, 'data-empty', !opened && view.origin === null);
    setAttribute(this.play, 'disabled', !path);
    setAttribute(this.loop, 'aria-pressed', String(looping));
    for (const [i, one] of this.rates.entries()) {
      setAttribute(one, 'aria-pressed', String(RATES[i] === rate));
    }
    this.point(view);
  }

  /** Redraws, for example after a change of theme or size. */
  redraw(): void {
    if (this.due) return;
    this.due = true;
    // In this frame, after the other panels: one layout serves all of them.
    queueMicrotask(() => {
      this.due = false;
      this.draw();
    });
  }

  /** Redraws unless it is drawn in its size already, as in the frame that opens a toolpath. */
  private resize(): void {
    const { clientWidth, clientHeight } = this.slider;
    if (clientWidth !== this.drawn.width_px || clientHeight !== this.drawn.height_px) this.redraw();
  }

  private tool(name: IconName, label: string, action: () => void): HTMLButtonElement {
    return button({ class: 'tool', 'aria-label': label, title: label }, action, icon(name));
  }

  private bar(): HTMLElement {
    const { store } = this;
    const plots = PLOTS.map(([name, label]) => {
      const on = () => String(this.plots.includes(name));
      const attributes = { class: 'chip', 'aria-pressed': on(), 'data-plot': name };
      const chip = button(attributes, () => toggle(), label);
      const toggle = () => {
        this.togglePlot(name);
        setAttribute(chip, 'aria-pressed', on());
      };
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
      this.tool('last', 'Step forward (Shift →)', () => stepBy(store, 1)),
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

  private togglePlot(name: PlotName): void {
    const on = this.plots.includes(name);
    this.plots = PLOTS.map(([each]) => each).filter((each) =>
      each === name ? !on : this.plots.includes(each),
    );
    this.redraw();
  }

  private draw(): void {
    const { canvas } = this;
    // Software graphics take a second for the moves of a dense toolpath, the processor a few ms.
    const willReadFrequently = document.documentElement.dataset['graphics'] === 'software';
    const context = canvas.getContext('2d', { willReadFrequently });
    const { clientWidth: width_px, clientHeight: height_px } = this.slider;
    // A hidden timeline has no size: what changes meanwhile is drawn once it is shown.
    this.drawn = { width_px, height_px };
    if (!context || width_px === 0) return;
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = Math.round(width_px * ratio);
    canvas.height = Math.round(height_px * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.axis = { ...this.axis, width_px };
    const view = this.store.view();
    drawTimeline({ context, axis: this.axis, height_px, colour: this.token }, view, this);
    this.point(view);
  }

  /** Positions the cursor and updates its accessible values. */
  private point(view: ToolpathView): void {
    const { path, cursor_s, finding, profile } = view;
    this.handles.place(this.axis, view);
    const x = xOf(this.axis, cursor_s);
    const seen = path !== null && cursor_s >= this.axis.from_s && cursor_s <= this.axis.to_s;
    this.cursor.hidden = !seen;
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
    setText(this.now, cursorText(cursor_s));
    setText(this.whole, ` / ${cursorText(path?.duration_s ?? 0)}${profile ? ' by profile' : ''}`);
    setAttribute(this.whole, 'title', profile ? PROFILE_HINT : undefined);
    const segment = path?.segments[segmentAt(path, cursor_s)];
    const name = (segment && this.names.get(segment.at)) ?? '';
    const wrong = finding || segment?.problem ? ', error' : '';
    const text = `${decimal(cursor_s, 2)} seconds, ${name}${wrong}`;
    sayTime(this.slider, { from_s: 0, to_s: path?.duration_s ?? 0, now_s: cursor_s, text });
  }
}

/** Handles the pointer: a drag scrubs, a drag on the ruler sets the loop range, the wheel zooms. */
function attachPointer(timeline: TimelinePanel): void {
  const { slider: element, store } = timeline;
  let ruled_px: number | null = null;
  const timeOf = (x_px: number) => timeAtX(timeline.axis, x_px);
  function scrub(x_px: number): void {
    store.set({ playing: false });
    store.seek(timeOf(x_px));
  }
  onDrag(element, (x, event) => {
    if (event.type === 'pointerdown') ruled_px = offsetOf(event, element)[1] < RULER_PX ? x : null;
    const whole_s = store.view().path?.duration_s ?? 0;
    if (ruled_px === null) scrub(x);
    else if (Math.abs(x - ruled_px) >= STILL_PX) {
      const range = rangeBetween(timeOf(ruled_px), timeOf(x), whole_s);
      if (range) store.setLoopRange(range);
    }
  });
  element.addEventListener('pointerup', (event) => {
    const [x] = offsetOf(event, element);
    if (ruled_px !== null && Math.abs(x - ruled_px) < STILL_PX) scrub(x);
  });
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { path } = store.view();
      if (!path) return;
      const about_s = timeOf(offsetOf(event, element)[0]);
      const zoom = { about_s, factor: ZOOM ** event.deltaY, whole_s: path.duration_s };
      timeline.axis = zoomAxis(timeline.axis, zoom);
      timeline.redraw();
    },
    { passive: false },
  );
}
