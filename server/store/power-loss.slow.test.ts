/** Ten thousand histories with failing writes, power losses and other writers. */
import { expect, it } from 'vitest';
import { playRounds } from '../rounds.cases.ts';
import { runHistory } from './store-history.cases.ts';

const SEEDS = 10_000;

it('keeps what is acknowledged, and nothing that is refused', async () => {
  const played = await playRounds('store-history', SEEDS, async (seed) => {
    return { violations: await runHistory(seed) };
  });
  expect(played.violations).toEqual([]);
}, 3_600_000);
