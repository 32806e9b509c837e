import { expect, it } from 'vitest';
import { schemaOf } from '../../contract/schemas.ts';
import { createArmStore } from '../link/arm-store.ts';
import { faultWords } from './faults-panel.ts';
import { recordingWords } from './recording-panel.ts';
import { entryWords, kindsOf, plainWords } from './schema-form.ts';
import { touchWords } from './twin-log-panel.ts';

it('offers every kind of fault that the contract has, each with its description', () => {
  const kinds = kindsOf('AddFaultBody');
  expect(kinds.length).toBe(schemaOf('AddFaultBody').oneOf!.length);
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
  expect(kinds.every(({ description }) => description.endsWith('.'))).toBe(true);
  expect(kinds.map(({ name }) => name)).toContain('sensor_noise');
});

it('writes names of the wire for people, units last', () => {
  expect(plainWords('slow_planner')).toBe('Slow planner');
  expect(entryWords('delay_s')).toBe('Delay, s');
  expect(entryWords('velocity_rad_s')).toBe('Velocity, rad/s');
  expect(entryWords('position_rad')).toBe('Position, rad');
  expect(entryWords('temperature_c')).toBe('Temperature, °C');
  expect(entryWords('times')).toBe('Times');
});

it('names a fault by kind and fields, joints as on the page', () => {
  const driver = { kind: 'driver', joint: 2, fault: 'following_error' } as const;
  expect(faultWords({ id: 1, acted: 0, fault: driver })).toBe('Driver, J3, following error');
  const slow = { kind: 'slow_planner', delay_s: 0.5 } as const;
  expect(faultWords({ id: 2, acted: 0, fault: slow })).toBe('Slow planner, delay 0.5 s');
});

it('says how far a recording is', () => {
  expect(recordingWords({ recording: false, bytes: 0, truncated: false })).toContain('Nothing');
  expect(recordingWords({ recording: true, bytes: 20_480, truncated: false })).toBe(
    'Recording, 20.5 kB.',
  );
  expect(recordingWords({ recording: false, bytes: 900, truncated: true })).toContain('used up');
});

it('says what touches what, and with what force', () => {
  const view = createArmStore().view();
  expect(touchWords(view)).toBe('Nothing touches.');
  const clock = {
    ...{ tick: 0, now_s: 0, date: '', pace: 1, paused: false, real_time_factor: 1 },
  };
  const touches = [
    { link: 7, obstacle: 'crate', force_n: 12.5 },
    { link: 4, obstacle: 'post', force_n: 3 },
  ];
  const sim = { clock, lockLeft_s: null, touches, obstacles: [], log: [] };
  expect(touchWords({ ...view, sim })).toBe(
    'Tool touches crate, 12.5 N; Link 4 touches post, 3.0 N.',
  );
});
