import { expect, it } from 'vitest';
import { createStaleness } from './staleness.ts';

it('is stale before the first word', () => {
  expect(createStaleness().isStale(0)).toBe(true);
});

it('becomes stale after 500 ms of silence and fresh with the next word', () => {
  const staleness = createStaleness();
  staleness.heard(1000);
  expect(staleness.isStale(1500)).toBe(false);
  expect(staleness.isStale(1501)).toBe(true);
  expect(staleness.age_ms(4200)).toBe(3200);
  staleness.heard(4200);
  expect(staleness.isStale(4300)).toBe(false);
});

it('does not count hidden time', () => {
  const staleness = createStaleness();
  staleness.heard(1000);
  staleness.setHidden(true, 1200);
  expect(staleness.isStale(60_000)).toBe(false);
  staleness.setHidden(false, 60_000);
  expect(staleness.age_ms(60_000)).toBe(200);
  expect(staleness.isStale(60_301)).toBe(true);
});
