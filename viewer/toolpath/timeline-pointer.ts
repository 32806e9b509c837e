/**
 * What the pointer does on the timeline: a drag scrubs, a drag on the ruler sets the loop range,
 * the wheel zooms about the pointer.
 */
import { rangeBetween } from './loop-range.ts';
import { type Axis, timeAt, zoomed } from './timeline-axis.ts';
import { RULER_PX } from './timeline-canvas.ts';
import type { ToolpathStore } from './toolpath-store.ts';

const ZOOM = 1.0015;
/** A press on the ruler that moves less than this is a click, not a range. */
const STILL_PX = 4;

export interface TimelineSheet {
  readonly slider: HTMLElement;
  readonly store: ToolpathStore;
  axis: Axis;
  redraw(): void;
}

/** Where a pointer is on the sheet (px). */
export function offsetOf(event: MouseEvent, element: Element): readonly [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

/** Lets the pointer act on a timeline. */
export function followPointer(sheet: TimelineSheet): void {
  const { slider: element, store } = sheet;
  let ruled_px: number | null = null;
  const timeOf = (x_px: number) => timeAt(sheet.axis, x_px);
  function scrub(x_px: number): void {
    store.set({ playing: false });
    store.seek(timeOf(x_px));
  }
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    const [x, y] = offsetOf(event, element);
    ruled_px = y < RULER_PX ? x : null;
    if (ruled_px === null) scrub(x);
  });
  element.addEventListener('pointermove', (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return;
    const [x] = offsetOf(event, element);
    const whole_s = store.view().way?.duration_s ?? 0;
    if (ruled_px === null) scrub(x);
    else if (Math.abs(x - ruled_px) >= STILL_PX) {
      const range = rangeBetween(timeOf(ruled_px), timeOf(x), whole_s);
      if (range) store.repeat(range);
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
      const { way } = store.view();
      if (!way) return;
      const about_s = timeOf(offsetOf(event, element)[0]);
      const zoom = { about_s, factor: ZOOM ** event.deltaY, whole_s: way.duration_s };
      sheet.axis = zoomed(sheet.axis, zoom);
      sheet.redraw();
    },
    { passive: false },
  );
}
