/**
 * Playback of the preview: advances the cursor at the display's frame rate, and the commands to
 * play, pause, seek and step that buttons and keys share, and the keys. Does not move the arm.
 * Also: the loop range on the timeline.
 */

import { button, element, icon, setAttribute, setText } from '../panels/element.ts';
import { decimal } from '../panels/value-text.ts';
import { cursorText, offsetOf, type TimeAxis, timeAtX, xOf } from './timeline-axis.ts';
import { toggleLayer } from './toolpath-panel.ts';
import type { ToolpathStore, ToolpathView } from './toolpath-store.ts';

/** A longer gap between frames is a pause of the page. */
const GAP_MAX_MS = 250;
/** One frame of the preview (s). */
const FRAME_S = 0.02;

/** Playback rates that a user can choose; 1 is real time. */
export const RATES = [0.25, 0.5, 1, 2, 8] as const;

/** Plays whatever `store` says is playing; nothing runs while it does not. */
export function createPlayback(store: ToolpathStore): void {
  let last_ms = 0;
  let running = false;

  function frame(now_ms: number): void {
    const { playing, path, cursor_s, rate, looping, range } = store.view();
    running = playing && path !== null;
    if (!running || !path) return;
    const by_s = (Math.min(now_ms - last_ms, GAP_MAX_MS) / 1000) * rate;
    last_ms = now_ms;
    const next = advanceCursor(cursor_s, by_s, { whole_s: path.duration_s, looping, range });
    store.seek(next.cursor_s);
    if (next.ended) store.set({ playing: false });
    requestAnimationFrame(frame);
  }

  store.subscribe(({ playing }) => {
    if (!playing || running) return;
    running = true;
    last_ms = performance.now();
    requestAnimationFrame(frame);
  });
}

/** Plays or pauses; at the end of the path it plays from the start. */
export function togglePlay(store: ToolpathStore): void {
  const { playing, path, cursor_s } = store.view();
  if (path && !playing && cursor_s >= path.duration_s) store.seek(0);
  store.set({ playing: path !== null && !playing });
}

/** Pauses and moves the cursor to a time (s). */
export function pauseAt(store: ToolpathStore, time_s: number): void {
  store.set({ playing: false });
  store.seek(time_s);
}

/** Pauses and moves the cursor by a number of frames. */
export function moveByFrames(store: ToolpathStore, frames: number): void {
  pauseAt(store, store.view().cursor_s + frames * FRAME_S);
}

/** Moves the cursor to the start of the segment before or after it. */
export function stepBy(store: ToolpathStore, direction: 1 | -1): void {
  const { path, cursor_s } = store.view();
  const starts = path?.segments.map(({ start_s }) => start_s) ?? [];
  const next =
    direction > 0
      ? (starts.find((start_s) => start_s > cursor_s + 1e-6) ?? path?.duration_s)
      : starts.findLast((start_s) => start_s < cursor_s - 1e-6);
  pauseAt(store, next ?? 0);
}

function changeRate(store: ToolpathStore, by: 1 | -1): void {
  const at = (RATES as readonly number[]).indexOf(store.view().rate);
  store.set({ rate: RATES[Math.min(Math.max(at + by, 0), RATES.length - 1)]! });
}

const ACTIONS: Readonly<Record<string, (store: ToolpathStore) => void>> = {
  ' ': togglePlay,
  arrowleft: (store) => moveByFrames(store, -1),
  arrowright: (store) => moveByFrames(store, 1),
  'shift+arrowleft': (store) => stepBy(store, -1),
  'shift+arrowright': (store) => stepBy(store, 1),
  home: (store) => pauseAt(store, 0),
  end: (store) => pauseAt(store, Number.POSITIVE_INFINITY),
  '[': (store) => changeRate(store, -1),
  ']': (store) => changeRate(store, 1),
  a: (store) => setLoopEnd(store, 'from_s', store.view().cursor_s),
  b: (store) => setLoopEnd(store, 'to_s', store.view().cursor_s),
  x: (store) => store.setLoopRange(null),
  e: (store) => store.showNextFinding(),
  g: (store) => toggleLayer(store, 'ghost'),
  z: (store) => toggleLayer(store, 'zones'),
  escape: (store) => store.set({ selected: null, finding: null }),
};

