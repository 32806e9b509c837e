/** What touches now, and what did before, in words. Pure. */
import type { SimContact } from '../../../contract/types.generated.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { decimal } from '../../ui/value-text.ts';

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
