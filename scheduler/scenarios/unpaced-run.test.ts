/**
 * At pace max a run moves the clock only while it goes on without a call of an operator.
 * @module-tag ci
 */

import { expect, it } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import {
  type TwinAndClient,
  withTwinClient,
} from '../../server/service/simulation/twin-client.cases.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { oneMove, startedRun } from './assay.cases.ts';

const WASH = { task_id: 'wash_plate_1' };
const WATCHED_MS = 300;
/** More than the twin time of a real-time clock on a slow machine meanwhile (s). */
const MOST_S = 5;

const pause_ms = (delay_ms: number) => new Promise((resolve) => setTimeout(resolve, delay_ms));
const unpaced = (use: (stage: TwinAndClient) => Promise<void>) => () =>
  withTwinClient({ webhooks: 'off' }, use);

/** A run whose first task has failed at 25 s, on a stepped clock. */
async function failedRun({ twin, arm }: TwinAndClient) {
  const run = await startedRun(arm, washAndRead(), { faults: [WASH] });
  await twin.advance(30);
  await arm.retryTask(run, WASH);
  return run;
}

async function now_s(arm: ArmClient): Promise<number> {
  return (await arm.getClock()).now_s;
}

/** The twin time that passes in a moment at pace max (s). */
async function passed_s(arm: ArmClient): Promise<number> {
  await arm.setClock({ pace: 'max' });
  await pause_ms(WATCHED_MS);
  const before_s = await now_s(arm);
  await pause_ms(WATCHED_MS);
  return (await now_s(arm)) - before_s;
}

async function ended(arm: ArmClient, run: { readonly run_id: number }): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const { state, message } = (await arm.getRun(run)).run;
    if (state === 'stopped') return message;
    await pause_ms(20);
  }
  return 'goes on';
}

it(
  'waits in real time for the release of a piece, then runs ahead',
  unpaced(async (stage) => {
    const { arm } = stage;
    const run = await failedRun(stage);
    await arm.holdLabware(run, { labware_id: 'plate_1' });
    await arm.resumeRun(run);
    expect(await passed_s(arm)).toBeLessThan(MOST_S);
    expect((await arm.getRun(run)).run.state).toBe('started');
    await arm.releaseLabware(run, { labware_id: 'plate_1' });
    expect(await ended(arm, run)).toBe('completed');
  }),
);

it(
  'waits in real time for an instrument that is down, then runs ahead',
  unpaced(async (stage) => {
    const { arm } = stage;
    const run = await failedRun(stage);
    await arm.resumeRun(run);
    await arm.setInstrument({ instrument_id: 'reader', is_up: false });
    expect(await passed_s(arm)).toBeLessThan(MOST_S);
    expect((await arm.getRun(run)).run.state).toBe('started');
    await arm.setInstrument({ instrument_id: 'reader', is_up: true });
    expect(await ended(arm, run)).toBe('completed');
  }),
);

it(
  'waits in real time for an arm that is paused beside the run, then runs ahead',
  unpaced(async ({ twin, arm }) => {
    const run = await startedRun(arm, oneMove());
    await twin.advance(2);
    await arm.pause();
    await twin.advance(2);
    expect(await passed_s(arm)).toBeLessThan(MOST_S);
    expect((await arm.getRun(run)).run.state).toBe('started');
    await arm.resume();
    expect(await ended(arm, run)).toBe('completed');
  }),
);

it(
  'waits in real time for a held piece in the instrument that another piece needs',
  unpaced(async ({ twin, arm }) => {
    const run = await startedRun(arm, washAndRead({ plates: 2 }));
    await twin.advance(15);
    await arm.holdLabware(run, { labware_id: 'plate_1' });
    // The held plate stands in the washer, which the other plate needs.
    expect(await passed_s(arm)).toBeLessThan(MOST_S);
    await arm.releaseLabware(run, { labware_id: 'plate_1' });
    expect(await ended(arm, run)).toBe('completed');
  }),
);

it(
  'runs ahead to an operation that waits only for its time',
  unpaced(async ({ arm }) => {
    await arm.setClock({ pace: 'max' });
    const run = await startedRun(arm, washAndRead(), { start_after_s: 3600 });
    expect(await ended(arm, run)).toBe('completed');
    expect(await now_s(arm)).toBeGreaterThan(3600);
  }),
);

it(
  'runs ahead to the end of the least time of a limit',
  unpaced(async ({ arm }) => {
    const definition = washAndRead();
    const ends = { start_task_id: 'wash_plate_1', end_task_id: 'read_plate_1' };
    const limit = { id: 'rest', type: 'end_to_start', ...ends, min_duration: 7200 };
    const workflow = { ...definition.workflow, time_constraints: [limit] };
    await arm.setClock({ pace: 'max' });
    const run = await startedRun(arm, { ...definition, workflow }, {});
    expect(await ended(arm, run)).toBe('completed');
    expect(await now_s(arm)).toBeGreaterThan(7200);
  }),
);
