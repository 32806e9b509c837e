import { expect, it } from 'vitest';
import { type TimeAxis, ticksOf, timeAtX, xOf, zoomAxis } from './time-axis.ts';

const axis: TimeAxis = { from_s: 0, to_s: 14, width_px: 1000, left_px: 116, right_px: 40 };

it('converts between time and position', () => {
  for (const time_s of [0, 3.3, 14])
    expect(timeAtX(axis, xOf(axis, time_s))).toBeCloseTo(time_s, 9);
});

it('places ticks at round times with a minimum gap', () => {
  expect(ticksOf(axis)).toEqual([0, 2, 4, 6, 8, 10, 12, 14]);
  const near = zoomAxis(axis, { about_s: 7, factor: 0.05, whole_s: 14 });
  const ticks = ticksOf(near);
  expect(ticks.length).toBeGreaterThan(3);
  expect(xOf(near, ticks[1]!) - xOf(near, ticks[0]!)).toBeGreaterThanOrEqual(90);
});

it('keeps the time under the pointer in place while zooming', () => {
  const near = zoomAxis(axis, { about_s: 5, factor: 0.5, whole_s: 14 });
  expect(xOf(near, 5)).toBeCloseTo(xOf(axis, 5), 9);
  expect(near.to_s - near.from_s).toBeCloseTo(7, 9);
});

it('never shows more than the path or less than 0.2 s', () => {
  expect(zoomAxis(axis, { about_s: 5, factor: 3, whole_s: 14 })).toEqual(axis);
  const least = zoomAxis(axis, { about_s: 5, factor: 1e-6, whole_s: 14 });
  expect(least.to_s - least.from_s).toBeCloseTo(0.2, 9);
  expect(zoomAxis(axis, { about_s: 14, factor: 0.5, whole_s: 14 }).to_s).toBeCloseTo(14, 9);
});
