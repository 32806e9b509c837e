import { expect, it } from 'vitest';
import { createStaleness } from './live-link.ts';

it('is stale before the first message', () => {
  expect(createStaleness().isStale(0)).toBe(true);
});

it('becomes stale after 500 ms of silence and live with the next message', () => {
  const staleness = createStaleness();
  staleness.messageReceived(1000);
  expect(staleness.isStale(1500)).toBe(false);
  expect(staleness.isStale(1501)).toBe(true);
  expect(staleness.age_ms(4200)).toBe(3200);
  staleness.messageReceived(4200);
  expect(staleness.isStale(4300)).toBe(false);
});

it('does not count the time in which the page is hidden', () => {
  const staleness = createStaleness();
  staleness.messageReceived(1000);
  staleness.setHidden(true, 1200);
  expect(staleness.isStale(60_000)).toBe(false);
  staleness.setHidden(false, 60_000);
  expect(staleness.age_ms(60_000)).toBe(200);
  expect(staleness.isStale(60_301)).toBe(true);
});
