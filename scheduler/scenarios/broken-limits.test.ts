/** Broken limits of time: recorded once, handled as the definition says, shown with their slack. */

import { afterEach, describe, expect, it } from 'vitest';
import type { WorkflowTimeConstraint } from '../../contract/types.generated.ts';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { clearRuns, moment_s, runEventText, startedRun } from './assay.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });
let began_s = 0;

afterEach(() => clearRuns(stage.arm));

type RunPath = { readonly run_id: number };

/** Two plates; the washer takes 20 s longer than planned for the first. */
async function slowWash(
  limit: Partial<WorkflowTimeConstraint>,
  more: readonly object[] = [],
): Promise<RunPath> {
  const definition = washAndRead({ plates: 2 });
  const constraint = {
    id: 'fresh',
    type: 'start_to_end',
    start_task_id: 'wash_plate_1',
    end_task_id: 'wash_plate_1',
    max_duration: 30,
    ...limit,
  };
  const tasks = definition.workflow.tasks as Record<string, object>;
  const slow = { mock_behaviour: { execution_time: 40 } };
  tasks['wash_plate_1'] = { ...tasks['wash_plate_1'], ...slow };
  const workflow = { ...definition.workflow, time_constraints: [constraint, ...more] };
  began_s = stage.twin.now_s();
  return startedRun(stage.arm, { ...definition, workflow });
}

async function story(run: RunPath): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events
    .filter(({ hook_type }) => hook_type !== 'NewPlanHook' && hook_type !== 'LabwareMovementHook')
    .map(
      (event) => `${Math.round((moment_s(event) - began_s) * 100) / 100} ${runEventText(event)}`,
    );
}

it('holds a task until its limit begins, also without a least time', async () => {
  const { arm, twin } = stage;
  const taskOf = (id: string, execution_time: number) => ({
    ...{ id, instrument: { type: id }, action: 'act', time_estimate: 20, labware_sources: {} },
    mock_behaviour: { execution_time },
  });
  const instruments = ['mix', 'read'].map((id) => ({ id, type: id }));
  const limit = { id: 'fresh', type: 'end_to_start', max_duration: 5 };
  const run = await startedRun(arm, {
    name: 'mix and read',
    workflow: {
      labware: [],
      tasks: { mix: taskOf('mix', 30), read: taskOf('read', 20) },
      time_constraints: [{ ...limit, start_task_id: 'mix', end_task_id: 'read' }],
    },
    workcell: {
      workcell_id: 'mix',
      instruments: [...instruments, { id: 'arm', type: 'transport' }],
    },
  });
  await twin.advance(60);
  const { violations, message, tasks } = (await arm.getRun(run)).run;
  expect([violations, message]).toEqual([[], 'completed']);
  const [mix, read] = tasks;
  expect(read!.started_at_s! - mix!.ended_at_s!).toBeCloseTo(0, 1);
});

