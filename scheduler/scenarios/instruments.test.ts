/** Instruments as they are in a lab, in runs over HTTP with a stepped clock. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LabwareMovement } from '../../contract/types.generated.ts';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { clearRuns, startedRun } from './assay.cases.ts';
import { labDay } from './lab-day.cases.ts';
import { TickMonitor } from './tick-monitor.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });
let monitor: TickMonitor;

beforeEach(() => {
  monitor = new TickMonitor();
});

afterEach(async () => {
  monitor.close();
  await clearRuns(stage.arm);
  expect(monitor.faults).toEqual([]);
});

type RunPath = { readonly run_id: number };

/** Where a piece was put, in order. */
async function placesOf(run: RunPath, piece: string): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events.flatMap(({ hook_type, body }) => {
    if (hook_type !== 'LabwareMovementHook') return [];
    const { labware_id, state, ...to } = body as LabwareMovement;
    if (labware_id !== piece || state !== 'finished') return [];
    return [`${to.destination_instrument_id} ${to.destination_slot}`];
  });
}

describe('an incubator with two slots of which any will do', () => {
  const cell = { instruments: { incubator: { slots: 2, max_tasks: 2 } } };

  it('takes the third plate in the slot that is free first', async () => {
    const { twin, arm } = stage;
    const day = labDay(
      {
        p1: [['incubator', 60, { slot: 'any', execution_time: 400 }]],
        p2: [['incubator', 90, { slot: 'any' }]],
        p3: [
          ['washer', 100],
          ['incubator', 30, { slot: 'any' }],
        ],
      },
      cell,
    );
    const run = await startedRun(arm, day);
    await twin.advance(500);
    const [first, second, third] = await Promise.all(
      ['p1', 'p2', 'p3'].map((piece) => placesOf(run, piece)),
    );
    const slots = [first![0], second![0]].toSorted();
    expect(slots).toEqual(['incubator 1', 'incubator 2']);
    // Plate 1 stays for five minutes longer than planned.
    expect(third).toEqual(['washer 1', second![0], 'rack 3']);
    expect((await arm.getRun(run)).run.message).toBe('completed');
  });
});
