/**
 * Disturbed days in a lab over HTTP with a stepped clock: what is late, down, dropped or urgent, and
 * how the rest goes on. The expected events are written by hand; at every tick the monitor checks
 * that the arm is never idle beside a carry that can be done.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent, StartRunBody } from '../../contract/types.generated.ts';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { clearRuns, moment_s, runEventText, startedRun } from './assay.cases.ts';
import { type DaySteps, labDay } from './lab-day.cases.ts';
import { TickMonitor } from './tick-monitor.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });
let monitor: TickMonitor;
let began_s = 0;

beforeEach(() => {
  monitor = new TickMonitor();
});

afterEach(async () => {
  monitor.close();
  for (const instrument_id of ['washer', 'reader']) {
    await stage.arm.setInstrument({ instrument_id, is_up: true });
  }
  await clearRuns(stage.arm);
  expect(monitor.faults).toEqual([]);
});

type RunPath = { readonly run_id: number };

async function begun(steps: DaySteps, body: StartRunBody = {}): Promise<RunPath> {
  return startedRun(stage.arm, labDay(steps), body);
}

const timeText = (event: RunEvent) => `${Math.round(10 * (moment_s(event) - began_s)) / 10}`;

async function eventsOf(...runs: RunPath[]) {
  const lists = await Promise.all(runs.map((run) => stage.arm.listRunEvents(run)));
  return lists.flatMap(({ events }) => events);
}

/** The events of runs in the order of time, without plans. */
async function story(...runs: RunPath[]): Promise<string[]> {
  const shown = (await eventsOf(...runs)).filter(({ hook_type }) => hook_type !== 'NewPlanHook');
  shown.sort((a, b) => moment_s(a) - moment_s(b));
  return shown.map((event) => `${timeText(event)} ${runEventText(event)}`);
}

/** The reasons of new plans, with their times. */
async function reasons(run: RunPath): Promise<string[]> {
  return (await eventsOf(run)).flatMap((event) =>
    event.hook_type === 'NewPlanHook' && event.reason !== undefined
      ? [`${timeText(event)} ${event.reason}`]
      : [],
  );
}

describe('a day on which the washer takes 60 times as long', () => {
  it('carries the plates that do not need it, and tells what is late', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const run = await begun({
      p1: [
        ['washer', 60, { execution_time: 3600 }],
        ['reader', 10],
      ],
      p2: [
        ['shaker', 80],
        ['reader', 10],
      ],
    });
    await twin.advance(200);
    const { late, waiting } = (await arm.getRun(run)).run;
    expect(late).toMatchObject([
      { task_id: 'p1_washer', instrument_id: 'washer', planned_end_s: 65, late_s: 135 },
    ]);
    const [read] = waiting.filter(({ task_id }) => task_id === 'p1_reader');
    expect(read!.blocked_by).toMatchObject([
      {
        text: 'washer does p1_washer, 135 s longer than planned since 5 s',
        instrument_id: 'washer',
        labware_id: 'p1',
        task_id: 'p1_washer',
        since_s: 5,
      },
    ]);
    await twin.advance(3600);
    expect(await story(run)).toEqual([
      '0 Run started',
      '0 Labware p1 started',
      '5 Labware p1 finished',
      '5 Labware p2 started',
      '5 Task p1_washer started',
      '10 Labware p2 finished',
      '10 Task p2_shaker started',
      '90 Task p2_shaker succeeded',
      '90 Labware p2 started',
      '95 Labware p2 finished',
      '95 Task p2_reader started',
      '105 Task p2_reader succeeded',
      '105 Labware p2 started',
      '110 Labware p2 finished',
      '110 Task p2_rack started',
      '111 Task p2_rack succeeded',
      '3605 Task p1_washer succeeded',
      '3605 Labware p1 started',
      '3610 Labware p1 finished',
      '3610 Task p1_reader started',
      '3620 Task p1_reader succeeded',
      '3620 Labware p1 started',
      '3625 Labware p1 finished',
      '3625 Task p1_rack started',
      '3626 Task p1_rack succeeded',
      '3626 Run stopped (completed)',
    ]);
    expect(await reasons(run)).toEqual([
      '68 p1_washer is late by 3 s',
      '71 p1_washer is late by 6 s',
      '77 p1_washer is late by 12 s',
      '89 p1_washer is late by 24 s',
      '113 p1_washer is late by 48 s',
      '161 p1_washer is late by 96 s',
      '257 p1_washer is late by 192 s',
      '449 p1_washer is late by 384 s',
      '833 p1_washer is late by 768 s',
      '1601 p1_washer is late by 1536 s',
      '3137 p1_washer is late by 3072 s',
      '3605 p1_washer has ended',
    ]);
  });
});

