/** Safety states that begin and end between two ticks, as the events of a run show them. */

import { describe, expect, it } from 'vitest';
import {
  sharedTwinClient,
  type TwinAndClient,
} from '../../server/service/simulation/twin-client.cases.ts';
import { ENOUGH_S, oneMove, runEventText, startedRun, twoMoves } from './assay.cases.ts';
import { restoreTwin } from './restored-twin.cases.ts';

const PICKED = 'Labware plate_1 started';
const STOPPED = [
  'Safety emergency_stop',
  'Labware plate_1 failed',
  'Run paused (emergency stop)',
  'Safety ok',
];
const SECOND_S = 1;

interface RunningStage extends TwinAndClient {
  readonly run: { readonly run_id: number };
  /** The events since the pick-up, or since the start, as text. */
  readonly story: () => Promise<string[]>;
  readonly press: (engaged: boolean) => void;
}

const stage = sharedTwinClient({ webhooks: 'off' });

function whileCarrying(
  use: (stage: RunningStage) => Promise<void>,
  definition: Record<string, unknown> = oneMove(),
) {
  return async () => {
    const { arm, twin } = stage;
    await arm.setCollisionDetection({ enabled: true, sensitivity: 'low' }).catch(() => {});
    const run = await startedRun(arm, definition);
    const lines = async () => (await arm.listRunEvents(run)).events.map(runEventText);
    while (!(await lines()).includes(PICKED)) await twin.advance(0.5);
    await twin.advance(0.5);
    const begun = (await lines()).length;
    const story = async () => (await lines()).slice(begun);
    const press = (engaged: boolean) => twin.apply({ kind: 'estop', engaged });
    const one = { arm, twin, run, story, press };
    try {
      await use(one);
    } finally {
      await restoreTwin(stage, run);
    }
  };
}

describe('an emergency stop between two ticks', () => {
  it(
    'stops the run as a held one, and fails no task',
    whileCarrying(async ({ press, twin, arm, run, story }) => {
      press(true);
      press(false);
      await twin.advance(SECOND_S);
      expect(await story()).toEqual(STOPPED);
      expect((await arm.getRun(run)).run.tasks[0]).toMatchObject({ state: 'waiting', error: '' });
      await arm.resetErrors();
      await arm.resumeRun(run);
      await twin.advance(ENOUGH_S);
      expect((await story()).at(-1)).toBe('Run stopped (completed)');
    }),
  );

  it(
    'counts each time that it is pressed',
    whileCarrying(async ({ press, twin, story }) => {
      for (const engaged of [true, false, true, false]) press(engaged);
      await twin.advance(SECOND_S);
      expect(await story()).toEqual([...STOPPED, 'Safety emergency_stop', 'Safety ok']);
    }),
  );

  it(
    'is published although the run is stopped before the next tick',
    whileCarrying(async ({ press, arm, run, story }) => {
      press(true);
      press(false);
      await arm.stopRun(run);
      expect(await story()).toEqual([...STOPPED, 'Run stopped (stopped by user)']);
    }),
  );

  it(
    'lets no operation begin that a task makes ready at the next tick',
    whileCarrying(async ({ press, twin, arm, run, story }) => {
      const end_s = async () => {
        const task = (await arm.getRun(run)).run.tasks[0]!;
        return task.state === 'running' ? task.started_at_s! + 25 : null;
      };
      while ((await end_s()) === null) await twin.advance(0.5);
      const { now_s } = (await arm.getRun(run)).run;
      await twin.advance((await end_s())! - now_s);
      press(true);
      press(false);
      await twin.advance(SECOND_S);
      const after = await story();
      const at = after.indexOf('Safety emergency_stop');
      expect(after.slice(at)).toEqual([
        'Safety emergency_stop',
        'Run paused (emergency stop)',
        'Safety ok',
        'Task dispense_1 succeeded',
      ]);
    }, twoMoves()),
  );
});

describe('a resume in the tick in which the workcell becomes safe', () => {
  it(
    'comes after the safety state ok, for an emergency stop',
    whileCarrying(async ({ press, twin, arm, run, story }) => {
      press(true);
      await twin.advance(SECOND_S);
      press(false);
      await arm.resetErrors();
      await arm.resumeRun(run);
      expect((await story()).slice(0, 5)).toEqual([...STOPPED, 'Run resumed']);
    }),
  );

  it(
    'comes after the safety state ok, for a collision',
    whileCarrying(async ({ twin, arm, run, story }) => {
      await arm.setCollisionDetection({ enabled: true, sensitivity: 'low' });
      await arm.addFault({ kind: 'collision', joint: 3 });
      await twin.advance(SECOND_S);
      await arm.acknowledgeCollision();
      await arm.resumeRun(run);
      expect((await story()).slice(0, 5)).toEqual([
        'Safety protective_stop',
        'Labware plate_1 failed',
        'Run paused (protective stop)',
        'Safety ok',
        'Run resumed',
      ]);
    }),
  );
});

it(
  'a power cycle is the reason of the failure that it causes, and puts no piece down',
  whileCarrying(async ({ twin, arm, run, story }) => {
    twin.apply({ kind: 'power_cycle' });
    await twin.advance(SECOND_S);
    const reason = 'the power of the arm was cycled';
    expect(await story()).toEqual([
      'Labware plate_1 failed',
      `Run paused (task dispense_1 failed: ${reason})`,
    ]);
    expect((await arm.getRun(run)).run.labware[0]).toMatchObject({ instrument_id: null });
  }),
);
