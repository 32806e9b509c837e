/** Instruments as they are in a lab, in runs over HTTP with a stepped clock. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LabwareMovement } from '../../contract/types.generated.ts';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { clearRuns, moment_s, runEventText, startedRun } from './assay.cases.ts';
import { labDay } from './lab-day.cases.ts';
import { TickMonitor } from './tick-monitor.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });
let monitor: TickMonitor;
let began_s = 0;

beforeEach(() => {
  monitor = new TickMonitor();
  began_s = stage.twin.now_s();
});

afterEach(async () => {
  monitor.close();
  await clearRuns(stage.arm);
  expect(monitor.faults).toEqual([]);
});

type RunPath = { readonly run_id: number };

/** The events of a run with a word, and their times. */
async function told(run: RunPath, word: RegExp): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events
    .map((event) => `${Math.round(moment_s(event) - began_s)} ${runEventText(event)}`)
    .filter((text) => word.test(text));
}

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

describe('a reader that warms up and cools down', () => {
  const cell = { instruments: { reader: { warm_up_s: 100, cool_down_s: 30 } } };

  it('reads once it is warm, and the next plate once it is cool', async () => {
    const { twin, arm } = stage;
    const plates = { p1: [['reader', 10]], p2: [['reader', 10]] } as const;
    const run = await startedRun(arm, labDay(plates, cell));
    const reasonsOf = async (task: string) => {
      const { waiting } = (await arm.getRun(run)).run;
      return waiting.find(({ task_id }) => task_id === task)!;
    };
    await twin.advance(50);
    const { reasons, blocked_by } = await reasonsOf('p1_reader');
    expect(reasons).toEqual(['reader warms up for 50 s']);
    expect(blocked_by).toMatchObject([{ text: 'reader warms up for 50 s', freed_by: 'time' }]);
    await twin.advance(80);
    expect((await reasonsOf('p2_reader')).reasons).toEqual(['reader cools down for 10 s']);
    await twin.advance(100);
    expect(await told(run, /./)).toEqual([
      '0 NewPlan',
      '0 Run started',
      '0 Labware p1 started',
      '5 Labware p1 finished',
      '100 Task p1_reader started',
      '110 Task p1_reader succeeded',
      '110 Labware p1 started',
      '115 Labware p1 finished',
      '115 Labware p2 started',
      '115 Task p1_rack started',
      '116 Task p1_rack succeeded',
      '120 Labware p2 finished',
      '140 Task p2_reader started',
      '150 Task p2_reader succeeded',
      '150 Labware p2 started',
      '155 Labware p2 finished',
      '155 Task p2_rack started',
      '156 Task p2_rack succeeded',
      '156 Run stopped (completed)',
    ]);
  });

  it('is waited for where it was used longer than planned', async () => {
    const { twin, arm } = stage;
    const late = { execution_time: 25 };
    const plates = { p1: [['reader', 10, late]], p2: [['reader', 10]] } as const;
    const run = await startedRun(arm, labDay(plates, cell));
    await twin.advance(300);
    expect(await told(run, /p2_reader/)).toEqual([
      '155 Task p2_reader started',
      '165 Task p2_reader succeeded',
    ]);
  });
});

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
