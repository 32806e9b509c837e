/** Ten thousand histories with failing writes, power losses and other writers. */
import { expect, it } from 'vitest';
import { runHistory } from './store-history.cases.ts';

const SEEDS = 10_000;

it('keeps what is acknowledged, and nothing that is refused', async () => {
  const violations: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) violations.push(...(await runHistory(seed)));
  expect(violations.slice(0, 5)).toEqual([]);
}, 3_600_000);
