/** The log of the twin, and what touches now. */
import type { SimContact, SimLogEvent } from '../../../contract/types.generated.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { heading } from '../../shell/heading.ts';
import { twinLogItems } from '../../shell/log-items.ts';
import { element, setText } from '../../ui/element.ts';
import { decimal } from '../../ui/value-text.ts';
import type { SimulationPanel } from './simulation-panel.ts';

const LOG_SHOWN_MAX = 100;

/** The contacts that last, from the list of the twin: the page may have opened later than they. */
function lastingText(contacts: readonly SimContact[]): string {
  const lasting = contacts.filter(({ ended_s }) => ended_s === null);
  const texts = lasting.map(
    ({ body, obstacle, residual_force_n: force_n }) =>
      `${body} touches ${obstacle}, ${decimal(force_n, 1)} N`,
  );
  const text = texts.join('; ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The contacts that have ended, as a number and the latest one. */
function endedText(contacts: readonly SimContact[]): string {
  const last = contacts.at(-1);
  if (!last) return 'No contacts.';
  const { body, obstacle, at_s, peak_force_n } = last;
  const all = contacts.length === 1 ? '1 contact' : `${contacts.length} contacts`;
  const where = `${body} on ${obstacle}, ${decimal(peak_force_n, 1)} N at most`;
  return `Nothing touches now. ${all} before, the last at ${decimal(at_s, 1)} s: ${where}.`;
}

/** The current contacts with their forces; without one, those before. */
export function contactsText({ sim }: ArmView): string {
  const touches = sim?.touches ?? [];
  const known = sim?.contacts?.contacts ?? [];
  if (touches.length === 0) return lastingText(known) || endedText(known);
  const contact = ({ link, obstacle, force_n }: (typeof touches)[number]) =>
    `${link === 7 ? 'Tool' : `Link ${link}`} touches ${obstacle}, ${decimal(force_n, 1)} N`;
  return `${touches.map(contact).join('; ')}.`;
}

/** The panel of the twin log and the contacts. */
export function createTwinLogPanel(): SimulationPanel {
  const list = element('ol', { class: 'simulation-log', tabindex: '0' });
  const contacts = element('p', { class: 'wrap', role: 'status' });
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Twin log' },
    heading('Twin log').element,
    contacts,
    list,
  );
  let drawn: readonly SimLogEvent[] | null = null;
  return {
    element: panel,
    update(view) {
      setText(contacts, contactsText(view));
      const log = view.sim?.log ?? [];
      if (log === drawn) return;
      drawn = log;
      list.replaceChildren(...twinLogItems(log, LOG_SHOWN_MAX));
    },
  };
}
