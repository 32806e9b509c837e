/** Events and states of a run when the arm fails, row by row of the table of hooks. */

import { describe, expect, it } from 'vitest';
import { connect } from '../../contract/client.ts';
import {
  sharedTwinClient,
  type TwinAndClient,
} from '../../server/service/simulation/twin-client.cases.ts';
import { ENOUGH_S, oneMove, runEventText, startedRun, twoMoves } from './assay.cases.ts';
import { restoreTwin } from './restored-twin.cases.ts';

const NO_ACTIONS = { retry: false, ignore: false, complete_manually: false };
const withoutFailureActions = { available_failure_actions: NO_ACTIONS };
const START = ['NewPlan', 'Run started'];
const PICKED = 'Labware plate_1 started';
const PLACED = 'Labware plate_1 finished';
const DONE = ['Task dispense_1 started', 'Task dispense_1 succeeded', 'Run stopped (completed)'];

interface RunningStage extends TwinAndClient {
  readonly run: { readonly run_id: number };
  /** All events so far as text. */
  readonly story: () => Promise<string[]>;
  /** Advances the clock until half a second after the pick-up. */
  readonly carry: () => Promise<void>;
}

const stage = sharedTwinClient({ webhooks: 'off' });

function withRun(definition: Record<string, unknown>, use: (stage: RunningStage) => Promise<void>) {
  return async () => {
    const { arm, twin } = stage;
    const run = await startedRun(arm, definition);
    const story = async () => (await arm.listRunEvents(run)).events.map(runEventText);
    const carry = async () => {
      while (!(await story()).includes(PICKED)) await twin.advance(0.5);
      await twin.advance(0.5);
    };
    const one = { ...stage, run, story, carry };
    try {
      await use(one);
    } finally {
      await restoreTwin(stage, run);
    }
  };
}

const fault = { kind: 'driver', joint: 2, fault: 'encoder' } as const;

async function injectEncoderFault({ arm, twin }: TwinAndClient): Promise<() => Promise<void>> {
  await arm.addFault(fault);
  await twin.advance(0.1);
  return async () => {
    await arm.clearFaults();
    await twin.advance(0.1);
    await arm.resetErrors();
  };
}

it(
  'a pause that would wait does not take back one that brakes the arm',
  withRun(oneMove(), async ({ story, run, carry, arm, twin }) => {
    await carry();
    await arm.pauseRun(run, { immediate: true });
    await arm.pauseRun(run, {});
    await twin.advance(1);
    expect((await story()).at(-1)).toBe('Run paused');
    await arm.resumeRun(run);
    await twin.advance(ENOUGH_S);
    expect((await story()).at(-1)).toBe('Run stopped (completed)');
  }),
);

