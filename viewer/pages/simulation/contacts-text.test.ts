import { expect, it } from 'vitest';
import type { SimContact } from '../../../contract/types.generated.ts';
import { ArmStore } from '../../link/arm-store.ts';
import type { SimView } from '../../link/arm-view.ts';
import { EMPTY_SIM } from '../../link/snapshot.cases.ts';
import { contactsText } from './contacts-text.ts';

it('lists the contacts with their forces', () => {
  const view = new ArmStore().view();
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
  const view = new ArmStore().view();
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
