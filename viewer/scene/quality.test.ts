import { expect, it } from 'vitest';
import { createQualityController } from './quality.ts';

function feed(
  rate: ReturnType<typeof createQualityController>,
  duration_ms: number,
  count: number,
) {
  let quality = 0;
  for (let i = 0; i < count; i++) quality = rate.addFrame(duration_ms);
  return quality;
}

it('stays at full quality while frames are fast', () => {
  expect(feed(createQualityController(), 16.7, 1000)).toBe(0);
});

it('lowers quality by one level after 30 barely slow frames, and by three at most', () => {
  const rate = createQualityController();
  expect(feed(rate, 28.1, 29)).toBe(0);
  expect(feed(rate, 28.1, 1)).toBe(1);
  expect(feed(rate, 28.1, 30)).toBe(2);
  expect(feed(rate, 28.1, 300)).toBe(3);
});

it('lowers quality sooner when frames are very slow', () => {
  expect(feed(createQualityController(), 300, 3)).toBe(1);
});

it('requires consecutive slow frames', () => {
  const rate = createQualityController();
  for (let i = 0; i < 10; i++) {
    feed(rate, 28.1, 29);
    expect(rate.addFrame(16)).toBe(0);
  }
});

it('ignores a pause of the page', () => {
  expect(feed(createQualityController(), 5000, 100)).toBe(0);
});
