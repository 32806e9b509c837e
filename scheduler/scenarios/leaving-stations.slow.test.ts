/** A carry interrupted at every fifth of a second, on both plants, with each way to go on. */

import { expect, it } from 'vitest';
import { withTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { interruptedCarry, WAYS_ON } from './leaving-stations.cases.ts';

const STEP_S = 0.2;
/** The first carry of the run has ended. */
const LAST_S = 8;
const cases = (['fast', 'rapier'] as const).flatMap((driver) =>
  WAYS_ON.map((how) => [driver, how] as const),
);

it.each(cases)('on %s, every instant of a carry: %s', async (driver, how) => {
  const faults: string[] = [];
  await withTwinClient({ driver, webhooks: 'off' }, async (stage) => {
    for (let step = 1; step * STEP_S <= LAST_S; step++) {
      faults.push(...(await interruptedCarry(stage, step * STEP_S, how)));
    }
  });
  expect(faults).toEqual([]);
});