/** Runs the action of a key press; `search` focuses the search field on `/`. */
export function pressKey(store: ToolpathStore, event: KeyboardEvent, search: () => void): void {
  const { target } = event;
  const typing = target instanceof Element && target.matches('input, select');
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const presses = target instanceof Element && target.matches('button');
  if (presses && event.key === ' ') return;
  const action = ACTIONS[(event.shiftKey ? 'shift+' : '') + event.key.toLowerCase()];
  if (event.key === '/') search();
  else if (!action) return;
  action?.(store);
  event.preventDefault();
}

/**
 * The loop range on the timeline: a band on the ruler with two handles, moved by pointer or keys,
 * and a chip that shows and clears the range.
 */

/** The part of the path that playback repeats. Pure. */

export interface LoopRange {
  readonly from_s: number;
  readonly to_s: number;
}

/** Minimum length of a range (s): a few frames. */
export const LOOP_MIN_S = 0.1;

/** The range between two times in any order, clamped to the path; null if too short. */
export function rangeBetween(a_s: number, b_s: number, whole_s: number): LoopRange | null {
  const within = (time_s: number) => Math.min(Math.max(time_s, 0), whole_s);
  const [from_s, to_s] = [within(Math.min(a_s, b_s)), within(Math.max(a_s, b_s))];
  return to_s - from_s < LOOP_MIN_S - 1e-9 ? null : { from_s, to_s };
}

/** An end of the range. */
export type LoopEnd = 'from_s' | 'to_s';

/**
 * The range with one end set to a time. Without a range, the other end is the path's. The ends keep
 * the minimum distance.
 */
export function withLoopEnd(
  range: LoopRange | null,
  { end, time_s, whole_s }: { readonly end: LoopEnd; time_s: number; whole_s: number },
): LoopRange | null {
  const { from_s, to_s } = range ?? { from_s: 0, to_s: whole_s };
  return end === 'from_s'
    ? rangeBetween(Math.min(time_s, to_s - LOOP_MIN_S), to_s, whole_s)
    : rangeBetween(from_s, Math.max(time_s, from_s + LOOP_MIN_S), whole_s);
}

/** Playback range: duration of the path, whether it repeats, and the repeated part. */
export interface PlaybackRange {
  readonly whole_s: number;
  readonly looping: boolean;
  readonly range: LoopRange | null;
}

/** The cursor after `by_s` more of playing, and whether playback has ended. */
export function advanceCursor(
  cursor_s: number,
  by_s: number,
  { whole_s, looping, range }: PlaybackRange,
): { readonly cursor_s: number; readonly ended: boolean } {
  const part = range && rangeBetween(range.from_s, range.to_s, whole_s);
  if (part) {
    const inside = cursor_s >= part.from_s && cursor_s <= part.to_s;
    if (!inside) return { cursor_s: part.from_s, ended: false };
    const gone_s = cursor_s + by_s - part.from_s;
    const over = gone_s >= part.to_s - part.from_s;
    const on_s = over ? gone_s % (part.to_s - part.from_s) : gone_s;
    return { cursor_s: part.from_s + on_s, ended: false };
  }
  const next_s = cursor_s + by_s;
  if (next_s < whole_s) return { cursor_s: next_s, ended: false };
  return looping ? { cursor_s: 0, ended: false } : { cursor_s: whole_s, ended: true };
}

/** Step of an arrow key with Shift on a handle (s); without Shift it is one frame. */
const STRIDE_S = 0.5;
const HANDLE_PX = 24;
const LABELS: Readonly<Record<LoopEnd, string>> = { from_s: 'Loop start', to_s: 'Loop end' };

