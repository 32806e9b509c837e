/**
 * What the explanation panel sets and lists besides the causes: collision detection, the daily
 * schedule, and contacts beside force limits for people (N).
 */

import type { ContactsReply, Sensitivity, SimContact } from '../../../contract/types.generated.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { element, setAttribute, setText, tableHead } from '../../ui/element.ts';
import { decimal } from '../../ui/value-text.ts';
import type { Remedy } from './explanation.ts';

const DETECTION_OFF =
  'Contacts are not detected: the arm goes on against what it touches, until a joint cannot follow. ' +
  'Choose a sensitivity to have it stop.';
/** Contacts listed in the panel. */
const CONTACTS_MAX = 5;
/** Times of day of a schedule that has none yet. */
const FIRST_SCHEDULE = ['08:00:00', '17:00:00'] as const;
/** Runs a call that needs the lock. */
export type Locked = (run: Extract<Remedy, { kind: 'call' }>['run']) => void;

/** Collision detection: off, or on with a sensitivity. */
export function detectionField(apply: Locked) {
  const field = element(
    'select',
    { class: 'field', 'aria-label': 'Collision detection' },
    ...['off', 'low', 'medium', 'high'].map((value) =>
      element('option', { value }, value === 'off' ? 'Off' : `On, ${value} sensitivity`),
    ),
  );
  field.addEventListener('change', () => {
    const sensitivity = field.value;
    apply((client) =>
      client.setCollisionDetection(
        sensitivity === 'off'
          ? { enabled: false }
          : { enabled: true, sensitivity: sensitivity as Sensitivity },
      ),
    );
  });
  const off = element('p', { class: 'sub wrap', hidden: true }, DETECTION_OFF);
  const label = element('label', { class: 'explain-setting' }, 'Collision detection', field);
  return {
    element: element('div', {}, label, off),
    show({ snapshot }: ArmView): void {
      if (!snapshot) return;
      const { enabled, sensitivity } = snapshot.collision_detection;
      setAttribute(off, 'hidden', enabled);
      if (document.activeElement === field) return;
      field.value = enabled ? sensitivity : 'off';
    },
  };
}

/** The daily schedule: on or off, with its times of day. */
export function scheduleFields(apply: Locked) {
  const time = (label: string) =>
    element('input', { type: 'time', step: '1', class: 'field', 'aria-label': label });
  const [start, end] = [time('Start of the schedule'), time('End of the schedule')];
  const enabled = element('input', { type: 'checkbox', 'aria-label': 'Daily schedule' });
  const full = (value: string) => (value.length === 5 ? `${value}:00` : value || '00:00:00');
  const send = (): void => {
    if (!enabled.checked) {
      apply((client) => client.setScheduler({ enabled: false }));
      return;
    }
    if (start.value === end.value) [start.value, end.value] = FIRST_SCHEDULE;
    const times = { start_time: full(start.value), end_time: full(end.value) };
    apply((client) => client.setScheduler({ enabled: true, ...times }));
  };
  for (const field of [enabled, start, end]) field.addEventListener('change', send);
  const row = element(
    'div',
    { class: 'explain-setting' },
    element('label', { class: 'explain-check' }, enabled, 'Daily schedule'),
    element('span', { class: 'explain-times' }, start, 'to', end),
  );
  return {
    element: row,
    show({ snapshot }: ArmView): void {
      if (!snapshot || row.contains(document.activeElement)) return;
      const { scheduler } = snapshot;
      enabled.checked = scheduler.enabled;
      start.value = scheduler.start_time;
      end.value = scheduler.stop_time;
    },
  };
}

function contactRow({ body, obstacle, peak_force_n, speed_m_s, at_s }: SimContact): HTMLElement {
  const cells = [
    `${decimal(at_s, 2)} s`,
    `${body}, “${obstacle}”`,
    `${decimal(Math.abs(speed_m_s) * 1000, 0)} mm/s`,
    `${decimal(peak_force_n, 0)} N`,
  ];
  return element('tr', {}, ...cells.map((text) => element('td', {}, text)));
}

/** Force limits of a body region; exceeded ones are marked by a word and by colour. */
function limitRow(
  { region, quasi_static_n, transient_n }: ContactsReply['force_limits'][number],
  peak_n: number,
): HTMLElement {
  const cell = (limit_n: number | null) => {
    if (limit_n === null) return element('td', { 'data-over': true }, 'not permitted');
    const over = peak_n > limit_n;
    return element('td', { 'data-over': over }, over ? `exceeds ${limit_n} N` : `${limit_n} N`);
  };
  return element('tr', {}, element('td', {}, region), cell(quasi_static_n), cell(transient_n));
}

/** The latest contacts, and the figures of ISO/TS 15066 beside the greatest of them. */
export function contactSection() {
  const contacts = element('tbody');
  const force = element('tbody');
  const note = element('p', { class: 'sub wrap' });
  const peak = element('summary');
  const table = element(
    'table',
    { class: 'explain-table' },
    tableHead(['At', 'What touched', 'Speed', 'Peak']),
    contacts,
  );
  const limits = element(
    'table',
    { class: 'explain-table' },
    tableHead(['Body region', 'Quasi-static', 'Transient']),
    force,
  );
  const section = element(
    'section',
    { 'aria-label': 'Contacts' },
    element('h3', {}, 'Contacts'),
    table,
    element('details', {}, peak, limits, note),
  );
  let drawn: ContactsReply | null = null;
  return {
    element: section,
    show({ sim }: ArmView): void {
      const reply = sim?.contacts ?? null;
      setAttribute(section, 'hidden', !reply || reply.contacts.length === 0);
      if (!reply || reply === drawn) return;
      drawn = reply;
      const latest = reply.contacts.slice(-CONTACTS_MAX).reverse();
      const most_n = Math.max(0, ...latest.map(({ peak_force_n }) => peak_force_n));
      contacts.replaceChildren(...latest.map(contactRow));
      force.replaceChildren(...reply.force_limits.map((one) => limitRow(one, most_n)));
      setText(
        peak,
        `${decimal(most_n, 0)} N compared with the force limits for people (ISO/TS 15066)`,
      );
      setText(note, reply.note);
    },
  };
}
