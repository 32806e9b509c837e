// @module-tag ci
import { expect, it } from 'vitest';
import { withTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { disturbedRun } from './run-invariants.cases.ts';

it(
  'events and deck of disturbed runs agree, and nothing stays open',
  () =>
    withTwinClient({ webhooks: 'off' }, async (stage) => {
      const faults: string[] = [];
      let [count, judged] = [0, 0];
      for (let seed = 1; seed <= 4; seed++) {
        const {
          faults: found,
          events,
          ticks,
        } = await disturbedRun(stage, { layout: seed, seed }, seed % 2 === 0 ? 2 : 1);
        faults.push(...found);
        count += events;
        judged += ticks;
      }
      // Only a few workcells have no plan.
      expect(count).toBeGreaterThan(50);
      expect(judged).toBeGreaterThan(200);
      expect(faults).toEqual([]);
    }),
  120_000,
);
