import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { steady } from './steady.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows a change at once after a pause, and of many changes the last one', () => {
  const source = signal(0);
  const seen: number[] = [];
  steady(source).subscribe((value) => seen.push(value));
  source.value = 1;
  expect(seen).toEqual([0, 1]);
  for (const value of [2, 3, 4]) source.value = value;
  expect(seen).toEqual([0, 1]);
  vi.runAllTimers();
  expect(seen).toEqual([0, 1, 4]);
  source.value = 5;
  expect(seen).toEqual([0, 1, 4, 5]);
});
