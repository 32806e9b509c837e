/** The progress of a run: published by the twin, or estimated and called so. */
import { expect, it } from 'vitest';
import type { SimActivity } from '../../contract/types.ts';
import { type ArmView, createArmStore } from '../link/arm-store.ts';
import { mergeChanges } from '../link/robot-events.ts';
import { EMPTY_SIM, SNAPSHOT, STATUS } from '../link/snapshot.cases.ts';
import { runProgress } from './run-panel.ts';

const RUNNING = mergeChanges(SNAPSHOT, { control: { state: 'running' } });
const ACTIVITY: SimActivity = {
  ...{ kind: 'run', mode: 'automatic', scheduled: false, step: null, waiting: null },
  ...{ loop_time_s: 12, loop_waited_s: 2, loop_remaining_s: 30 },
};

function view(patch: Partial<ArmView>): ArmView {
  return { ...createArmStore().view(), link: 'live', snapshot: RUNNING, ...patch };
}

function progress(patch: Partial<ArmView>, now_ms = 0) {
  return runProgress({ view: view(patch), now_ms, age_ms: 0 });
}

it.each([0, 1_000_000])('shows the time of the twin, whatever this page’s clock: %d ms', (now) => {
  const sim = { ...EMPTY_SIM, status: { ...STATUS, activity: ACTIVITY } };
  const expected = { text: '12.0 s, 30.0 s left', share: 0.25 };
  expect(progress({ sim, loopStarted_ms: 0 }, now)).toEqual(expected);
});

it('does not count a wait for an input as progress', () => {
  const waited = { ...ACTIVITY, loop_time_s: 100, loop_waited_s: 90 };
  const sim = { ...EMPTY_SIM, status: { ...STATUS, activity: waited } };
  expect(progress({ sim })?.share).toBe(0.25);
});

it('says that the progress of another arm is an estimate', () => {
  const loaded = { hash: 'a', toolpath: {} as never, duration_s: 8 };
  const estimated = { text: 'estimated 2.0 of 8.0 s', share: 0.25 };
  expect(progress({ loaded, loopStarted_ms: 1000 }, 3000)).toEqual(estimated);
  expect(progress({ loaded, loopStarted_ms: null }, 3000)).toBeNull();
});

it('shows nothing at rest', () => {
  const sim = { ...EMPTY_SIM, status: STATUS };
  expect(progress({ sim, snapshot: SNAPSHOT })).toBeNull();
  expect(progress({ sim })).toBeNull();
});
