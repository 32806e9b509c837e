import { expect, it } from 'vitest';
import { schemaOf } from '../../../contract/schemas.ts';
import type { SimContact } from '../../../contract/types.ts';
import { createArmStore } from '../../link/arm-store.ts';
import type { SimView } from '../../link/arm-view.ts';
import { EMPTY_SIM } from '../../link/snapshot.cases.ts';
import { faultText } from './faults-panel.ts';
import { recordingText } from './recording-panel.ts';
import { choiceText, fieldLabel, readableName, schemaVariants } from './schema-form.ts';
import { contactsText } from './twin-log-panel.ts';

it('offers every fault kind of the contract, each with its description', () => {
  const kinds = schemaVariants('AddFaultBody');
  expect(kinds.length).toBe(schemaOf('AddFaultBody').oneOf!.length);
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
  expect(kinds.every(({ description }) => description.endsWith('.'))).toBe(true);
  expect(kinds.map(({ name }) => name)).toContain('sensor_noise');
});

it('formats wire names as labels with the unit last', () => {
  expect(readableName('slow_planner')).toBe('Slow planner');
  expect(fieldLabel('delay_s')).toBe('Delay, s');
  expect(fieldLabel('velocity_rad_s')).toBe('Velocity, rad/s');
  expect(fieldLabel('position_rad')).toBe('Position, rad');
  expect(fieldLabel('temperature_c')).toBe('Temperature, °C');
  expect(fieldLabel('times')).toBe('Times');
});

it.each([
  ['input', 'ee_d0', 'Tool i0'],
  ['part_present_input', 'ee_a1', 'Tool a1'],
  ['output', 'ee_d1', 'Tool o1'],
  ['output', 'd1', 'd1'],
  ['effect', 'lost_reply', 'Lost reply'],
])('names the %s %s as the Live page does: %s', (field, value, text) => {
  expect(choiceText(field, value)).toBe(text);
});

it('formats a fault as its kind and fields, with joints counted from 1', () => {
  const driver = { kind: 'driver', joint: 2, fault: 'following_error' } as const;
  expect(faultText({ id: 1, acted: 0, fault: driver })).toBe('Driver, J3, following error');
  const stuck = { kind: 'stuck_input', input: 'ee_d0' } as const;
  expect(faultText({ id: 3, acted: 0, fault: stuck })).toBe('Stuck input, Tool i0');
  const slow = { kind: 'slow_planner', delay_s: 0.5 } as const;
  expect(faultText({ id: 2, acted: 0, fault: slow })).toBe('Slow planner, delay 0.5 s');
});

it('describes the state of a recording', () => {
  expect(recordingText({ recording: false, bytes: 0, truncated: false })).toContain('Nothing');
  expect(recordingText({ recording: true, bytes: 20_480, truncated: false })).toBe(
    'Recording, 20.5 kB.',
  );
  expect(recordingText({ recording: false, bytes: 900, truncated: true })).toContain('size limit');
});

it('lists the contacts with their forces', () => {
  const view = createArmStore().view();
  expect(contactsText(view)).toBe('No contacts.');
  const clock = {
    tick: 0,
    now_s: 0,
    date: '',
    pace: 1,
    paused: false,
    real_time_factor: 1,
  };
  const touches = [
    { link: 7, obstacle: 'crate', force_n: 12.5 },
    { link: 4, obstacle: 'post', force_n: 3 },
  ];
  const sim = { ...EMPTY_SIM, clock, touches, obstacles: [] };
  expect(contactsText({ ...view, sim })).toBe(
    'Tool touches crate, 12.5 N; Link 4 touches post, 3.0 N.',
  );
});

it('lists contacts that began before the page was opened, and those that ended', () => {
  const view = createArmStore().view();
  const figures = { place: { x: 0, y: 0, z: 0 }, speed_m_s: 0.1, detected: false };
  const ended = {
    ...{ id: 1, at_s: 3.25, ended_s: 4, link: 7, body: 'the tool', obstacle: 'crate' },
    ...{ ...figures, peak_force_n: 41, residual_force_n: 0 },
  };
  const lasts = { ...ended, id: 2, ended_s: null, residual_force_n: 12.5 };
  const text = (contacts: SimContact[]) => {
    const list = { contacts, force_limits: [], note: '' };
    return contactsText({ ...view, sim: { ...EMPTY_SIM, contacts: list } as SimView });
  };
  expect(text([ended, lasts])).toBe('The tool touches crate, 12.5 N.');
  expect(text([ended])).toBe(
    'Nothing touches now. 1 contact before, the last at 3.3 s: the tool on crate, 41.0 N at most.',
  );
});
