import { expect, it } from 'vitest';
import { type Axis, ticksOf, timeAt, xOf, zoomed } from './timeline-axis.ts';

const axis: Axis = { from_s: 0, to_s: 14, width_px: 1000 };

it('finds the time under a place and the place of a time', () => {
  for (const time_s of [0, 3.3, 14]) expect(timeAt(axis, xOf(axis, time_s))).toBeCloseTo(time_s, 9);
});

it('ticks at round times that stand apart', () => {
  expect(ticksOf(axis)).toEqual([0, 2, 4, 6, 8, 10, 12, 14]);
  const near = zoomed(axis, { about_s: 7, factor: 0.05, whole_s: 14 });
  const ticks = ticksOf(near);
  expect(ticks.length).toBeGreaterThan(3);
  expect(xOf(near, ticks[1]!) - xOf(near, ticks[0]!)).toBeGreaterThanOrEqual(90);
});

it('keeps the time under the pointer in its place while it zooms', () => {
  const near = zoomed(axis, { about_s: 5, factor: 0.5, whole_s: 14 });
  expect(xOf(near, 5)).toBeCloseTo(xOf(axis, 5), 9);
  expect(near.to_s - near.from_s).toBeCloseTo(7, 9);
});

it('never shows more than the way or less than a fifth of a second', () => {
  expect(zoomed(axis, { about_s: 5, factor: 3, whole_s: 14 })).toEqual(axis);
  const least = zoomed(axis, { about_s: 5, factor: 1e-6, whole_s: 14 });
  expect(least.to_s - least.from_s).toBeCloseTo(0.2, 9);
  expect(zoomed(axis, { about_s: 14, factor: 0.5, whole_s: 14 }).to_s).toBeCloseTo(14, 9);
});
