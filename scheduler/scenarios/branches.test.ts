/** Runs whose tasks depend on what other tasks return, over HTTP with a stepped clock. */

import { describe, expect, it } from 'vitest';
import type { StartRunBody } from '../../contract/types.generated.ts';
import { clearRuns, moment_s, runEventText, startedRun } from './assay.cases.ts';
import { type DaySteps, labDay } from './lab-day.cases.ts';
import { watchedStage } from './watched-stage.cases.ts';

const stage = watchedStage();

type RunPath = { readonly run_id: number };

const begun = (definition: Record<string, unknown>, body: StartRunBody = {}): Promise<RunPath> =>
  startedRun(stage.arm, definition, body);

/** The events of a run without moves and plans, with their times. */
async function story(run: RunPath): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events
    .filter(({ hook_type }) => /Task|Run/.test(hook_type))
    .map((event) => `${Math.round(moment_s(event) - stage.began_s)} ${runEventText(event)}`);
}

/** The reasons of new plans, with their times. */
async function reasons(run: RunPath): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events.flatMap((event) =>
    event.hook_type === 'NewPlanHook' && event.reason !== undefined
      ? [`${Math.round(moment_s(event) - stage.began_s)} ${event.reason}`]
      : [],
  );
}

async function statesOf(run: RunPath): Promise<Record<string, string>> {
  const { tasks } = (await stage.arm.getRun(run)).run;
  return Object.fromEntries(tasks.map(({ id, state }) => [id, state]));
}

const od = (plate: string, bound: object) => {
  return { only_if: [{ task_id: `${plate}_reader`, output: 'od', ...bound }] };
};

/** A plate that is read, and washed where it is thin, or shaken where it is dense. */
function readPlate(plate: string, reader: Record<string, unknown> = {}): DaySteps {
  return {
    [plate]: [
      ['reader', 10, reader],
      ['washer', 20, od(plate, { below: 0.5 })],
      ['shaker', 30, od(plate, { at_least: 0.5 })],
    ],
  };
}

const returning = (data_outputs: object) => ({ mock_behaviour: { data_outputs } });

describe('a plate that is washed or shaken by what the reader returns', () => {
  it('is planned with the longer way, and goes the one that its result says', async () => {
    const { twin, arm } = stage;
    const run = await begun(labDay(readPlate('p1', returning({ od: 0.2, well: 'A1' }))));
    const { plan } = (await arm.getRun(run)).run;
    expect(plan!.makespan).toBe(5 + 10 + 5 + 30 + 5 + 1);
    await twin.advance(100);
    expect(await story(run)).toEqual([
      '0 Run started',
      '5 Task p1_reader started',
      '15 Task p1_reader succeeded',
      '20 Task p1_washer started',
      '40 Task p1_washer succeeded',
      '45 Task p1_rack started',
      '46 Task p1_rack succeeded',
      '46 Run stopped (completed; cancelled tasks: p1_shaker)',
    ]);
    expect(await reasons(run)).toEqual(['15 p1_reader returned od 0.2: p1_shaker is cancelled']);
    const [read] = (await arm.getRun(run)).run.tasks;
    expect(read).toMatchObject({ id: 'p1_reader', data_outputs: { od: 0.2, well: 'A1' } });
  });

  it('goes the other way with another result, and one plate does not decide on the next', async () => {
    const { twin } = stage;
    const listed = { reader: { data_outputs: { od: { values: [0.7, 0.3] } } } };
    const day = labDay({ ...readPlate('p1'), ...readPlate('p2') }, { instruments: listed });
    const run = await begun(day);
    await twin.advance(200);
    const { p1_washer, p1_shaker, p2_washer, p2_shaker } = await statesOf(run);
    const first = (await story(run)).find((text) => text.includes('_reader started'))!;
    const dense = ['cancelled', 'succeeded'];
    const thin = ['succeeded', 'cancelled'];
    const isP1First = first.includes('p1');
    expect([p1_washer, p1_shaker]).toEqual(isP1First ? dense : thin);
    expect([p2_washer, p2_shaker]).toEqual(isP1First ? thin : dense);
  });

  it('has the result of its seed where the instrument draws it', async () => {
    const { twin, arm } = stage;
    const values = Array.from({ length: 1000 }, (_, i) => i / 1000);
    const drawn = { reader: { data_outputs: { od: { values, order: 'drawn' } } } };
    const results: unknown[] = [];
    for (const seed of [7, 7, 8]) {
      const run = await begun(labDay(readPlate('p1'), { instruments: drawn }), { seed });
      await twin.advance(100);
      results.push((await arm.getRun(run)).run.tasks[0]!.data_outputs!['od']);
      await clearRuns(arm);
    }
    expect(results[1]).toBe(results[0]);
    expect(results[2]).not.toBe(results[0]);
  });
});

