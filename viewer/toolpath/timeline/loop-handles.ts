/** The handles of the loop range on the timeline. */

import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { type TimeAxis, timeAtX, xOf } from '../../ui/time-axis.ts';
import { FRAME_S, offsetOf, onDrag, sayTime } from '../../ui/time-slider.ts';
import { cursorText, decimal } from '../../ui/value-text.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import type { ToolpathView } from '../toolpath-view.ts';
import { type LoopEnd, type LoopRange, rangeBetween, withLoopEnd } from './loop-range.ts';

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
    const label = { role: 'slider', tabindex: '0', 'aria-label': LABELS[end] };
    const handle = element('div', { class: `loop-handle loop-${end.slice(0, -2)}`, ...label });
    handle.addEventListener('keydown', (event) => pressHandle(store, end, event));
    onDrag(handle, (_, event) => {
      // A press alone moves nothing: a handle is beside its time.
      if (event.type === 'pointerdown') return;
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
        const text = `${decimal(range[end], 2)} seconds`;
        sayTime(handle, { from_s: 0, to_s: view.path!.duration_s, now_s: range[end], text });
      }
      setText(text, `${cursorText(range.from_s)}–${cursorText(range.to_s)}`);
    },
  };
}