describe('a day on which the reader is down for an hour', () => {
  it('goes on with what does not need it, and says what waits for it', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const run = await begun({
      p1: [
        ['washer', 60],
        ['reader', 10],
      ],
      p2: [['shaker', 80]],
    });
    await twin.advance(30);
    await arm.setInstrument({ instrument_id: 'reader', is_up: false });
    await twin.advance(100);
    const { waiting } = (await arm.getRun(run)).run;
    const [read] = waiting.filter(({ task_id }) => task_id === 'p1_reader');
    expect(read!.blocked_by).toEqual([
      {
        text: 'reader is down since 30 s',
        instrument_id: 'reader',
        labware_id: null,
        task_id: null,
        since_s: 30,
        freed_by: 'its return',
      },
    ]);
    await twin.advance(3500);
    await arm.setInstrument({ instrument_id: 'reader', is_up: true });
    await twin.advance(100);
    expect(await story(run)).toEqual([
      '0 Run started',
      '0 Labware p1 started',
      '5 Labware p1 finished',
      '5 Labware p2 started',
      '5 Task p1_washer started',
      '10 Labware p2 finished',
      '10 Task p2_shaker started',
      '65 Task p1_washer succeeded',
      '90 Task p2_shaker succeeded',
      '90 Labware p2 started',
      '95 Labware p2 finished',
      '95 Task p2_rack started',
      '96 Task p2_rack succeeded',
      '3630 Labware p1 started',
      '3635 Labware p1 finished',
      '3635 Task p1_reader started',
      '3645 Task p1_reader succeeded',
      '3645 Labware p1 started',
      '3650 Labware p1 finished',
      '3650 Task p1_rack started',
      '3651 Task p1_rack succeeded',
      '3651 Run stopped (completed)',
    ]);
    expect(await reasons(run)).toEqual([
      '30 reader is down',
      '90 reader is still down',
      '150 reader is still down',
      '270 reader is still down',
      '510 reader is still down',
      '990 reader is still down',
      '1950 reader is still down',
      '3630 reader is up again',
    ]);
  });
});

describe('a day with an urgent plate in the middle', () => {
  it('brings it before the others at once, also where a washer is late', async () => {
    const { twin } = stage;
    began_s = twin.now_s();
    const usual = await begun({
      p1: [
        ['washer', 30, { execution_time: 90 }],
        ['reader', 10],
      ],
      p2: [
        ['shaker', 40],
        ['reader', 20],
      ],
      p3: [['shaker', 40]],
    });
    await twin.advance(45);
    const urgent = await begun({ p9: [['reader', 10]] }, { priority: 9 });
    await twin.advance(300);
    const carried = (await story(usual, urgent)).filter((text) =>
      /Labware .* started|Run/.test(text),
    );
    expect(carried).toEqual([
      '0 Run started',
      '0 Labware p2 started',
      '5 Labware p1 started',
      '45 Run started',
      '45 Labware p9 started',
      '60 Labware p9 started',
      '65 Labware p2 started',
      '66 Run stopped (completed)',
      '70 Labware p3 started',
      '90 Labware p2 started',
      '100 Labware p1 started',
      '115 Labware p3 started',
      '120 Labware p1 started',
      '126 Run stopped (completed)',
    ]);
  });
});
