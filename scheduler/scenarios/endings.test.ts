/** Every ending of a run closes what has begun: failed tasks and movements precede `stopped`. */

import { afterEach, expect, it } from 'vitest';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import {
  clearDecks,
  ENOUGH_S,
  oneMove,
  runEventText,
  startedRun,
  twoMoves,
} from './assay.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });

afterEach(() => clearDecks(stage.arm));

type RunPath = { readonly run_id: number };

async function texts(run: RunPath): Promise<string[]> {
  return (await stage.arm.listRunEvents(run)).events.map(runEventText);
}

/** Advances the clock until half a second after an event. */
async function until(run: RunPath, text: string): Promise<void> {
  for (let i = 0; i < 400 && !(await texts(run)).includes(text); i++) await stage.twin.advance(0.5);
  await stage.twin.advance(0.5);
}

it('a stop with a held plate fails the movement', async () => {
  const { arm, twin } = stage;
  const run = await startedRun(arm, oneMove());
  await until(run, 'Labware plate_1 started');
  await arm.stopRun(run);
  expect((await texts(run)).slice(-3)).toEqual([
    'Labware plate_1 started',
    'Labware plate_1 failed',
    'Run stopped (stopped by user)',
  ]);
  await twin.advance(2);
});

it('a stop during tasks fails each of them', async () => {
  const { arm, twin } = stage;
  const run = await startedRun(arm, washAndRead({ plates: 2 }));
  await twin.advance(32);
  await arm.stopRun(run);
  expect((await texts(run)).slice(-4)).toEqual([
    'Task read_plate_1 started',
    'Task read_plate_1 failed (the run was stopped)',
    'Labware plate_2 failed',
    'Run stopped (stopped by user)',
  ]);
});

it('a failed movement does not fail again at the end of the run', async () => {
  const { arm, twin } = stage;
  const run = await startedRun(arm, oneMove());
  await until(run, 'Labware plate_1 started');
  await arm.setEmergencyStop({ engaged: true });
  await twin.advance(1);
  await arm.stopRun(run);
  await arm.setEmergencyStop({ engaged: false });
  await twin.advance(1);
  expect((await texts(run)).slice(-4)).toEqual([
    'Safety emergency_stop',
    'Labware plate_1 failed',
    'Run paused (emergency stop)',
    'Run stopped (stopped by user)',
  ]);
});

it('refuses a run while the workcell is not safe', async () => {
  const { arm, twin } = stage;
  await arm.setEmergencyStop({ engaged: true });
  await twin.advance(0.1);
  for (const definition of [oneMove(), washAndRead()]) {
    await expect(startedRun(arm, definition)).rejects.toThrow('emergency stop');
  }
  await arm.setEmergencyStop({ engaged: false });
  await twin.advance(2);
  await arm.takeLock();
  await arm.resetErrors().catch(() => {});
  await arm.releaseLock();
  await twin.advance(1);
});

it('names the next call at each step after an emergency stop', async () => {
  const { arm, twin } = stage;
  const run = await startedRun(arm, oneMove());
  await twin.advance(2);
  await arm.setEmergencyStop({ engaged: true });
  await twin.advance(1);
  await expect(arm.resumeRun(run)).rejects.toThrow('PUT /sim/v1/emergency_stop');
  await arm.setEmergencyStop({ engaged: false });
  await twin.advance(1);
  expect((await texts(run)).at(-1)).toBe('Safety ok');
  await expect(arm.resumeRun(run)).rejects.toThrow('POST /api/v1/controls/reset_errors');
  await arm.resetErrors();
  await twin.advance(1);
  await arm.resumeRun(run);
  await twin.advance(ENOUGH_S);
  expect((await texts(run)).at(-1)).toBe('Run stopped (completed)');
});

it('a run that starts while the arm brakes for another waits for it', async () => {
  const { arm, twin } = stage;
  const first = await startedRun(arm, twoMoves());
  await twin.advance(1.2);
  await arm.stopRun(first);
  const second = await startedRun(arm, twoMoves());
  await twin.advance(ENOUGH_S);
  expect((await texts(second)).at(-1)).toBe('Run stopped (completed)');
  expect((await texts(second)).some((text) => text.startsWith('Run paused'))).toBe(false);
});

it('a date that is set back ends the run, and dates no event back', async () => {
  const { arm, twin } = stage;
  const run = await startedRun(arm, oneMove());
  await until(run, 'Labware plate_1 started');
  await arm.seedTwin({ clock: { date: '2019-01-01T00:00:00Z' } });
  const { events } = await arm.listRunEvents(run);
  const times = events.map(({ body }) => body.timestamp);
  expect(times).toEqual([...times].sort());
  expect(runEventText(events.at(-1)!)).toContain('Run stopped');
  expect((await arm.getRun(run)).run.stopped_at).toBe(times.at(-1));
  await twin.advance(1);
});
