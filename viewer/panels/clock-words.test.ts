import { expect, it } from 'vitest';
import type { SimClock } from '../../contract/types.ts';
import { createArmStore } from '../link/arm-store.ts';
import { clockWords, paceWords } from './clock-words.ts';
import { linkText } from './top-bar.ts';

const clock = (patch: Partial<SimClock>): SimClock => ({
  ...{ tick: 0, now_s: 0, date: '', pace: 1, paused: false, real_time_factor: 1, ...patch },
});

it('says the pace that was set while it is kept, else what is measured', () => {
  expect(clockWords(clock({ real_time_factor: 0.99 }))).toBe('1.00× real time');
  expect(clockWords(clock({ real_time_factor: 0.7 }))).toBe('0.70× real time, set to 1×');
  expect(clockWords(clock({ pace: 'max', real_time_factor: 38 }))).toBe(
    'max clock, 38.00× real time',
  );
  expect(clockWords(clock({ pace: 'stepped', real_time_factor: 0 }))).toBe('stepped clock');
  expect(clockWords(clock({ paused: true, real_time_factor: 0 }))).toBe('time paused');
  expect(paceWords('10')).toBe('10.00× real time');
});

it('prefers what the twin measures to what its header names', () => {
  const view = { ...createArmStore().view(), link: 'live', driver: 'fast', clock: '1' } as const;
  const shown = { now_ms: 0, age_ms: 0 };
  expect(linkText({ ...shown, view })).toContain('simulated, 1.00× real time');
  const sim = {
    ...{ lockLeft_s: null, touches: [], obstacles: [], log: [] },
    clock: clock({ paused: true }),
  };
  expect(linkText({ ...shown, view: { ...view, sim } })).toContain('simulated, time paused');
});

it('calls an arm elsewhere that says nothing of itself a real one', () => {
  const view = { ...createArmStore().view(), link: 'live', driver: 'upstream' } as const;
  expect(linkText({ view, now_ms: 0, age_ms: 0 })).toBe('Live, at rest  ·  real arm');
});
