import { describe, expect, it } from 'vitest';
import { createJointSeries } from './joint-series.ts';
import { spreadLabels } from './spread-labels.ts';

const row = (value: number) => [value, 0, 0, 0, 0, -value];

describe('series', () => {
  it('keeps the window, with one point before it so that the line reaches the edge', () => {
    const series = createJointSeries(1000, 20);
    for (let i = 0; i <= 500; i++) series.add(row(i), i * 20);
    const last = 500 * 20;
    expect(series.time_ms(series.length() - 1)).toBe(last);
    expect(series.time_ms(0)).toBeLessThanOrEqual(last - 1000);
    expect(series.time_ms(1)).toBeGreaterThanOrEqual(last - 1000);
    expect(series.value(series.length() - 1, 5)).toBe(-500);
  });

  it('drops points that come too often', () => {
    const series = createJointSeries(1000, 20);
    for (let i = 0; i < 100; i++) series.add(row(i), i);
    expect(series.length()).toBeLessThanOrEqual(8);
  });

  it('gives the values at a time between two points, and none in a gap or beyond its ends', () => {
    const series = createJointSeries(1000, 20);
    for (const time_ms of [100, 120, 140]) series.add(row(time_ms), time_ms);
    series.gap(141);
    series.gap(300);
    for (const time_ms of [600, 620]) series.add(row(time_ms), time_ms);
    const out = new Float64Array(6);
    const at = (time_ms: number) => (series.at(time_ms, out) ? [out[0], out[5]] : null);
    expect(at(110)).toEqual([110, -110]);
    expect(at(100)).toEqual([100, -100]);
    expect(at(620)).toEqual([620, -620]);
    expect(at(140)).toEqual([140, -140]);
    expect([at(99), at(150), at(599), at(621)]).toEqual([null, null, null, null]);
    // A gap at a time that does not go on ends there.
    series.gap(620);
    series.add(row(621), 620);
    expect(at(620)).toEqual([621, -621]);
    // One point says that there is a gap.
    expect(series.length()).toBe(8);
  });

  it('is empty after clear', () => {
    const series = createJointSeries(1000, 20);
    series.add(row(1), 0);
    series.clear();
    expect(series.length()).toBe(0);
  });
});

describe('label spread', () => {
  it('keeps labels that do not overlap', () => {
    expect(spreadLabels([10, 40, 90], { gap: 12, low: 0, high: 100 })).toEqual([10, 40, 90]);
  });

  it('separates coinciding labels, in order, within the bounds', () => {
    const placed = spreadLabels([50, 50, 50, 51, 0, 100], { gap: 12, low: 0, high: 100 });
    const sorted = [...placed].sort((a, b) => a - b);
    for (let i = 1; i < sorted.length; i++) {
      expect(sorted[i]! - sorted[i - 1]!).toBeGreaterThanOrEqual(12 - 1e-9);
    }
    expect(Math.min(...placed)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...placed)).toBeLessThanOrEqual(100);
  });
});
