/**
 * Days in a lab over HTTP with a stepped clock: normal work, overrun limits, an instrument that
 * goes down, a stop with a plate in the gripper, an emergency stop. What is expected of events,
 * bodies, deck and report is written by hand; two runs at a time are in joint-runs.test.ts, the
 * swap through a buffer is in lab-days.test.ts.
 */

import { afterEach, describe, expect, it } from 'vitest';
import type { StartRunBody } from '../../contract/types.generated.ts';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { clearRuns, moment_s, runEventText, startedRun } from './assay.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });
let began_s = 0;

afterEach(async () => {
  const { arm, twin } = stage;
  await arm.setEmergencyStop({ engaged: false });
  await arm.setInstrument({ instrument_id: 'washer', is_up: true });
  await twin.advance(1);
  await clearRuns(arm);
});

type RunPath = { readonly run_id: number };

async function begun(options: Parameters<typeof washAndRead>[0] = {}, body: StartRunBody = {}) {
  began_s = stage.twin.now_s();
  return startedRun(stage.arm, washAndRead(options), body);
}

/** Events with their time since the start (tenths of a second), without plans. */
async function story(run: RunPath): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events
    .filter(({ hook_type }) => hook_type !== 'NewPlanHook')
    .map((event) => `${Math.round(10 * (moment_s(event) - began_s)) / 10} ${runEventText(event)}`);
}

async function deckOf(run: RunPath) {
  const { workcell_id } = (await stage.arm.getRun(run)).run;
  const { labware, gripper } = (await stage.arm.getDeck({ workcell_id: workcell_id! })).deck;
  return { labware, gripper };
}

const inReader = { labware_id: 'plate_1', instrument_id: 'reader', slot: 1 };

it('a normal day: every body, the deck and the report', async () => {
  const { twin, arm } = stage;
  const run = await begun();
  const { started_at } = (await arm.getRun(run)).run;
  await twin.advance(100);
  const run_id = String(run.run_id);
  const at = (after_s: number) => {
    const timestamp = new Date(Date.parse(started_at) + 1000 * after_s).toISOString();
    return { run_id, timestamp };
  };
  const fetching = {
    labware_id: 'plate_1',
    source_instrument_id: 'hotel',
    source_slot: 1,
    destination_instrument_id: 'washer',
    destination_slot: 1,
  };
  const carrying = {
    labware_id: 'plate_1',
    source_instrument_id: 'washer',
    source_slot: 1,
    destination_instrument_id: 'reader',
    destination_slot: 1,
  };
  const wash = { task_id: 'wash_plate_1', instrument_id: 'washer', action: 'wash', error: '' };
  const read = { task_id: 'read_plate_1', instrument_id: 'reader', action: 'read', error: '' };
  const { events } = await arm.listRunEvents(run);
  expect(events.map(({ body }) => body)).toEqual([
    { ...at(0), remaining_worktime: 60 },
    { ...at(0), state: 'started', message: '' },
    { ...at(0), ...fetching, state: 'started' },
    { ...at(5), ...fetching, state: 'finished' },
    { ...at(5), ...wash, state: 'started' },
    { ...at(25), ...wash, state: 'succeeded' },
    { ...at(25), ...carrying, state: 'started' },
    { ...at(30), ...carrying, state: 'finished' },
    { ...at(30), ...read, state: 'started' },
    { ...at(60), ...read, state: 'succeeded' },
    { ...at(60), state: 'stopped', message: 'completed' },
  ]);
  expect(await deckOf(run)).toEqual({ labware: [inReader], gripper: null });
  const iso = (after_s: number) => at(after_s).timestamp;
  expect((await arm.getRunReportCsv(run)).split('\r\n').slice(1)).toEqual([
    `move,,plate_1,hotel,1,washer,1,finished,0,5,0,5,${iso(0)},${iso(5)},,0,5`,
    `task,wash_plate_1,,,,washer,,succeeded,5,25,5,25,${iso(5)},${iso(25)},,,`,
    `move,,plate_1,washer,1,reader,1,finished,25,30,25,30,${iso(25)},${iso(30)},,25,30`,
    `task,read_plate_1,,,,reader,,succeeded,30,60,30,60,${iso(30)},${iso(60)},,,`,
    '',
  ]);
});

