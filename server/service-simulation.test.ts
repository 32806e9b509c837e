/** The service on a simulated disk, clock and network: some seeds; the slow test plays 10,000. */
import { expect, it } from 'vitest';
import { simulateService } from './service-simulation.cases.ts';

it('keeps what is acknowledged, and nothing that is refused', async () => {
  const acknowledged: number[] = [];
  for (const seed of [5, 7]) {
    const { violations, counts } = await simulateService(seed);
    expect(violations).toEqual([]);
    acknowledged.push(counts.acknowledged);
  }
  expect(Math.min(...acknowledged)).toBeGreaterThan(5);
});

it('is a function of the seed', async () => {
  const [one, again] = [await simulateService(6), await simulateService(6)];
  expect(one.trace.length).toBeGreaterThan(20);
  expect(again.trace).toEqual(one.trace);
});
