import { expect, it } from 'vitest';
import type { Snapshot } from '../../contract/types.generated.ts';
import { isReadable, wholeSnapshot } from './live-link.ts';
import { SNAPSHOT } from './snapshot.cases.ts';
import { createStaleness } from './staleness.ts';
import { startTimes } from './start-times.ts';

it('is stale before the first message', () => {
  expect(createStaleness().isStale(0)).toBe(true);
});

it('takes no silence for certain that messages behind long work may end', () => {
  const staleness = createStaleness();
  staleness.messageReceived(1000);
  expect(staleness.check(1100)).toBe(false);
  expect(staleness.check(2000)).toBe(false);
  staleness.messageReceived(2001);
  expect(staleness.check(2100)).toBe(false);
  expect(staleness.check(2600)).toBe(false);
  expect(staleness.check(2700)).toBe(true);
});

it('becomes stale after 500 ms of silence and live with the next message', () => {
  const staleness = createStaleness();
  staleness.messageReceived(1000);
  expect(staleness.isStale(1500)).toBe(false);
  expect(staleness.isStale(1501)).toBe(true);
  expect(staleness.age_ms(4200)).toBe(3200);
  staleness.messageReceived(4200);
  expect(staleness.isStale(4300)).toBe(false);
});

it('does not count the time in which the page is hidden', () => {
  const staleness = createStaleness();
  staleness.messageReceived(1000);
  staleness.setHidden(true, 1200);
  expect(staleness.isStale(60_000)).toBe(false);
  staleness.setHidden(false, 60_000);
  expect(staleness.age_ms(60_000)).toBe(200);
  expect(staleness.isStale(60_301)).toBe(true);
});

/** What an arm that is no twin may send. */
function foreign(patch: object): Snapshot {
  return { ...SNAPSHOT, ...patch };
}

it.each([
  ['a whole one', SNAPSHOT, true],
  ['one with more than is known', foreign({ firmware: 9 }), true],
  ['one without a schedule', foreign({ scheduler: undefined }), true],
  ['none', undefined, false],
  ['a page', Object('<html>'), false],
  ['null', Object(null), false],
  ['an angle of null', foreign({ 'servos.telemetry.position': [null, 0, 0, 0, 0, 0] }), false],
  ['five angles', foreign({ 'servos.telemetry.position': [0, 0, 0, 0, 0] }), false],
  ['no angles', foreign({ 'servos.telemetry.position': undefined }), false],
  ['no state', foreign({ control: undefined }), false],
  ['outputs of null', foreign({ 'global.outputs': null }), false],
])('reads of an arm only what it can show: %s', (_what, snapshot, expected) => {
  expect(isReadable(snapshot)).toBe(expected);
});

it('shows what an arm leaves out as unknown', () => {
  const left = { scheduler: undefined, 'servos.telemetry.temperature': undefined };
  const { scheduler, ...rest } = wholeSnapshot(foreign(left));
  expect(scheduler).toEqual({});
  expect(rest['servos.telemetry.temperature']).toEqual(Array(6).fill(Number.NaN));
  expect(wholeSnapshot(SNAPSHOT)).toEqual(SNAPSHOT);
});

it('counts no time of a loop while the arm is paused', () => {
  const at = (state: Snapshot['control']['state'], loop_count = 0) =>
    foreign({ control: { ...SNAPSHOT.control, state, loop_count } });
  let view = { snapshot: SNAPSHOT, ...{ loopStarted_ms: null, pausedSince_ms: null } };
  const see = (now: Snapshot, now_ms: number) => {
    view = { ...view, ...startTimes(view, now, now_ms), snapshot: now } as typeof view;
    return [view.loopStarted_ms, view.pausedSince_ms];
  };
  expect(see(at('running'), 1000)).toEqual([1000, null]);
  expect(see(at('paused'), 3000)).toEqual([1000, 3000]);
  expect(see(at('paused'), 5000)).toEqual([1000, 3000]);
  expect(see(at('running'), 63_000)).toEqual([61_000, null]);
  expect(see(at('running', 1), 70_000)).toEqual([70_000, null]);
  expect(see(SNAPSHOT, 71_000)).toEqual([null, null]);
});