describe('an error of the arm', () => {
  it(
    'before the pick-up fails the task, and stops the run without failure actions',
    withRun(oneMove(withoutFailureActions), async ({ story, ...stage }) => {
      await stage.twin.advance(0.5);
      await injectEncoderFault(stage);
      const [task, end, ...rest] = (await story()).slice(START.length);
      expect(task).toMatch(/^Task dispense_1 failed \(.+\)$/);
      expect(end).toMatch(/^Run stopped \(failure: task dispense_1 failed: .+\)$/);
      expect(rest).toEqual([]);
      expect((await stage.arm.getLock()).owner).toBe('none');
      // Required (webhooks §2.3): the task has not started, so its plan names the instrument.
      const { events } = await stage.arm.listRunEvents(stage.run);
      expect(events[2]!.body).toMatchObject({ instrument_id: 'dispenser' });
      const { tasks } = (await stage.arm.getRun(stage.run)).run;
      expect(tasks[0]).toMatchObject({ instrument_id: 'dispenser', started_at_s: null });
    }),
  );

  it(
    'pauses the run if the task can be retried, and the retry moves the plate',
    withRun(oneMove(), async ({ story, run, ...stage }) => {
      const { arm, twin } = stage;
      await twin.advance(0.5);
      const repair = await injectEncoderFault(stage);
      expect((await story()).slice(2).map((text) => text.split(' (')[0])).toEqual([
        'Task dispense_1 failed',
        'Run paused',
      ]);
      await expect(arm.resumeRun(run)).rejects.toThrow('dispense_1');
      await repair();
      await arm.retryTask(run, { task_id: 'dispense_1' });
      await arm.resumeRun(run);
      await twin.advance(ENOUGH_S);
      expect((await story()).filter((text) => text !== 'NewPlan').slice(3)).toEqual([
        'Run resumed',
        PICKED,
        PLACED,
        ...DONE,
      ]);
    }),
  );

  it(
    'with the plate in the gripper fails its movement, and the retry puts the plate down',
    withRun(oneMove(), async ({ story, run, carry, ...stage }) => {
      const { arm, twin } = stage;
      await carry();
      const repair = await injectEncoderFault(stage);
      const seen = (await story()).slice(2);
      expect(seen.slice(0, 2)).toEqual([PICKED, 'Labware plate_1 failed']);
      expect(seen[2]).toMatch(/^Run paused \(task dispense_1 failed: .+\)$/);
      expect(seen.length).toBe(3);
      expect((await arm.getRun(run)).run.labware[0]!.instrument_id).toBeNull();
      await repair();
      await arm.retryTask(run, { task_id: 'dispense_1' });
      await arm.resumeRun(run);
      await twin.advance(ENOUGH_S);
      const after = (await story()).filter((text) => text !== 'NewPlan');
      expect(after.slice(4)).toEqual(['Run resumed', PICKED, PLACED, ...DONE]);
    }),
  );
});

describe('a run with a piece in the gripper that is resumed after an emergency stop', () => {
  const stopped = async ({ carry, arm, twin }: RunningStage) => {
    await carry();
    await arm.setEmergencyStop({ engaged: true });
    await twin.advance(1);
    await arm.setEmergencyStop({ engaged: false });
    await twin.advance(1);
    await arm.resetErrors();
  };

  it(
    'has its plan before the put-down begins',
    withRun(oneMove(), async (one) => {
      const { story, run, arm, twin } = one;
      await stopped(one);
      const before = await story();
      await arm.resumeRun(run);
      await twin.advance(0.5);
      const after = (await story()).slice(before.length);
      expect(after).toEqual(['Run resumed', 'NewPlan', PICKED]);
      await twin.advance(ENOUGH_S);
      expect((await story()).at(-1)).toBe('Run stopped (completed)');
    }),
  );
});

describe('safety', () => {
  it(
    'a collision is a protective stop: the movement fails and the run pauses',
    withRun(oneMove(), async ({ story, run, carry, arm, twin }) => {
      await arm.setCollisionDetection({ enabled: true, sensitivity: 'low' });
      await carry();
      await arm.addFault({ kind: 'collision', joint: 3 });
      await twin.advance(0.2);
      expect((await story()).slice(3)).toEqual([
        'Safety protective_stop',
        'Labware plate_1 failed',
        'Run paused (protective stop)',
      ]);
      await expect(arm.resumeRun(run)).rejects.toThrow();
      await arm.acknowledgeCollision();
      await twin.advance(60);
      expect((await story()).slice(6)).toEqual(['Safety ok']);
      await arm.resumeRun(run);
      await twin.advance(ENOUGH_S);
      const after = (await story()).filter((text) => text !== 'NewPlan');
      expect(after.slice(6)).toEqual(['Run resumed', PICKED, PLACED, ...DONE]);
    }),
  );

  it(
    "an emergency stop before the pick-up fails no movement; a stop of the run is its user's",
    withRun(oneMove(), async ({ story, run, arm, twin }) => {
      await twin.advance(0.5);
      await arm.setEmergencyStop({ engaged: true });
      await twin.advance(1);
      await arm.stopRun(run);
      expect((await story()).slice(2)).toEqual([
        'Safety emergency_stop',
        'Run paused (emergency stop)',
        'Run stopped (stopped by user)',
      ]);
      await arm.setEmergencyStop({ engaged: false });
      await twin.advance(1);
      expect((await story()).length).toBe(5);
    }),
  );

  it(
    'changes without a live run cause no event',
    withRun(oneMove(), async ({ story, run, arm, twin }) => {
      await arm.stopRun(run);
      await twin.advance(1);
      await arm.setEmergencyStop({ engaged: true });
      await twin.advance(1);
      expect((await story()).slice(2)).toEqual(['Run stopped (stopped by user)']);
    }),
  );
});

