/**
 * The time that is looked at, chosen on a timeline: a drag, and one set of keys for a path, a replay
 * and the live run.
 */

import { decimal } from './value-text.ts';

/** One frame of a preview (s). */
export const FRAME_S = 0.02;

/** What the keys of time move. */
export interface TimeCursor {
  /** Moves by a time (s). */
  moveBy(by_s: number): void;
  /** Moves to the start of the step before or after. */
  stepBy(direction: 1 | -1): void;
  toStart(): void;
  toEnd(): void;
}

const KEYS: Readonly<Record<string, (cursor: TimeCursor) => void>> = {
  arrowleft: (cursor) => cursor.moveBy(-FRAME_S),
  arrowright: (cursor) => cursor.moveBy(FRAME_S),
  'shift+arrowleft': (cursor) => cursor.stepBy(-1),
  'shift+arrowright': (cursor) => cursor.stepBy(1),
  home: (cursor) => cursor.toStart(),
  end: (cursor) => cursor.toEnd(),
};

/** The key of an event with its modifier, in lower case. */
export const keyName = ({ key, shiftKey }: KeyboardEvent): string =>
  (shiftKey ? 'shift+' : '') + key.toLowerCase();

/** Moves the cursor by a key; false for other keys. */
export function pressTimeKey(cursor: TimeCursor, event: KeyboardEvent): boolean {
  const move = KEYS[keyName(event)];
  move?.(cursor);
  return move !== undefined;
}

/** Calls `drag` with each event of a drag with the first button, and the place of the pointer (px). */
export function onDrag(
  target: HTMLElement,
  drag: (x_px: number, event: PointerEvent) => void,
): void {
  const report = (event: PointerEvent) => drag(offsetOf(event, target)[0], event);
  target.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    target.setPointerCapture(event.pointerId);
    report(event);
  });
  target.addEventListener('pointermove', (event) => {
    if (target.hasPointerCapture(event.pointerId)) report(event);
  });
}

/** Position of a pointer within an element (px). */
export function offsetOf(event: MouseEvent, element: Element): readonly [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

/** What a slider of time says of itself (s). */
export interface SaidTime {
  readonly from_s: number;
  readonly to_s: number;
  readonly now_s: number;
  readonly text: string;
}

/** Says the time of a slider. */
export function sayTime(slider: HTMLElement, { from_s, to_s, now_s, text }: SaidTime): void {
  slider.ariaValueMin = decimal(from_s, 2);
  slider.ariaValueMax = decimal(to_s, 2);
  slider.ariaValueNow = decimal(now_s, 2);
  slider.ariaValueText = text;
}
