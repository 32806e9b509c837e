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

describe('a day on which the centrifuge spins five times as long', () => {
  const centrifuge = { slots: 4, max_tasks: 1, closed_while_running: true };
  const cell = { instruments: { centrifuge } };

  /** Plates 1 and 2 are spun together, and 3 is shaken and sealed meanwhile. */
  function spinning(): Record<string, unknown> {
    const stored = (labware_id: string, destination_slot: number) => {
      return { type: 'stored_labware', labware_id, destination_slot };
    };
    const both = { p1: stored('p1', 1), p2: stored('p2', 2) };
    const spin = { execution_time: 300, labware_sources: both };
    const day = labDay(
      {
        p1: [
          ['centrifuge', 60, spin],
          ['reader', 40],
        ],
        p2: [],
        p3: [
          ['shaker', 150],
          ['sealer', 10],
        ],
      },
      cell,
    );
    const { tasks } = Reflect.get(day, 'workflow') as { tasks: Record<string, object> };
    const source_task = 'p1_centrifuge';
    const need = { type: 'labware_source', labware_id: 'p2', source_task, destination_slot: 2 };
    Object.assign(tasks['p2_rack']!, { labware_sources: { p2: need } });
    return day;
  }

  it('brings an urgent plate once it opens, and carries what does not need it', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const usual = await startedRun(arm, spinning());
    await twin.advance(40);
    const step = ['centrifuge', 20, { slot: 3 }] as const;
    const urgent = await startedRun(arm, labDay({ p4: [step] }, cell), { priority: 9 });
    await twin.advance(60);
    const [spin] = (await arm.getRun(urgent)).run.waiting;
    expect(spin!.reasons).toContain('centrifuge is closed while it does p1_centrifuge');
    expect(spin!.blocked_by).toMatchObject([
      { text: 'centrifuge does p1_centrifuge', instrument_id: 'centrifuge', labware_id: null },
    ]);
    const { late } = (await arm.getRun(usual)).run;
    expect(late).toMatchObject([{ task_id: 'p1_centrifuge', planned_end_s: 75, late_s: 25 }]);
    await twin.advance(400);
    expect(await story(usual, urgent)).toEqual([
      '0 Run started',
      '0 Labware p3 started',
      '5 Labware p3 finished',
      '5 Labware p1 started',
      '5 Task p3_shaker started',
      '10 Labware p1 finished',
      '10 Labware p2 started',
      '15 Labware p2 finished',
      '15 Task p1_centrifuge started',
      '40 Run started',
      '155 Task p3_shaker succeeded',
      '155 Labware p3 started',
      '160 Labware p3 finished',
      '160 Task p3_sealer started',
      '170 Task p3_sealer succeeded',
      // The arm is kept for the urgent plate, since the spin is expected to end; it goes on.
      '171 Labware p3 started',
      '176 Labware p3 finished',
      '176 Task p3_rack started',
      '177 Task p3_rack succeeded',
      '315 Task p1_centrifuge succeeded',
      '315 Labware p4 started',
      '320 Labware p4 finished',
      '320 Task p4_centrifuge started',
      '340 Task p4_centrifuge succeeded',
      '340 Labware p4 started',
      '345 Labware p1 started',
      '345 Labware p4 finished',
      '345 Task p4_rack started',
      '346 Task p4_rack succeeded',
      '346 Run stopped (completed)',
      '350 Labware p1 finished',
      '350 Labware p2 started',
      '350 Task p1_reader started',
      '355 Labware p2 finished',
      '355 Task p2_rack started',
      '356 Task p2_rack succeeded',
      '390 Task p1_reader succeeded',
      '390 Labware p1 started',
      '395 Labware p1 finished',
      '395 Task p1_rack started',
      '396 Task p1_rack succeeded',
      '396 Run stopped (completed)',
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

describe('a day on which the sealer fails', () => {
  const policy = { retries: 2, retry_delay_s: 10, action: 'continue_without' };
  const bin = { id: 'bin', type: 'bin', role: 'reject', capacity: 2 };

  it('tries again, then rejects the plate, and goes on with the other unattended', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const steps: DaySteps = {
      p1: [
        ['sealer', 10, { on_failure: policy }],
        ['reader', 10],
      ],
      p2: [
        ['sealer', 10],
        ['reader', 10],
      ],
    };
    const faults = [{ task_id: 'p1_sealer', error: 'no film', times: 3 }];
    const run = await startedRun(arm, labDay(steps, { more: [bin] }), { faults });
    await twin.advance(300);
    const first = 'Task p1_sealer failed (no film)';
    expect(await story(run)).toEqual([
      '0 Run started',
      '0 Labware p1 started',
      '5 Labware p1 finished',
      '5 Task p1_sealer started',
      `15 ${first}`,
      '25 Task p1_sealer started',
      `35 ${first}`,
      '45 Task p1_sealer started',
      `55 ${first}`,
      '55 Labware p1 started',
      '60 Labware p1 finished',
      '60 Labware p2 started',
      '65 Labware p2 finished',
      '65 Task p2_sealer started',
      '75 Task p2_sealer succeeded',
      '75 Labware p2 started',
      '80 Labware p2 finished',
      '80 Task p2_reader started',
      '90 Task p2_reader succeeded',
      '90 Labware p2 started',
      '95 Labware p2 finished',
      '95 Task p2_rack started',
      '96 Task p2_rack succeeded',
      '96 Run stopped (completed; aborted tasks: p1_sealer, p1_reader, p1_rack)',
    ]);
    const { labware } = (await arm.getRun(run)).run;
    expect(labware[0]).toMatchObject({ labware_id: 'p1', instrument_id: 'bin', slot: 1 });
    const told = (await reasons(run)).map((text) => text.replace(/^\S+ /, ''));
    expect(told.filter((text) => text.includes('no film'))).toEqual([
      'task p1_sealer failed: no film; it is tried again',
      'task p1_sealer failed: no film; it is tried again',
      'task p1_sealer failed: no film',
    ]);
  });

  it('without a reject nest goes on when a person has taken the plate out', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const plates: DaySteps = { p1: [['sealer', 10]], p2: [['sealer', 10]] };
    const workflow = { on_failure: { action: 'continue_without' } };
    const faults = [{ task_id: 'p1_sealer', error: 'no film' }];
    const run = await startedRun(arm, labDay(plates, { workflow }), { faults });
    await twin.advance(100);
    const { workcell_id, waiting } = (await arm.getRun(run)).run;
    expect(waiting[0]!.blocked_by).toMatchObject([
      { text: 'p1 stands in sealer slot 1', labware_id: 'p1', freed_by: 'taking p1 away' },
    ]);
    const path = { workcell_id: workcell_id! };
    const p2 = { labware_id: 'p2', instrument_id: 'hotel', slot: 2 };
    await expect(arm.setDeck(path, { labware: [], gripper: null })).rejects.toThrow(
      'An active run uses p2',
    );
    await arm.setDeck(path, { labware: [p2], gripper: null });
    await twin.advance(100);
    const { run: ended } = await arm.getRun(run);
    expect(ended.message).toBe('completed; aborted tasks: p1_sealer, p1_rack');
    expect(ended.labware[0]).toMatchObject({ instrument_id: null, slot: null });
    expect((await arm.getDeck(path)).deck.labware.map((one) => one.labware_id)).toEqual(['p2']);
  });

  it('holds only the plate where its policy says so, until a person decides', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const plates: DaySteps = {
      p1: [['sealer', 10, { on_failure: { action: 'pause_plate' } }]],
      p2: [['shaker', 30]],
    };
    const faults = [{ task_id: 'p1_sealer', error: 'no film' }];
    const run = await startedRun(arm, labDay(plates), { faults });
    await twin.advance(100);
    const { state, tasks, schedule } = (await arm.getRun(run)).run;
    expect([state, schedule!.held_labware]).toEqual(['started', ['p1']]);
    expect(tasks.map((one) => one.state)).toEqual(['failed', 'waiting', 'succeeded', 'succeeded']);
    await arm.retryTask(run, { task_id: 'p1_sealer' });
    await twin.advance(30);
    expect((await arm.getRun(run)).run.message).toBe('completed');
  });
});

describe('a day with several failures', () => {
  const bin = { id: 'bin', type: 'bin', role: 'reject' };

  it('tries a task again at its time where the rest has no plan', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const plates: DaySteps = {
      p1: [['sealer', 10, { on_failure: { action: 'continue_without' } }]],
      p2: [['shaker', 20, { on_failure: { retries: 1, retry_delay_s: 30 } }]],
      // Its way is blocked by the first, which stays where it is.
      p3: [['sealer', 10]],
    };
    const faults = [{ task_id: 'p1_sealer' }, { task_id: 'p2_shaker' }];
    const run = await startedRun(arm, labDay(plates), { faults });
    await twin.advance(200);
    const told = (await story(run)).filter((text) => text.includes('Task p2'));
    expect(told).toEqual([
      '10 Task p2_shaker started',
      '30 Task p2_shaker failed (injected fault)',
      '60 Task p2_shaker started',
      '80 Task p2_shaker succeeded',
      '85 Task p2_rack started',
      '86 Task p2_rack succeeded',
    ]);
  });

  it('takes a plate that is given up on its way to the reject once it stands', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const run = await startedRun(arm, labDay({ p1: [['sealer', 10]] }, { more: [bin] }));
    await twin.advance(2);
    await arm.abortLabware(run, { labware_id: 'p1' });
    await twin.advance(100);
    expect((await story(run)).slice(1, -1)).toEqual([
      '0 Labware p1 started',
      '5 Labware p1 finished',
      '5 Labware p1 started',
      '10 Labware p1 finished',
    ]);
    const { message, labware } = (await arm.getRun(run)).run;
    expect(message).toContain('completed');
    expect(labware[0]!.instrument_id).toBe('bin');
    expect(await reasons(run)).toEqual(['5 p1, which was given up, has been put down']);
  });

  it('fetches no plate that is given up and that a person has taken out', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const run = await startedRun(arm, labDay({ p1: [['sealer', 10]] }, { more: [bin] }));
    await twin.advance(8);
    await arm.pauseRun(run, { immediate: true });
    await twin.advance(20);
    await arm.abortLabware(run, { labware_id: 'p1' });
    const { workcell_id } = (await arm.getRun(run)).run;
    await arm.setDeck({ workcell_id: workcell_id! }, { labware: [], gripper: null });
    await arm.resumeRun(run);
    await twin.advance(60);
    expect((await story(run)).slice(-3)).toEqual([
      '15 Task p1_sealer succeeded',
      '28 Run resumed',
      '28 Run stopped (completed; aborted tasks: p1_rack)',
    ]);
  });

  it('says nothing of a run after its end where two tasks fail at once', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const source = { type: 'stored_labware', labware_id: 'p2', destination_slot: 2 };
    const second = { labware_sources: { p2: source } };
    const run = await startedRun(
      arm,
      labDay(
        { p1: [['washer', 100]], p2: [['washer', 100, second]] },
        {
          instruments: { washer: { capacity: 2 } },
          workflow: { on_failure: { action: 'stop' } },
        },
      ),
    );
    await twin.advance(20);
    await arm.setInstrument({ instrument_id: 'washer', is_up: false });
    expect((await story(run)).slice(-3)).toEqual([
      '20 Task p1_washer failed (washer is down)',
      '20 Task p2_washer failed (the run was stopped)',
      '20 Run stopped (failure: task p1_washer failed: washer is down)',
    ]);
  });

  it('releases a plate that its policy holds by a choice in a pause, and no other', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const plates: DaySteps = {
      p1: [['sealer', 10, { on_failure: { action: 'pause_plate' } }]],
      p2: [['shaker', 20]],
    };
    const faults = [{ task_id: 'p1_sealer' }, { task_id: 'p2_shaker' }];
    const run = await startedRun(arm, labDay(plates), { faults });
    await twin.advance(40);
    await arm.holdLabware(run, { labware_id: 'p2' });
    await arm.retryTask(run, { task_id: 'p1_sealer' });
    await arm.retryTask(run, { task_id: 'p2_shaker' });
    expect((await arm.getRun(run)).run.schedule!.held_labware).toEqual(['p2']);
    await arm.resumeRun(run);
    await twin.advance(30);
    const { tasks } = (await arm.getRun(run)).run;
    expect(tasks.map((one) => one.state)).toEqual(['succeeded', 'succeeded', 'waiting', 'waiting']);
  });
});

