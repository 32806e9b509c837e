import { describe, expect, it } from 'vitest';
import { oneMove, startedRun } from './assay.cases.ts';
import { begun, staged, story } from './staged-run.cases.ts';

describe('a run', () => {
  it(
    'publishes plan, start, moves, tasks and the end, each at its time',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(100);
      expect(await story(arm, run)).toEqual([
        '0 NewPlan 60',
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
      const { run: shown } = await arm.getRun(run);
      expect(shown.state).toBe('stopped');
      expect(shown.labware).toMatchObject([
        { labware_id: 'plate_1', instrument_id: 'reader', slot: 1 },
      ]);
      expect(shown.waiting).toEqual([]);
    }),
  );

  it(
    'drains before it pauses, and resumes with a new plan',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(10);
      await arm.pauseRun(run, {});
      await twin.advance(5);
      const draining = (await arm.getRun(run)).run;
      expect(draining).toMatchObject({ state: 'started', pausing: true });
      expect(draining.waiting[0]!.reasons[0]).toBe('the run is pausing');
      await twin.advance(25);
      expect((await story(arm, run)).at(-1)).toBe('25 Run paused');
      const paused = (await arm.getRun(run)).run;
      expect(paused).toMatchObject({ state: 'paused', pausing: false });
      expect(paused.waiting[0]!.reasons[0]).toBe('the run is paused');
      await arm.resumeRun(run);
      await twin.advance(100);
      expect((await story(arm, run)).slice(6)).toEqual([
        '25 Run paused',
        '40 Run resumed',
        '40 NewPlan 35',
        '40 Labware plate_1 started',
        '45 Labware plate_1 finished',
        '45 Task read_plate_1 started',
        '75 Task read_plate_1 succeeded',
        '75 Run stopped (completed)',
      ]);
    }),
  );

  it(
    'withdraws a pause that has not begun',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(10);
      await arm.pauseRun(run, {});
      await twin.advance(5);
      await arm.resumeRun(run);
      expect((await arm.getRun(run)).run).toMatchObject({ state: 'started', pausing: false });
      await expect(arm.resumeRun(run)).rejects.toThrow('The run is started');
      await twin.advance(100);
      const lines = await story(arm, run);
      expect(lines.filter((text) => text.includes(' Run '))).toEqual([
        '0 Run started',
        '60 Run stopped (completed)',
      ]);
    }),
  );

  it(
    'lets a running task end during an immediate pause, and starts nothing',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(10);
      await arm.pauseRun(run, { immediate: true });
      await twin.advance(50);
      expect((await story(arm, run)).slice(-2)).toEqual([
        '10 Run paused',
        '25 Task wash_plate_1 succeeded',
      ]);
    }),
  );

  it(
    'says of a resume that the arm brakes for an immediate pause',
    staged(async ({ twin, arm }) => {
      const run = await startedRun(arm, oneMove());
      await twin.advance(2);
      await arm.pauseRun(run, { immediate: true });
      await expect(arm.resumeRun(run)).rejects.toThrow('pauses once the arm is at rest');
      await twin.advance(2);
      await arm.resumeRun(run);
      await twin.advance(100);
      expect((await arm.getRun(run)).run.message).toBe('completed');
    }),
  );

  it(
    'pauses a move immediately and finishes it after resume',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(2);
      await arm.pauseRun(run, { immediate: true });
      await twin.advance(8);
      await arm.resumeRun(run);
      await twin.advance(3.5);
      expect((await story(arm, run)).slice(3)).toEqual([
        '2 Run paused',
        '10 Run resumed',
        '10 NewPlan 58',
        '13 Labware plate_1 finished',
        '13 Task wash_plate_1 started',
      ]);
    }),
  );

  it(
    'is stopped by its user',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(10);
      await arm.stopRun(run);
      await twin.advance(100);
      expect((await story(arm, run)).at(-1)).toBe('10 Run stopped (stopped by user)');
      await expect(arm.resumeRun(run)).rejects.toThrow();
    }),
  );

  it(
    'stops when a task without failure actions fails',
    staged(async ({ twin, arm }) => {
      const none = { retry: false, complete_manually: false };
      const task = { available_failure_actions: none };
      const faults = [{ task_id: 'wash_plate_1', error: 'clogged' }];
      const run = await begun(arm, { task }, { faults });
      await twin.advance(100);
      expect((await story(arm, run)).slice(-2)).toEqual([
        '25 Task wash_plate_1 failed',
        '25 Run stopped (failure: task wash_plate_1 failed: clogged)',
      ]);
    }),
  );

  it(
    'pauses when a failed task can be retried, and retries it',
    staged(async ({ twin, arm }) => {
      const task = { available_failure_actions: { retry: true, ignore: true } };
      const run = await begun(arm, { task }, { faults: [{ task_id: 'wash_plate_1' }] });
      await twin.advance(30);
      await expect(arm.resumeRun(run)).rejects.toThrow();
      await arm.retryTask(run, { task_id: 'wash_plate_1' });
      await arm.resumeRun(run);
      await twin.advance(100);
      expect((await story(arm, run)).slice(5)).toEqual([
        '25 Task wash_plate_1 failed',
        '25 Run paused (task wash_plate_1 failed: injected fault)',
        '30 NewPlan 55',
        '30 Run resumed',
        '30 Task wash_plate_1 started',
        '50 Task wash_plate_1 succeeded',
        '50 Labware plate_1 started',
        '55 Labware plate_1 finished',
        '55 Task read_plate_1 started',
        '85 Task read_plate_1 succeeded',
        '85 Run stopped (completed)',
      ]);
    }),
  );

  it(
    'waits for the plan that is published a tick later, because this one has had a plan',
    staged(async ({ twin, arm }) => {
      const task = { available_failure_actions: { retry: true, ignore: true } };
      const faults = [{ task_id: 'wash_plate_1' }];
      const run = await begun(arm, { task, plates: 2 }, { faults });
      await twin.advance(30);
      const before = await story(arm, run);
      await arm.retryTask(run, { task_id: 'wash_plate_1' });
      await arm.holdLabware(run, { labware_id: 'plate_2' });
      await arm.resumeRun(run);
      await twin.advance(1);
      const after = (await story(arm, run)).slice(before.length);
      expect(after.map((text) => text.replace(/ \d+$/, ''))).toEqual([
        '30 NewPlan',
        '30 Run resumed',
        '30.004 NewPlan',
        '30.004 Task wash_plate_1 started',
      ]);
    }),
  );

  it(
    'skips a failed task if that is allowed',
    staged(async ({ twin, arm }) => {
      const task = { available_failure_actions: { ignore: true, retry: false } };
      const run = await begun(arm, { task }, { faults: [{ task_id: 'wash_plate_1' }] });
      await twin.advance(30);
      await expect(arm.retryTask(run, { task_id: 'wash_plate_1' })).rejects.toThrow();
      await arm.skipTask(run, { task_id: 'wash_plate_1' });
      await arm.resumeRun(run);
      await twin.advance(100);
      expect((await story(arm, run)).at(-1)).toBe('65 Run stopped (completed)');
    }),
  );

  it(
    'publishes an emergency stop, the failed move and the pause, and does not resume by itself',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(2);
      twin.apply({ kind: 'estop', engaged: true });
      await twin.advance(3);
      await expect(arm.resumeRun(run)).rejects.toThrow();
      twin.apply({ kind: 'estop', engaged: false });
      await twin.advance(5);
      expect((await arm.getRun(run)).run.labware[0]).toMatchObject({ instrument_id: null });
      await arm.resumeRun(run);
      await twin.advance(100);
      const lines = await story(arm, run);
      expect(lines.slice(3).map((text) => text.replace(/^[\d.]+ /, ''))).toEqual([
        'Safety emergency_stop',
        'Labware plate_1 failed',
        'Run paused (emergency stop)',
        'Safety ok',
        'Run resumed',
        'NewPlan 60',
        'Labware plate_1 started',
        'Labware plate_1 finished',
        'Task wash_plate_1 started',
        'Task wash_plate_1 succeeded',
        'Labware plate_1 started',
        'Labware plate_1 finished',
        'Task read_plate_1 started',
        'Task read_plate_1 succeeded',
        'Run stopped (completed)',
      ]);
    }),
  );

  it(
    'replans when a task takes longer than estimated',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm, { task: { mock_behaviour: { execution_time: 50 } } });
      await twin.advance(200);
      const lines = await story(arm, run);
      expect(lines).toContain('55 NewPlan 35');
      expect(lines.at(-1)).toBe('110 Run stopped (completed)');
    }),
  );

  it(
    'waits for an instrument that is down, and gives that reason',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(10);
      await arm.setInstrument({ instrument_id: 'reader', is_up: false });
      await twin.advance(50);
      const { waiting } = (await arm.getRun(run)).run;
      expect(waiting[0]?.reasons.join()).toContain('reader is down');
      await arm.setInstrument({ instrument_id: 'reader', is_up: true });
      await twin.advance(100);
      const lines = await story(arm, run);
      expect(lines).toContain('60 NewPlan 35');
      expect(lines.at(-1)).toBe('95 Run stopped (completed)');
    }),
  );

  it(
    'publishes no unchanged plan, and plans for the return of an instrument',
    staged(async ({ twin, arm }) => {
      const run = await begun(arm);
      await twin.advance(10);
      const lines = await story(arm, run);
      await arm.replanRun(run);
      await twin.advance(1);
      expect(await story(arm, run)).toEqual(lines);
      await arm.setInstrument({ instrument_id: 'reader', is_up: false });
      await arm.replanRun(run);
      // The reader is expected back at 71 s; then the plate comes in 5 s and is read for 30 s.
      expect((await story(arm, run)).at(-1)).toBe('11 NewPlan 95');
      await arm.setInstrument({ instrument_id: 'reader', is_up: true });
      await arm.replanRun(run);
      await twin.advance(100);
      expect((await story(arm, run)).at(-1)).toBe('60 Run stopped (completed)');
    }),
  );
});
