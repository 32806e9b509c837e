import { expect, it } from 'vitest';
import { randomLine, randomTable, tunnelled } from './path.cases.ts';

it('passes through no zone of 1 mm in 100,000 random moves', () => {
  const { missed, hits } = tunnelled(randomLine, 100_000, 7);
  expect(hits).toBeGreaterThan(2500);
  expect(missed).toBe(0);
}, 600_000);

it('passes through no zone of 1 mm on 20,000 random path tables', () => {
  const { missed, hits } = tunnelled(randomTable, 20_000, 7);
  expect(hits).toBeGreaterThan(500);
  expect(missed).toBe(0);
}, 600_000);