describe('a result that does not come', () => {
  it('is a failure that the policy of its task handles, and the other plates go on', async () => {
    const { twin } = stage;
    const policy = { on_failure: { action: 'continue_without' } };
    const steps = {
      ...readPlate('p1', { ...returning({ absorbance: 1 }), ...policy }),
      p2: [['sealer', 40]],
    } as const;
    const bin = { id: 'bin', type: 'bin', role: 'reject' };
    const run = await begun(labDay(steps, { more: [bin] }));
    await twin.advance(200);
    const told = await story(run);
    expect(told).toContain(
      '15 Task p1_reader failed (it returned no od, which decides on p1_washer)',
    );
    expect(await statesOf(run)).toMatchObject({
      p1_washer: 'aborted',
      p1_shaker: 'aborted',
      p2_rack: 'succeeded',
    });
    expect(told.at(-1)).toContain('aborted tasks: p1_reader, p1_washer, p1_shaker, p1_rack');
  });

  it('is waited for where the reader does not end, and said by who has read it', async () => {
    const { twin, arm } = stage;
    const late = { mock_behaviour: { execution_time: 100_000 } };
    const steps = { ...readPlate('p1', late), p2: [['sealer', 40]] } as const;
    const run = await begun(labDay(steps));
    await twin.advance(300);
    expect(await statesOf(run)).toMatchObject({ p1_washer: 'waiting', p2_rack: 'succeeded' });
    const { waiting } = (await arm.getRun(run)).run;
    const [shake] = waiting.filter(({ task_id }) => task_id === 'p1_shaker');
    expect(shake!.reasons).toContain('task p1_reader has not ended');
    await arm.setInstrument({ instrument_id: 'reader', is_up: false });
    await arm.setInstrument({ instrument_id: 'reader', is_up: true });
    const read = { task_id: 'p1_reader' };
    await expect(arm.completeTask(run, read)).rejects.toThrow('returned no od');
    await expect(arm.completeTask(run, { ...read, data_outputs: { density: 1 } })).rejects.toThrow(
      'returned no od',
    );
    await arm.completeTask(run, { ...read, data_outputs: { od: 0.9 } });
    await arm.resumeRun(run);
    await twin.advance(100);
    expect(await statesOf(run)).toMatchObject({ p1_washer: 'cancelled', p1_shaker: 'succeeded' });
  });

  it('cancels both ways where the reading is skipped', async () => {
    const { twin, arm } = stage;
    const offers = { available_failure_actions: { ignore: true } };
    const run = await begun(labDay(readPlate('p1', { ...returning({ od: 0.2 }), ...offers })), {
      faults: [{ task_id: 'p1_reader', error: 'lamp is dead' }],
    });
    await twin.advance(30);
    await arm.skipTask(run, { task_id: 'p1_reader' });
    await arm.resumeRun(run);
    await twin.advance(100);
    expect((await story(run)).at(-1)).toContain('completed; cancelled tasks: p1_washer, p1_shaker');
  });
});

describe('a result that a person says', () => {
  it('decides when they say it, and is asked for by its name', async () => {
    const { twin, arm } = stage;
    const run = await begun(labDay(readPlate('p1', { prompt: 'Read the plate' })));
    await twin.advance(20);
    const [prompt] = (await arm.getRun(run)).run.prompts;
    expect(prompt).toMatchObject({ task_id: 'p1_reader', outputs: ['od'] });
    await expect(arm.completeTask(run, { task_id: 'p1_reader' })).rejects.toThrow('data_outputs');
    await arm.completeTask(run, { task_id: 'p1_reader', data_outputs: { od: 0.5 } });
    await twin.advance(100);
    expect(await statesOf(run)).toMatchObject({ p1_washer: 'cancelled', p1_shaker: 'succeeded' });
  });
});

describe('a run that goes on after a stop', () => {
  it('keeps to what was decided', async () => {
    const { twin, arm } = stage;
    const definition = labDay(readPlate('p1', returning({ od: 0.2 })));
    const { workflow } = await arm.createWorkflow(definition);
    const path = { workflow_id: workflow.id };
    const first = (await arm.startRun(path)).run;
    await twin.advance(17);
    await arm.stopRun({ run_id: first.id });
    // The plate hung in the gripper: a person puts it back.
    const at = { labware_id: 'p1', instrument_id: 'reader', slot: 1 };
    const workcell_id = first.workcell_id!;
    await arm.setDeck({ workcell_id }, { labware: [at], gripper: null });
    const { run } = await arm.startRun(path, { continue_run_id: first.id });
    await twin.advance(100);
    expect(await statesOf({ run_id: run.id })).toMatchObject({
      p1_reader: 'succeeded',
      p1_washer: 'succeeded',
      p1_shaker: 'cancelled',
      p1_rack: 'succeeded',
    });
  });
});
