/** Ten thousand seeds of the service on a simulated disk, clock and network. */
import { expect, it } from 'vitest';
import { playRounds } from './rounds.cases.ts';
import { simulateService } from './service-simulation.cases.ts';

const SEEDS = 10_000;

it('keeps what is acknowledged, and nothing that is refused', async () => {
  const played = await playRounds('service-simulation', SEEDS, simulateService);
  expect(played.violations).toEqual([]);
  expect(played.counts['acknowledged']).toBeGreaterThan(10 * played.rounds);
}, 14_400_000);
