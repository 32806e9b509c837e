/** What an operator can choose for a failed task, once and in time. */

import { describe, expect, it } from 'vitest';
import { washAndRead } from '../definition/workflow.cases.ts';
import { startedRun } from './assay.cases.ts';
import { begun, staged, story } from './staged-run.cases.ts';

describe('a failed task', () => {
  it(
    'ends a failed task that the operator has done, once and not too late',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm, {}, { faults: [{ task_id: 'wash_plate_1' }] });
      const wash = { task_id: 'wash_plate_1' };
      await expect(arm.completeTask(run, wash)).rejects.toThrow('has not failed');
      await twin.advance(30);
      await expect(arm.skipTask(run, wash)).rejects.toThrow('does not allow skip');
      await arm.completeTask(run, wash);
      await expect(arm.completeTask(run, wash)).rejects.toThrow('has not failed');
      await expect(arm.retryTask(run, wash)).rejects.toThrow('has not failed');
      await arm.resumeRun(run);
      await twin.advance(100);
      const lines = await story(arm, run);
      expect(lines.slice(5, 7)).toEqual([
        '25 Task wash_plate_1 failed',
        '25 Run paused (task wash_plate_1 failed: injected fault)',
      ]);
      expect(lines).toContain('30 Task wash_plate_1 succeeded');
      expect(lines.at(-1)).toBe('65 Run stopped (completed)');
      const [task] = (await arm.getRun(run)).run.tasks;
      expect(task).toMatchObject({ state: 'completed_manually', ended_at_s: 30 });
      await expect(arm.retryTask(run, wash)).rejects.toThrow('stopped');
    }),
  );

  it(
    'limits retries',
    staged(async ({ twin, arm }) => {
      const task = { available_failure_actions: { max_retries: 1 } };
      const faults = [{ task_id: 'wash_plate_1', times: 9 }];
      const run = await begun(arm, { task }, { faults });
      const wash = { task_id: 'wash_plate_1' };
      await twin.advance(30);
      await arm.retryTask(run, wash);
      await arm.resumeRun(run);
      await twin.advance(30);
      await expect(arm.retryTask(run, wash)).rejects.toThrow('retried 1 times, its max_retries');
    }),
  );

  it(
    'plans each choice for a failed task and changes nothing',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm, { plates: 2 }, { faults: [{ task_id: 'wash_plate_1' }] });
      const wash = { task_id: 'wash_plate_1' };
      await expect(arm.whatIf(run, wash)).rejects.toThrow('has not failed');
      await twin.advance(30);
      const before = (await arm.getRun(run)).run;
      const { choices } = await arm.whatIf(run, wash);
      const shown = choices.map((one) => [one.choice, one.is_allowed, one.makespan_s]);
      // From 30 s: wash 20, move 5, then plate_2: move 5, wash 20, move 5, read 30.
      const rest_s = 5 + 5 + 20 + 5 + 30;
      expect(shown).toEqual([
        ['retry', true, 30 + 20 + rest_s],
        ['complete_manually', true, 30 + rest_s],
        ['ignore', false, 30 + rest_s],
        ['abort_labware', true, null],
        ['stop', true, 30],
      ]);
      const abort = choices[3]!;
      expect(abort.aborted_tasks).toEqual(['wash_plate_1', 'read_plate_1']);
      expect(abort.problems[0]).toContain('held by plate_1');
      expect((await arm.getRun(run)).run).toEqual(before);
    }),
  );

  it(
    'does not resume without a plan, and publishes no former plan as new',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm, { plates: 2 }, { faults: [{ task_id: 'wash_plate_1' }] });
      await twin.advance(30);
      await arm.abortLabware(run, { labware_id: 'plate_1' });
      const before = await story(arm, run);
      const waits = 'wash_plate_2 waits for washer slot 1 for plate_2, held by plate_1';
      await expect(arm.resumeRun(run)).rejects.toThrow(`has no plan: ${waits}`);
      await expect(arm.resumeRun(run)).rejects.toThrow('stop the run, correct the deck');
      await twin.advance(100);
      expect(await story(arm, run)).toEqual(before);
      const { state: now, waiting } = (await arm.getRun(run)).run;
      expect(now).toBe('paused');
      expect(waiting[0]!.reasons).toEqual([
        'the run is paused',
        'plate_2 is still in hotel slot 2',
        'washer slot 1 is held by plate_1',
      ]);
    }),
  );

  it(
    'resumes while an instrument of the rest is down, and waits for it',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(22);
      await arm.pauseRun(run, {});
      await twin.advance(5);
      await arm.setInstrument({ instrument_id: 'reader', is_up: false });
      await arm.resumeRun(run);
      await twin.advance(500);
      const { state, waiting } = (await arm.getRun(run)).run;
      expect([state, waiting[0]!.reasons]).toEqual([
        'started',
        expect.arrayContaining(['reader is down']),
      ]);
      await arm.setInstrument({ instrument_id: 'reader', is_up: true });
      await twin.advance(100);
      expect((await story(arm, run)).at(-1)).toContain('Run stopped (completed)');
    }),
  );

  it(
    'leaves a move in progress alone while the run is paused and resumed',
    staged(async ({ twin, arm }) => {
      const definition = washAndRead({ plates: 2 });
      const tasks = definition.workflow.tasks as Record<string, object>;
      // The reader fails at 58 s; plate_2 is carried from 55 s to 60 s.
      tasks['read_plate_1'] = {
        ...tasks['read_plate_1'],
        mock_behaviour: { execution_time: 28 },
      };
      const faults = [{ task_id: 'read_plate_1' }];
      const run = await startedRun(arm, definition, { faults });
      await twin.advance(59);
      expect((await arm.getRun(run)).run.state).toBe('paused');
      await arm.retryTask(run, { task_id: 'read_plate_1' });
      await arm.resumeRun(run);
      await twin.advance(200);
      const lines = await story(arm, run);
      expect(lines.filter((text) => text.includes('Labware plate_2')).slice(2)).toEqual([
        '55 Labware plate_2 started',
        '60 Labware plate_2 finished',
      ]);
      expect(lines.at(-1)).toContain('Run stopped (completed)');
    }),
  );
});
