/**
 * The loop range on the timeline: a band on the ruler between two handles, which are dragged or
 * moved by keys, and a chip that says it and takes it away.
 */
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { decimal } from '../panels/value-text.ts';
import { type LoopEnd, type LoopRange, rangeBetween, withEnd } from './loop-range.ts';
import { type Axis, cursorText, timeAt, xOf } from './timeline-axis.ts';
import { offsetOf } from './timeline-pointer.ts';
import type { ToolpathStore, ToolpathView } from './toolpath-store.ts';

/** A press of an arrow key moves a handle by so much (s); with Shift by the second. */
const FRAME_S = 0.02;
const STRIDE_S = 0.5;
const HANDLE_PX = 24;
const WORDS: Readonly<Record<LoopEnd, string>> = { from_s: 'Loop start', to_s: 'Loop end' };

export interface LoopHandles {
  /** Lies over the sheet and is as large. */
  readonly element: HTMLElement;
  readonly chip: HTMLElement;
  place(axis: Axis, view: ToolpathView): void;
}

/** The range as far as it lies on the way; null where none does. */
function shownRange({ range, way }: ToolpathView): LoopRange | null {
  return range && way && rangeBetween(range.from_s, range.to_s, way.duration_s);
}

/** Puts one end of the range at a time. */
export function setLoopEnd(store: ToolpathStore, end: LoopEnd, time_s: number): void {
  const { range, way } = store.view();
  if (way) store.repeat(withEnd(range, { end, time_s, whole_s: way.duration_s }));
}

/** What a key does to a handle: moves it by seconds, or takes the range away. */
function pressHandle(store: ToolpathStore, end: LoopEnd, event: KeyboardEvent): void {
  const { range } = store.view();
  const by_s = event.shiftKey ? STRIDE_S : FRAME_S;
  const step = { ArrowLeft: -by_s, ArrowDown: -by_s, ArrowRight: by_s, ArrowUp: by_s }[event.key];
  const gone = event.key === 'Delete' || event.key === 'Escape';
  if (!range || (step === undefined && !gone)) return;
  if (gone) store.repeat(null);
  else setLoopEnd(store, end, range[end] + step!);
  // The keys of the page move the cursor by the same arrows.
  event.stopPropagation();
  event.preventDefault();
}

/** The handles of the range in `store`; `axis` is that of the sheet. */
export function createLoopHandles(store: ToolpathStore, axis: () => Axis): LoopHandles {
  const band = element('div', { class: 'loop-band' });
  const box = element('div', { class: 'loop-range', hidden: true }, band);
  const handles = (['from_s', 'to_s'] as const).map((end) => {
    const label = { role: 'slider', tabindex: '0', 'aria-label': WORDS[end], 'aria-valuemin': '0' };
    const handle = element('div', { class: `loop-handle loop-${end.slice(0, -2)}`, ...label });
    handle.addEventListener('keydown', (event) => pressHandle(store, end, event));
    handle.addEventListener('pointerdown', ({ pointerId }) => handle.setPointerCapture(pointerId));
    handle.addEventListener('pointermove', (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      setLoopEnd(store, end, timeAt(axis(), offsetOf(event, box)[0]));
    });
    box.append(handle);
    return { end, handle };
  });
  const words = element('span');
  const chip = button(
    { class: 'chip loop-chip', hidden: true, title: 'Play on past this part (X)' },
    () => store.repeat(null),
    words,
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
        setAttribute(handle, 'aria-valuemax', decimal(view.way!.duration_s, 2));
        setAttribute(handle, 'aria-valuenow', decimal(range[end], 2));
        setAttribute(handle, 'aria-valuetext', `${decimal(range[end], 2)} seconds`);
      }
      setText(words, `${cursorText(range.from_s)}–${cursorText(range.to_s)}`);
    },
  };
}
