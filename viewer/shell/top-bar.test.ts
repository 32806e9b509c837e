import { expect, it } from 'vitest';
import type { SimClock } from '../../contract/types.generated.ts';
import { ArmStore } from '../link/arm-store.ts';
import { mergeChanges } from '../link/merge-changes.ts';
import { EMPTY_SIM, SNAPSHOT } from '../link/snapshot.cases.ts';
import { clockRateText, paceText } from '../ui/value-text.ts';
import { linkTexts } from './top-bar.tsx';

const clock = (patch: Partial<SimClock>): SimClock => ({ ...EMPTY_SIM.clock, ...patch });

it('shows the set rate, or the measured rate where it differs', () => {
  expect(clockRateText(clock({ real_time_factor: 0.99 }))).toBe('1.00× real time');
  expect(clockRateText(clock({ real_time_factor: 0.7 }))).toBe('0.70× real time, set to 1×');
  expect(clockRateText(clock({ pace: 'max', real_time_factor: 38 }))).toBe(
    'max clock, 38.00× real time',
  );
  expect(clockRateText(clock({ pace: 'stepped', real_time_factor: 0 }))).toBe('stepped clock');
  expect(clockRateText(clock({ paused: true, real_time_factor: 0 }))).toBe('clock paused');
  expect(paceText('10')).toBe('10.00× real time');
});

it('prefers the measured clock rate to the one in the response header', () => {
  const view = { ...new ArmStore().view(), link: 'live', driver: 'fast', clock: '1' } as const;
  const shown = { now_ms: 0, age_ms: 0 };
  expect(linkTexts({ ...shown, view })).toContain('simulated, 1.00× real time');
  const sim = { ...EMPTY_SIM, clock: clock({ paused: true }) };
  expect(linkTexts({ ...shown, view: { ...view, sim } })).toContain('simulated, clock paused');
});

it('calls an arm at rest only where none of its motions is under way', () => {
  const text = (state: 'running' | 'paused' | 'ready', rate_hz = 0) => {
    const snapshot = mergeChanges(SNAPSHOT, { control: { state } });
    const view = { ...new ArmStore().view(), link: 'live', snapshot, rate_hz } as const;
    return linkTexts({ view, now_ms: 0, age_ms: 0 })[0];
  };
  expect(text('ready')).toBe('Live, at rest');
  expect(text('running')).toBe('Live, no changes');
  expect(text('running', 50)).toBe('Live, 50 Hz');
});

it('shows an upstream arm without a twin header as a real arm', () => {
  const view = { ...new ArmStore().view(), link: 'live', driver: 'upstream' } as const;
  expect(linkTexts({ view, now_ms: 0, age_ms: 0 })).toEqual(['Live, at rest', 'real arm']);
});
