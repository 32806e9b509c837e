import { expect, it } from 'vitest';
import { createFrameRate } from './frame-rate.ts';

function feed(rate: ReturnType<typeof createFrameRate>, duration_ms: number, count: number) {
  let thrift = 0;
  for (let i = 0; i < count; i++) thrift = rate.frame(duration_ms);
  return thrift;
}

it('stays at full quality while frames are quick', () => {
  expect(feed(createFrameRate(), 16.7, 1000)).toBe(0);
});

it('goes one step down after 30 barely slow frames, and three at most', () => {
  const rate = createFrameRate();
  expect(feed(rate, 28.1, 29)).toBe(0);
  expect(feed(rate, 28.1, 1)).toBe(1);
  expect(feed(rate, 28.1, 30)).toBe(2);
  expect(feed(rate, 28.1, 300)).toBe(3);
});

it('goes down sooner when frames are very slow', () => {
  expect(feed(createFrameRate(), 300, 3)).toBe(1);
});

it('asks for slow frames in a row', () => {
  const rate = createFrameRate();
  for (let i = 0; i < 10; i++) {
    feed(rate, 28.1, 29);
    expect(rate.frame(16)).toBe(0);
  }
});

it('does not count a pause of the page', () => {
  expect(feed(createFrameRate(), 5000, 100)).toBe(0);
});
