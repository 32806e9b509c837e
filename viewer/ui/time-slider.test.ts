import { expect, it } from 'vitest';
import { FRAME_S, pressTimeKey, type TimeCursor } from './time-slider.ts';

/** A cursor that keeps what the keys have asked of it. */
function recorded(): { readonly cursor: TimeCursor; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const cursor: TimeCursor = {
    moveBy: (by_s) => asked.push(by_s),
    stepBy: (direction) => asked.push(`step ${direction}`),
    toStart: () => asked.push('start'),
    toEnd: () => asked.push('end'),
  };
  return { cursor, asked };
}

const press = (cursor: TimeCursor, key: string, shiftKey = false) =>
  pressTimeKey(cursor, { key, shiftKey } as KeyboardEvent);

it('has one set of keys for every timeline', () => {
  const { cursor, asked } = recorded();
  for (const key of ['ArrowLeft', 'ArrowRight', 'Home', 'End']) press(cursor, key);
  for (const key of ['ArrowLeft', 'ArrowRight']) press(cursor, key, true);
  expect(asked).toEqual([-FRAME_S, FRAME_S, 'start', 'end', 'step -1', 'step 1']);
});

it('leaves other keys to the page', () => {
  const { cursor, asked } = recorded();
  expect([press(cursor, 'ArrowUp'), press(cursor, 'Home', true)]).toEqual([false, false]);
  expect(press(cursor, 'Home')).toBe(true);
  expect(asked).toEqual(['start']);
});