describe('a task that overruns a limit of 30 s', () => {
  it('is marked and the run goes on', async () => {
    const { arm, twin } = stage;
    const run = await slowWash({});
    await twin.advance(20);
    const before = (await arm.getRun(run)).run;
    expect(before.limits[0]).toEqual({
      constraint_id: 'fresh',
      state: 'running',
      ...{ min_s: 0, max_s: 30, elapsed_s: 15, planned_s: 20, slack_s: 10 },
    });
    await twin.advance(20);
    const after = (await arm.getRun(run)).run;
    expect(after.limits[0]).toMatchObject({ state: 'broken', elapsed_s: 35 });
    expect(after.violations[0]).toMatchObject({ kind: 'too_long', limit_s: 30 });
    expect(after.violations[0]!.at_s).toBeCloseTo(35, 1);
    await twin.advance(200);
    const { violations, message } = (await arm.getRun(run)).run;
    expect(violations).toEqual([{ ...after.violations[0], elapsed_s: 40 }]);
    expect(message).toBe('completed; broken limits: fresh');
  });

  it('pauses the run', async () => {
    const run = await slowWash({ on_violation: 'pause' });
    await stage.twin.advance(60);
    expect((await story(run)).slice(2)).toEqual([
      '35 Run paused (limit fresh is broken: more than 30 s)',
      '45 Task wash_plate_1 succeeded',
    ]);
    await stage.arm.resumeRun(run);
    await stage.twin.advance(200);
    expect((await story(run)).at(-1)).toContain('completed; broken limits: fresh');
  });

  it('stops the run', async () => {
    const run = await slowWash({ on_violation: 'stop' });
    await stage.twin.advance(60);
    expect((await story(run)).slice(2)).toEqual([
      '35 Task wash_plate_1 failed (the run was stopped)',
      '35 Run stopped (failure: limit fresh is broken: more than 30 s)',
    ]);
  });

  it('stops the run once, whatever else is broken at the same time', async () => {
    const { arm, twin } = stage;
    const ends = { type: 'end_to_end', end_task_id: 'read_plate_1', max_duration: 40 } as const;
    const other = { ...ends, id: 'other', start_task_id: 'wash_plate_1' };
    const run = await slowWash({ ...ends, on_violation: 'stop' }, [
      { ...other, on_violation: 'stop' },
      { ...other, id: 'third', on_violation: 'abort_labware' },
    ]);
    await twin.advance(46);
    await arm.setInstrument({ instrument_id: 'reader', is_up: false });
    await twin.advance(100);
    await arm.setInstrument({ instrument_id: 'reader', is_up: true });
    const lines = await story(run);
    const stops = lines.filter((text) => text.includes('Run stopped'));
    expect(stops).toEqual([expect.stringContaining('limit fresh is broken: more than 40 s')]);
    expect(lines.at(-1)).toBe(stops[0]);
  });

  it('gives up its plate alone', async () => {
    const { arm, twin } = stage;
    const run = await slowWash({ on_violation: 'abort_labware' });
    await twin.advance(38);
    const { tasks } = (await arm.getRun(run)).run;
    expect(tasks.map(({ id, state }) => [id, state])).toEqual([
      ['wash_plate_1', 'running'],
      ['read_plate_1', 'aborted'],
      ['wash_plate_2', 'waiting'],
      ['read_plate_2', 'waiting'],
    ]);
    await arm.stopRun(run);
  });
});

it('a limit that no plan can hold any more does not stop replanning', async () => {
  const { arm, twin } = stage;
  const run = await slowWash({ type: 'end_to_end', end_task_id: 'read_plate_1', max_duration: 40 });
  await twin.advance(46);
  await arm.setInstrument({ instrument_id: 'reader', is_up: false });
  await twin.advance(20);
  await arm.setInstrument({ instrument_id: 'reader', is_up: true });
  await arm.replanRun(run);
  const { limits } = (await arm.getRun(run)).run;
  expect(limits[0]!.slack_s).toBeLessThan(0);
  await twin.advance(300);
  const { message, violations } = (await arm.getRun(run)).run;
  expect(message).toBe('completed; broken limits: fresh');
  expect(violations.length).toBe(1);
});

it('a least time holds a task although its predecessor ended early or late', async () => {
  const { arm, twin } = stage;
  const limit = { type: 'end_to_start', end_task_id: 'read_plate_1', min_duration: 30 } as const;
  const run = await slowWash({ ...limit, max_duration: 1000 });
  await twin.advance(50);
  const { waiting } = (await arm.getRun(run)).run;
  const { reasons } = waiting.find(({ task_id }) => task_id === 'read_plate_1')!;
  expect(reasons).toContain('limit fresh holds it for 25 s');
  await twin.advance(200);
  const { tasks, violations } = (await arm.getRun(run)).run;
  const [wash, read] = tasks;
  expect(read!.started_at_s! - wash!.ended_at_s!).toBeCloseTo(30, 1);
  expect(read!.started_at_s! - wash!.ended_at_s!).toBeGreaterThanOrEqual(30);
  expect(violations).toEqual([]);
});

it('an operator gives up a piece, once', async () => {
  const { arm, twin } = stage;
  const run = await slowWash({});
  await twin.advance(10);
  await arm.abortLabware(run, { labware_id: 'plate_2' });
  await expect(arm.abortLabware(run, { labware_id: 'plate_2' })).rejects.toThrow('no open tasks');
  await expect(arm.abortLabware(run, { labware_id: 'plate_9' })).rejects.toThrow('no labware');
  await twin.advance(300);
  const { message, labware } = (await arm.getRun(run)).run;
  expect(message).toContain('aborted tasks: wash_plate_2, read_plate_2');
  expect(labware[1]).toMatchObject({ instrument_id: 'hotel', slot: 2 });
});
