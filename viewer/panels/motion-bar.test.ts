import { describe, expect, it } from 'vitest';
import type { RobotStateName } from '../../contract/types.ts';
import { type ArmView, createArmStore } from '../link/arm-store.ts';
import { noticeOf } from '../link/commands.ts';
import { SNAPSHOT } from '../link/snapshot.cases.ts';
import { mergeChanges } from '../link/snapshot-merge.ts';
import { offersIn } from './motion-bar.ts';
import { linkText, stateLook } from './top-bar.ts';

function view(state: RobotStateName, patch: Partial<ArmView> = {}): ArmView {
  const snapshot = mergeChanges(SNAPSHOT, { control: { state } });
  return { ...createArmStore().view(), link: 'live', snapshot, ...patch };
}

const on = (shown: ArmView) => {
  const { offers, cancel } = offersIn(shown);
  const words = offers.filter((offer) => offer.on).map((offer) => offer.words);
  return [...words, ...(cancel ? ['Cancel'] : [])];
};

const ENABLED: Record<RobotStateName, readonly string[]> = {
  ready: ['Run', 'Home'],
  running: ['Pause', 'Stop after loop', 'Cancel'],
  stopping: ['Pause', 'Cancel'],
  paused: ['Resume', 'Cancel'],
  error: ['Reset errors'],
  collision: ['Acknowledge'],
  backdriving: [],
  updating: [],
  disabled: [],
  shutting_down: [],
};

describe.each(Object.entries(ENABLED))('in state %s', (state, words) => {
  const name = state as RobotStateName;

  it(`offers ${words.join(', ') || 'nothing'}`, () => {
    expect(on(view(name))).toEqual(words);
  });

  it('offers only Pause and Cancel while stale, and calls the state unknown', () => {
    expect(on(view(name, { link: 'stale' }))).toEqual(['Pause', 'Cancel']);
    expect(stateLook(view(name, { link: 'stale' })).words).toBe('Unknown');
  });

  it('offers nothing to somebody who watches', () => {
    expect(on(view(name, { lock: { owner: 'admin', status: 'locked' } }))).toEqual([]);
  });

  it('offers nothing while signed out', () => {
    expect(on(view(name, { link: 'signed-out' }))).toEqual([]);
  });
});

it('offers no run without a toolpath', () => {
  const empty = mergeChanges(SNAPSHOT, { control: { toolpath_hash: '' } });
  expect(on(view('ready', { snapshot: empty }))).toEqual([]);
});

it('says which arm it is, real or not', () => {
  const text = (driver: string, clock: string) =>
    linkText({ view: view('ready', { driver, clock, rate_hz: 50 }), now_ms: 0, age_ms: 0 });
  expect(text('rapier', '1')).toContain('simulated, 1.00× real time');
  expect(text('fast', 'max')).toContain('simulated, max clock');
  expect(text('servo', '1')).toContain('real arm');
});

it('explains a refusal: what, then what to do, the code last', () => {
  expect(noticeOf({ kind: 'refused', code: 3, title: 'x', details: null })).toEqual({
    text: 'Somebody else holds the lock. Wait until it is free.',
    code: 'code 3',
  });
  const problems = [{ path: '/joints', problem: 'has five numbers' }];
  const notice = noticeOf({ kind: 'refused', code: 8, title: 'Toolpath error', details: problems });
  expect(notice.text).toBe('Toolpath error: has five numbers.');
});