describe('the lock', () => {
  it(
    'held by another user pauses the run before its next move, and not earlier',
    withRun(twoMoves(), async ({ story, run, carry, arm, twin }) => {
      await carry();
      const logIn = { email: 'other@lab.test', password: 'correct horse battery' };
      await arm.createUser(logIn);
      const other = connect({ baseUrl: twin.url, logIn });
      await arm.releaseLock();
      await other.takeLock();
      await twin.advance(100);
      const seen = (await story()).filter((text) => text !== 'NewPlan');
      expect(seen.slice(1, 5)).toEqual([PICKED, PLACED, ...DONE.slice(0, 2)]);
      expect(seen.slice(5)).toEqual([expect.stringMatching(/^Run paused \(.*lock/)]);
      await expect(arm.resumeRun(run)).rejects.toThrow();
      await other.releaseLock();
      await arm.resumeRun(run);
      await twin.advance(ENOUGH_S);
      expect((await story()).at(-1)).toBe('Run stopped (completed)');
    }),
  );

  it(
    'is renewed during the run and released at its end',
    withRun(twoMoves(), async ({ arm, twin, run }) => {
      await arm.pauseRun(run, {});
      await twin.advance(1000);
      expect((await arm.getLock()).owner).not.toBe('none');
      await arm.resumeRun(run);
      await twin.advance(ENOUGH_S);
      expect((await arm.getLock()).owner).toBe('none');
    }),
  );
});

it(
  'an immediate pause is published when the arm is at rest, and the move resumes where it was',
  withRun(oneMove(), async ({ story, run, arm, twin }) => {
    await twin.advance(1);
    await arm.pauseRun(run, { immediate: true });
    expect((await story()).length).toBe(2);
    await twin.advance(2);
    expect((await story()).slice(2)).toEqual(['Run paused']);
    await twin.advance(30);
    await arm.resumeRun(run);
    await twin.advance(ENOUGH_S);
    const after = (await story()).filter((text) => text !== 'NewPlan');
    expect(after.slice(2)).toEqual(['Run resumed', PICKED, PLACED, ...DONE]);
  }),
);

it(
  'a motion cancelled by a user fails like an error of the arm',
  withRun(oneMove(withoutFailureActions), async ({ story, arm, twin }) => {
    await twin.advance(1);
    await arm.pause();
    await twin.advance(1);
    await arm.cancel();
    await twin.advance(1);
    expect((await story()).slice(2)).toEqual([
      'Task dispense_1 failed (the motion was cancelled)',
      'Run stopped (failure: task dispense_1 failed: the motion was cancelled)',
    ]);
  }),
);

it(
  'a plate whose task was done by hand is fetched for the next task from where it is',
  withRun(twoMoves(), async ({ story, run, arm, twin }) => {
    await twin.advance(1);
    await arm.pause();
    await twin.advance(1);
    await arm.cancel();
    await twin.advance(1);
    const task = { task_id: 'dispense_1' };
    const { choices } = await arm.whatIf(run, task);
    const byHand = choices.find(({ choice }) => choice === 'complete_manually')!;
    expect([byHand.problems, byHand.makespan_s]).toEqual([[], expect.any(Number)]);
    await arm.completeTask(run, task);
    await arm.resumeRun(run);
    await twin.advance(ENOUGH_S);
    const after = (await story()).filter((text) => text !== 'NewPlan');
    expect(after.slice(-5)).toEqual([
      ...[PICKED, PLACED, 'Task wash_1 started', 'Task wash_1 succeeded'],
      'Run stopped (completed)',
    ]);
    const { moves } = (await arm.getRun(run)).run;
    const ends = moves.map((move) => [move.source_instrument_id, move.destination_instrument_id]);
    expect(ends).toEqual([['hotel', 'washer']]);
  }),
);
