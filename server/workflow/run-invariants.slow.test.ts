/** The invariants of runs for 6,000 seeds, every other with two runs: RUN_SEEDS=n runs fewer. */
import { expect, it } from 'vitest';
import { withTwinClient } from '../simulation/twin-client.cases.ts';
import { disturbedRun } from './run-invariants.cases.ts';

const SEEDS = Number(process.env['RUN_SEEDS'] ?? 6000);
/** A fresh twin now and then keeps the lists of runs and events short. */
const PER_TWIN = 100;

it('events and deck of disturbed runs agree, and nothing stays open', async () => {
  const faults: string[] = [];
  let count = 0;
  for (let first = 1; first <= SEEDS; first += PER_TWIN) {
    await withTwinClient({ webhooks: 'off' }, async (stage) => {
      for (let seed = first; seed < Math.min(first + PER_TWIN, SEEDS + 1); seed++) {
        const { faults: found, events } = await disturbedRun(
          stage,
          1000 + seed,
          seed % 2 === 0 ? 2 : 1,
        );
        faults.push(...found);
        count += events;
      }
    });
  }
  process.stdout.write(`${SEEDS} disturbed runs, ${count} events, ${faults.length} faults\n`);
  expect(faults).toEqual([]);
}, 7_200_000);
