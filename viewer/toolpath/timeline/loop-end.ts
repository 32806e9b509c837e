/** Moves the ends of the loop range. */
import { FRAME_S } from '../../ui/time-slider.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import type { ToolpathView } from '../toolpath-view.ts';
import { type LoopEnd, type LoopRange, rangeBetween, withLoopEnd } from './loop-range.ts';

/** Step of an arrow key with Shift on a handle (s); without Shift it is one frame. */
const STRIDE_S = 0.5;

/** The part of the range within the path; null if there is none. */
export function shownRange({
  range,
  path,
}: Pick<ToolpathView, 'range' | 'path'>): LoopRange | null {
  return range && path && rangeBetween(range.from_s, range.to_s, path.duration_s);
}

/** Sets one end of the range to a time. */
export function setLoopEnd(store: ToolpathStore, end: LoopEnd, time_s: number): void {
  const { range, path } = store.view();
  if (path) store.setLoopRange(withLoopEnd(range, { end, time_s, whole_s: path.duration_s }));
}

/** Handles a key on a handle: moves it, or clears the range. */
export function pressHandle(store: ToolpathStore, end: LoopEnd, event: KeyboardEvent): void {
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
