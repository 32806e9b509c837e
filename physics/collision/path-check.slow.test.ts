import { expect, it } from 'vitest';
import { tunnelled } from './path.cases.ts';

it('passes through no zone of 1 mm in 100,000 random moves', () => {
  const { missed, hits } = tunnelled(100_000, 7);
  expect(hits).toBeGreaterThan(2500);
  expect(missed).toBe(0);
}, 600_000);
