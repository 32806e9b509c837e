/** 1,500 emergency stops at random moments: how far the flange leaves its path (D31). */
import { expect, test } from 'vitest';
import { randomStops, STOPPED_KINDS } from './emergency-stop.cases.ts';

const COUNT = 500;

/** Median, 95th percentile and maximum. */
function spread(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

test('keeps the flange on the path, or much nearer to it than joints that brake by themselves', () => {
  const stops = STOPPED_KINDS.flatMap((kind) => randomStops(kind, COUNT));
  const own = spread(stops.map(({ own_m }) => own_m));
  const found = spread(stops.map(({ deviation_m }) => deviation_m));
  const duration = spread(stops.map(({ stop, own_s }) => stop.duration_s / own_s));
  process.stdout.write(`${JSON.stringify({ own, found, duration })}\n`);
  expect(stops).toHaveLength(3 * COUNT);
  expect(found.median).toBe(0);
  expect(found.p95).toBeLessThan(0.2 * own.p95);
  expect(found.max).toBeLessThan(0.5 * own.max);
  expect(duration.max).toBeLessThanOrEqual(1.1 + 1e-9);
});