describe('a day with a power cut in two incubations', () => {
  it('goes on with what is left of each, by what a person says of them, and of their limit', async () => {
    const { twin, arm } = stage;
    const limit = { id: 'soon', type: 'start_to_start', max_duration: 700 };
    const ends = { start_task_id: 'p2_shaker', end_task_id: 'p2_rack' };
    const workflow = { time_constraints: [{ ...limit, ...ends }] };
    const plates: DaySteps = { p1: [['incubator', 600]], p2: [['shaker', 600]] };
    const cut = await startedRun(arm, labDay(plates, { workflow }));
    await twin.advance(300);
    await arm.stopRun(cut);
    await twin.advance(60);
    began_s = twin.now_s();
    const { workflow_id } = (await arm.getRun(cut)).run;
    // The incubator went on by its own clock since 5 s, the shaker stood still from 300 s on.
    const interrupted_tasks = { p1_incubator: 'kept_running' as const };
    const body = { continue_run_id: cut.run_id, interrupted_tasks };
    const run = { run_id: (await arm.startRun({ workflow_id }, body)).run.id };
    const [soon] = (await arm.getRun(run)).run.limits;
    expect(soon).toMatchObject({ max_s: 350, planned_s: 315, slack_s: 35 });
    await twin.advance(400);
    expect(await story(run)).toEqual([
      '0 Run started',
      '0 Task p1_incubator started',
      '0 Task p2_shaker started',
      '245 Task p1_incubator succeeded',
      '245 Labware p1 started',
      '250 Labware p1 finished',
      '250 Task p1_rack started',
      '251 Task p1_rack succeeded',
      '310 Task p2_shaker succeeded',
      '310 Labware p2 started',
      '315 Labware p2 finished',
      '315 Task p2_rack started',
      '316 Task p2_rack succeeded',
      '316 Run stopped (completed)',
    ]);
  });
});