describe('a day on which the washer overruns its limit of 20 s by 10 s', () => {
  async function overrun(on_violation: string): Promise<RunPath> {
    const definition = washAndRead({ task: { mock_behaviour: { execution_time: 30 } } });
    const ends = { start_task_id: 'wash_plate_1', end_task_id: 'wash_plate_1' };
    const limit = { id: 'soon', type: 'start_to_end', max_duration: 20, on_violation, ...ends };
    Object.assign(definition.workflow, { time_constraints: [limit] });
    began_s = stage.twin.now_s();
    const run = await startedRun(stage.arm, definition);
    await stage.twin.advance(50);
    return run;
  }
  const untilThen = [
    '0 Run started',
    '0 Labware plate_1 started',
    '5 Labware plate_1 finished',
    '5 Task wash_plate_1 started',
  ];
  const broken = 'limit soon is broken: more than 20 s';

  it('goes on, and says so at the end', async () => {
    const run = await overrun('continue');
    await stage.twin.advance(50);
    expect(await story(run)).toEqual([
      ...untilThen,
      '35 Task wash_plate_1 succeeded',
      '35 Labware plate_1 started',
      '40 Labware plate_1 finished',
      '40 Task read_plate_1 started',
      '70 Task read_plate_1 succeeded',
      '70 Run stopped (completed; broken limits: soon)',
    ]);
    const { violations } = await stage.arm.getRunReport(run);
    expect(violations).toMatchObject([{ constraint_id: 'soon', limit_s: 20, elapsed_s: 30 }]);
  });

  it('pauses until the operator resumes', async () => {
    const run = await overrun('pause');
    await stage.arm.resumeRun(run);
    await stage.twin.advance(50);
    expect(await story(run)).toEqual([
      ...untilThen,
      `25 Run paused (${broken})`,
      '35 Task wash_plate_1 succeeded',
      '50 Run resumed',
      '50 Labware plate_1 started',
      '55 Labware plate_1 finished',
      '55 Task read_plate_1 started',
      '85 Task read_plate_1 succeeded',
      '85 Run stopped (completed; broken limits: soon)',
    ]);
  });

  it('gives the plate up', async () => {
    const run = await overrun('abort_labware');
    expect(await story(run)).toEqual([
      ...untilThen,
      '35 Task wash_plate_1 succeeded',
      '35 Run stopped (completed; broken limits: soon; aborted tasks: read_plate_1)',
    ]);
    const there = { labware_id: 'plate_1', instrument_id: 'washer', slot: 1 };
    expect(await deckOf(run)).toEqual({ labware: [there], gripper: null });
  });

  it('stops', async () => {
    const run = await overrun('stop');
    expect(await story(run)).toEqual([
      ...untilThen,
      '25 Task wash_plate_1 failed (the run was stopped)',
      `25 Run stopped (failure: ${broken})`,
    ]);
  });
});

it('a day on which the washer goes down and comes back', async () => {
  const { twin, arm } = stage;
  const run = await begun();
  await twin.advance(10);
  await arm.setInstrument({ instrument_id: 'washer', is_up: false });
  await twin.advance(5);
  await arm.retryTask(run, { task_id: 'wash_plate_1' });
  await arm.resumeRun(run);
  await twin.advance(5);
  const { waiting } = (await arm.getRun(run)).run;
  expect(waiting[0]!.reasons).toContain('washer is down');
  await arm.setInstrument({ instrument_id: 'washer', is_up: true });
  await twin.advance(100);
  expect(await story(run)).toEqual([
    '0 Run started',
    '0 Labware plate_1 started',
    '5 Labware plate_1 finished',
    '5 Task wash_plate_1 started',
    '10 Task wash_plate_1 failed (washer is down)',
    '10 Run paused (task wash_plate_1 failed: washer is down)',
    '15 Run resumed',
    '20 Task wash_plate_1 started',
    '40 Task wash_plate_1 succeeded',
    '40 Labware plate_1 started',
    '45 Labware plate_1 finished',
    '45 Task read_plate_1 started',
    '75 Task read_plate_1 succeeded',
    '75 Run stopped (completed)',
  ]);
});

it('a day on which the operator stops with a plate in the gripper, and the next run', async () => {
  const { twin, arm } = stage;
  const run = await begun();
  await twin.advance(2);
  await arm.stopRun(run);
  await twin.advance(8);
  expect(await story(run)).toEqual([
    '0 Run started',
    '0 Labware plate_1 started',
    '2 Labware plate_1 failed',
    '2 Run stopped (stopped by user)',
  ]);
  expect(await deckOf(run)).toEqual({ labware: [], gripper: 'plate_1' });
  await expect(begun()).rejects.toThrow('plate_1 is in the gripper, not in hotel slot 1');
  const next = await begun({}, { deck: 'as_found' });
  await twin.advance(100);
  expect(await story(next)).toEqual([
    '0 Run started',
    '0 Labware plate_1 started',
    '5 Labware plate_1 finished',
    '5 Task wash_plate_1 started',
    '25 Task wash_plate_1 succeeded',
    '25 Labware plate_1 started',
    '30 Labware plate_1 finished',
    '30 Task read_plate_1 started',
    '60 Task read_plate_1 succeeded',
    '60 Run stopped (completed)',
  ]);
  expect(await deckOf(next)).toEqual({ labware: [inReader], gripper: null });
});

it('a day with an emergency stop while a plate is carried', async () => {
  const { twin, arm } = stage;
  const run = await begun();
  await twin.advance(27);
  await arm.setEmergencyStop({ engaged: true });
  await twin.advance(3);
  expect(await deckOf(run)).toEqual({ labware: [], gripper: 'plate_1' });
  await expect(arm.resumeRun(run)).rejects.toThrow('not safe');
  await arm.setEmergencyStop({ engaged: false });
  await twin.advance(10);
  await arm.resumeRun(run);
  await twin.advance(100);
  expect((await story(run)).slice(5)).toEqual([
    '25 Labware plate_1 started',
    '27 Safety emergency_stop',
    '27 Labware plate_1 failed',
    '27 Run paused (emergency stop)',
    '30 Safety ok',
    '40 Run resumed',
    '40 Labware plate_1 started',
    '45 Labware plate_1 finished',
    '45 Task read_plate_1 started',
    '75 Task read_plate_1 succeeded',
    '75 Run stopped (completed)',
  ]);
  expect(await deckOf(run)).toEqual({ labware: [inReader], gripper: null });
});