export interface LoopHandles {
  /** Covers the timeline's canvas. */
  readonly element: HTMLElement;
  readonly chip: HTMLElement;
  place(axis: TimeAxis, view: ToolpathView): void;
}

/** The part of the range within the path; null if there is none. */
function shownRange({ range, path }: ToolpathView): LoopRange | null {
  return range && path && rangeBetween(range.from_s, range.to_s, path.duration_s);
}

/** Sets one end of the range to a time. */
export function setLoopEnd(store: ToolpathStore, end: LoopEnd, time_s: number): void {
  const { range, path } = store.view();
  if (path) store.setLoopRange(withLoopEnd(range, { end, time_s, whole_s: path.duration_s }));
}

/** Handles a key on a handle: moves it, or clears the range. */
function pressHandle(store: ToolpathStore, end: LoopEnd, event: KeyboardEvent): void {
  const { range } = store.view();
  const by_s = event.shiftKey ? STRIDE_S : FRAME_S;
  const step = { ArrowLeft: -by_s, ArrowDown: -by_s, ArrowRight: by_s, ArrowUp: by_s }[event.key];
  const gone = event.key === 'Delete' || event.key === 'Escape';
  if (!range || (step === undefined && !gone)) return;
  if (gone) store.setLoopRange(null);
  else setLoopEnd(store, end, range[end] + step!);
  // The page's own shortcuts move the cursor with the same arrows.
  event.stopPropagation();
  event.preventDefault();
}

/** Creates the handles of the range in `store`; `axis` returns the timeline's axis. */
export function createLoopHandles(store: ToolpathStore, axis: () => TimeAxis): LoopHandles {
  const band = element('div', { class: 'loop-band' });
  const box = element('div', { class: 'loop-range', hidden: true }, band);
  const handles = (['from_s', 'to_s'] as const).map((end) => {
    const label = {
      role: 'slider',
      tabindex: '0',
      'aria-label': LABELS[end],
      'aria-valuemin': '0',
    };
    const handle = element('div', { class: `loop-handle loop-${end.slice(0, -2)}`, ...label });
    handle.addEventListener('keydown', (event) => pressHandle(store, end, event));
    handle.addEventListener('pointerdown', ({ pointerId }) => handle.setPointerCapture(pointerId));
    handle.addEventListener('pointermove', (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      setLoopEnd(store, end, timeAtX(axis(), offsetOf(event, box)[0]));
    });
    box.append(handle);
    return { end, handle };
  });
  const text = element('span');
  const chip = button(
    { class: 'chip loop-chip', hidden: true, title: 'Clear the loop range (X)' },
    () => store.setLoopRange(null),
    text,
    icon('close'),
  );
  return {
    element: box,
    chip,
    place(now, view) {
      const range = shownRange(view);
      setAttribute(box, 'hidden', range === null);
      setAttribute(chip, 'hidden', range === null);
      if (!range) return;
      const [from_px, to_px] = [xOf(now, range.from_s), xOf(now, range.to_s)];
      band.style.transform = `translateX(${from_px.toFixed(1)}px)`;
      band.style.width = `${(to_px - from_px).toFixed(1)}px`;
      for (const { end, handle } of handles) {
        const x = end === 'from_s' ? from_px - HANDLE_PX : to_px;
        handle.style.transform = `translateX(${x.toFixed(1)}px)`;
        setAttribute(handle, 'aria-valuemax', decimal(view.path!.duration_s, 2));
        setAttribute(handle, 'aria-valuenow', decimal(range[end], 2));
        setAttribute(handle, 'aria-valuetext', `${decimal(range[end], 2)} seconds`);
      }
      setText(text, `${cursorText(range.from_s)}–${cursorText(range.to_s)}`);
    },
  };
}
