/** The progress of a run: published by the twin, or estimated and called so. */

import { describe, expect, it } from 'vitest';
import { ArmStore } from '../link/arm-store.ts';
import type { ArmView, SimView } from '../link/arm-view.ts';
import { mergeChanges } from '../link/merge-changes.ts';
import { EMPTY_SIM, RUN_ACTIVITY, SNAPSHOT, STATUS } from '../link/snapshot.cases.ts';
import { loopText, runProgress } from './run-progress.ts';

const RUNNING = mergeChanges(SNAPSHOT, { control: { state: 'running' } });

function view(patch: Partial<ArmView>): ArmView {
  return { ...new ArmStore().view(), link: 'live', snapshot: RUNNING, ...patch };
}

const INPUT = { type: 'input', io: { location: 'base', type: 'digital', index: 0 } };

function loaded(timeline: readonly object[]) {
  return { hash: 'a', toolpath: { timeline } as never, duration_s: 8 };
}

function progress(patch: Partial<ArmView>, now_ms = 0) {
  return runProgress({ view: view(patch), now_ms, age_ms: 0 });
}

it.each([0, 1_000_000])('shows the time of the twin, whatever this page’s clock: %d ms', (now) => {
  const sim = { ...EMPTY_SIM, status: { ...STATUS, activity: RUN_ACTIVITY } };
  const expected = { text: '12.0 s, 30.0 s left', share: 0.25, isOpen: false };
  expect(progress({ sim, loaded: loaded([]), loopStarted_ms: 0 }, now)).toEqual(expected);
});

it.each([
  ['a branch', [{ type: 'if', branches: [] }]],
  ['a wait for a signal', [{ type: 'trajectory', items: [{ type: 'wait', condition: INPUT }] }]],
])('states no time left as a fact where the program has %s', (_, timeline) => {
  const sim = { ...EMPTY_SIM, status: { ...STATUS, activity: RUN_ACTIVITY } };
  const text = '12.0 s, 30.0 s left if nothing changes';
  expect(progress({ sim, loaded: loaded(timeline) })).toMatchObject({ text, isOpen: true });
  // Nor where the program cannot be read.
  expect(progress({ sim })).toMatchObject({ text, isOpen: true });
  const status = { ...STATUS, activity: { ...RUN_ACTIVITY, kind: 'go_to' as const } };
  expect(progress({ sim: { ...EMPTY_SIM, status } })).toMatchObject({ isOpen: false });
});

it('knows the time left behind a wait for time', () => {
  const sim = { ...EMPTY_SIM, status: { ...STATUS, activity: RUN_ACTIVITY } };
  const timeline = [{ type: 'wait', condition: { type: 'time', duration: 3 } }];
  expect(progress({ sim, loaded: loaded(timeline) })).toMatchObject({ isOpen: false });
});

it('does not count a wait for an input as progress', () => {
  const waited = { ...RUN_ACTIVITY, loop_time_s: 100, loop_waited_s: 90 };
  const sim = { ...EMPTY_SIM, status: { ...STATUS, activity: waited } };
  expect(progress({ sim })?.share).toBe(0.25);
});

it('says that the progress of another arm is an estimate', () => {
  const estimated = { text: 'estimated 2.0 of 8.0 s', share: 0.25, isOpen: false };
  expect(progress({ loaded: loaded([]), loopStarted_ms: 1000 }, 3000)).toEqual(estimated);
  expect(progress({ loaded: loaded([]), loopStarted_ms: null }, 3000)).toBeNull();
});

it('estimates in the time of the arm, and stands still while it is paused', () => {
  const started = { loaded: loaded([]), loopStarted_ms: 1000 };
  const text = 'estimated 2.0 of 8.0 s';
  expect(progress({ ...started, pausedSince_ms: 3000 }, 60_000)?.text).toBe(text);
  expect(progress({ ...started, clock: '4' }, 1500)?.text).toBe(text);
  expect(progress({ ...started, clock: 'stepped' }, 3000)).toBeNull();
});

it('shows nothing at rest', () => {
  const sim = { ...EMPTY_SIM, status: STATUS };
  expect(progress({ sim, snapshot: SNAPSHOT })).toBeNull();
  expect(progress({ sim })).toBeNull();
});

it.each([
  ['run', 'Loop 1 of 3'],
  ['home', 'Moves home'],
  ['go_to', 'Moves to a pose'],
] as const)('calls a %s what it is: %s', (kind, text) => {
  const sim = { ...EMPTY_SIM, status: { ...STATUS, activity: { ...RUN_ACTIVITY, kind } } };
  const snapshot = mergeChanges(RUNNING, { control: { loop_target: 3 } });
  expect(loopText(view({ sim, snapshot }))).toBe(text);
});

describe('carries a report on', () => {
  const running = { ...STATUS, state: 'running' as const, activity: RUN_ACTIVITY };
  const sim = { ...EMPTY_SIM, status: running };
  const at = (patch: Partial<SimView>, since_ms: number) => {
    const shown = view({ sim: { ...sim, ...patch }, loaded: loaded([]) });
    return runProgress({ view: shown, now_ms: 0, age_ms: 0 }, since_ms)?.text;
  };
  const fast = { ...EMPTY_SIM.clock, pace: 10, real_time_factor: 10 };

  it.each([
    ['at the rate of the clock', { clock: fast }, 400, '16.0 s, 26.0 s left'],
    ['not for longer than a report takes', {}, 60_000, '13.0 s, 29.0 s left'],
    ['not while the clock is paused', { clock: { ...fast, paused: true } }, 400, '12.0 s'],
    [
      'not while the clock is stepped',
      { clock: { ...fast, pace: 'stepped' as const } },
      400,
      '12.0 s',
    ],
    [
      'not while the arm is paused',
      { status: { ...running, state: 'paused' as const } },
      400,
      '12.0 s',
    ],
  ])('%s', (...[, patch, since_ms, text]) => {
    expect(at(patch, since_ms)).toContain(text);
  });

  it('not while the arm waits, and not beyond the end of the loop', () => {
    const waiting = { condition: { type: 'time', duration: 9 } as const, since_s: 0 };
    const waits = { ...running, activity: { ...RUN_ACTIVITY, waiting } };
    expect(at({ status: waits }, 900)).toBe('12.0 s, 30.0 s left');
    const ending = { ...running, activity: { ...RUN_ACTIVITY, loop_remaining_s: 0.5 } };
    expect(at({ status: ending }, 900)).toBe('12.5 s, 0.0 s left');
  });
});
