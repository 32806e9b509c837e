/** The details of a delivery: attempts, body, and the command that sends it again. */

import type { Delivery } from '../../../contract/types.generated.ts';
import { button, element, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { attemptsTable } from './delivery-tables.ts';
import { bodyOf, deliveryStatus, hookText } from './delivery-text.ts';
import { definitionList, section } from './inspector-section.ts';
import type { WorkflowActions } from './workflow-actions.ts';
import type { WorkflowView } from './workflow-view.ts';

/** A delivered body, indented if it is JSON. */
export function bodyLines(text: string): string {
  const value = bodyOf(text);
  return Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : text;
}

/** The curl command that sends a body; quotes are escaped for the shell. */
export function curlText({ url, body }: Pick<Delivery, 'url' | 'body'>): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const header = quoted('Content-Type: application/json');
  return `curl -X POST -H ${header} --data-binary ${quoted(body)} -- ${quoted(url)}`;
}

function copyButton(label: string, text: () => string): HTMLButtonElement {
  const made = button({ class: 'plain' }, copy, label);
  async function copy(): Promise<void> {
    const done = await navigator.clipboard?.writeText(text()).then(
      () => true,
      () => false,
    );
    setText(made, done ? 'Copied' : 'The browser blocks copying');
  }
  return made;
}

export function deliveryDetails(
  delivery: Delivery,
  { deliveries }: WorkflowView,
  actions: WorkflowActions,
): HTMLElement[] {
  const look = deliveryStatus(delivery, deliveries);
  const { url, message_id, hook_type, body, attempts, state } = delivery;
  const pill = element(
    'span',
    { class: 'pill', 'data-tone': look.tone },
    icon(look.icon),
    look.text,
  );
  const send = button(
    { class: 'primary', disabled: state === 'pending' },
    () => void actions.redeliver(delivery.id),
    icon('retry'),
    'Send again',
  );
  return [
    section(
      'Delivery',
      `no. ${delivery.id}`,
      element('p', { class: 'inspect-title' }, element('b', {}, hookText(hook_type)), pill),
      definitionList([
        ['To', url],
        ['Message id', message_id],
        ['Event', `${delivery.sequence} of this run`],
      ]),
    ),
    section('Attempts', `${attempts.length}`, attemptsTable(delivery)),
    section(
      'Body',
      '',
      element(
        'pre',
        { class: 'body-text', role: 'group', tabindex: '0', 'aria-label': 'Body' },
        bodyLines(body),
      ),
    ),
    element(
      'div',
      { class: 'inspect-actions' },
      send,
      copyButton('Copy body', () => body),
      copyButton('Copy as curl', () => curlText(delivery)),
    ),
  ];
}
