/** Times of the samples of a kept run. */
import { expect, it } from 'vitest';
import { failure } from '../../../contract/result.ts';
import { ArmStore } from '../../link/arm-store.ts';
import { EMPTY_SIM, SNAPSHOT } from '../../link/snapshot.cases.ts';
import { createTwinClock } from '../../link/twin-clock.ts';
import { regularSamples, unheardSpans } from './recorded-motion.ts';
import { keepRuns } from './run-log.ts';
import { outcomeOf } from './run-recorder.ts';

const at = (at_s: number, angle: number) => ({ at_s, joints: [angle, 0, 0, 0, 0, 0] });
const times = (samples: readonly { readonly at_s: number }[]) => samples.map(({ at_s }) => at_s);

it('spreads a burst of late reports back over the time in which they were due', () => {
  const burst = [at(0, 0), at(0.02, 1), at(0.1, 2), at(0.1, 3), at(0.1, 4), at(0.1, 5)];
  expect(times(regularSamples(burst))).toEqual([0, 0.02, 0.04, 0.06, 0.08, 0.1]);
});

it('keeps both ends of a rest, and lets the arm stand until it moves', () => {
  const rest = [
    at(0, 0),
    at(0.02, 0.01),
    at(0.3, 0.01),
    at(0.6, 0.01),
    at(1, 0.02),
    at(1.02, 0.04),
  ];
  expect(regularSamples(rest).map(({ at_s, joints }) => [at_s, joints[0]])).toEqual([
    [0, 0],
    [0.02, 0.01],
    [0.98, 0.01],
    [1, 0.02],
    [1.02, 0.04],
  ]);
  expect(unheardSpans(rest)).toEqual([]);
});

it('marks a silence as unknown, and draws no rest and no leap into it', () => {
  const cut = [at(0, 0), at(0.02, 0.01), at(0.04, 0.02), at(0.3, 0.2), at(0.32, 0.21)];
  expect(unheardSpans(cut)).toEqual([[0.04, 0.3]]);
  expect(times(regularSamples(cut))).toEqual([0, 0.02, 0.04, 0.3, 0.32]);
  const long = [at(0, 0), at(0.2, 0), at(3, 0), at(3.02, 0.01)];
  expect(unheardSpans(long)).toEqual([[0.2, 3]]);
  // Reports of a fast clock are farther apart.
  expect(unheardSpans(long, 10)).toEqual([]);
});

it('tells a silence in a slow move from a rest', () => {
  const slow = (from_s: number) =>
    [0, 0.02, 0.04].map((by_s) => at(from_s + by_s, 0.05 * (from_s + by_s)));
  expect(unheardSpans([...slow(0), ...slow(0.3)])).toEqual([[0.04, 0.3]]);
  const stopped = [...slow(0), at(0.06, 0.0022), at(0.36, 0.0022), at(0.4, 0.0024)];
  expect(unheardSpans(stopped)).toEqual([]);
});

it('names the end of a run', () => {
  const view = new ArmStore().view();
  const now = (
    state: 'ready' | 'paused' | 'running' | 'error',
    link: 'live' | 'stale' = 'live',
  ) => ({
    ...view,
    link,
    snapshot: { ...SNAPSHOT, control: { ...SNAPSHOT.control, state } },
  });
  expect(outcomeOf(now('ready'), now('running'))).toBe('finished');
  expect(outcomeOf(now('ready'), now('paused'))).toBe('cancelled');
  expect(outcomeOf(now('error'), now('running'))).toBe('error');
  expect(outcomeOf(now('running', 'stale'), now('running'))).toBe('lost');
});

it('follows a clock that a reset sets back', () => {
  const view = new ArmStore().view();
  const clock = createTwinClock();
  const at = (now_s: number) => {
    const status = { now_s } as NonNullable<typeof EMPTY_SIM.status>;
    return clock({ ...view, sim: { ...EMPTY_SIM, status } });
  };
  expect(at(300)).toBeCloseTo(300);
  expect(at(2)).toBeCloseTo(2);
});

it('does not say that a run finished whose end it did not hear', async () => {
  const store = new ArmStore();
  const identity = () => ({ driver: null, clock: null, isInMemory: false, user_id: null });
  const call = async () => failure({ kind: 'unreachable' } as const);
  await keepRuns(store, { identity, call });
  const hear = (state: 'ready' | 'running') =>
    store.set({ snapshot: { ...SNAPSHOT, control: { ...SNAPSHOT.control, state } } });
  const outcomes = async (count: number) => {
    await expect.poll(() => store.view().runs?.length).toBe(count);
    return store.view().runs?.map(({ outcome }) => outcome);
  };
  store.set({ link: 'live' });
  hear('running');
  store.set({ link: 'stale' });
  store.set({ link: 'live' });
  hear('ready');
  expect(await outcomes(1)).toEqual(['lost']);
  hear('running');
  store.set({ link: 'stale' });
  store.set({ link: 'live' });
  // Heard again before its end.
  hear('running');
  hear('ready');
  expect(await outcomes(2)).toEqual(['finished', 'lost']);
});
