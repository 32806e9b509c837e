/** API tokens of the signed-in user: create, copy once, revoke. */

import type { ApiToken } from '../../../contract/types.generated.ts';
import { confirmButton } from '../../ui/confirm-button.ts';
import { button, element, setText, tableHead } from '../../ui/element.ts';
import { createFormMessage, field, form } from '../../ui/form.ts';
import { icon } from '../../ui/icon.ts';
import { dateText } from '../../ui/value-text.ts';
import type { UsersStore } from './users-store.ts';

/** A card that shows a new secret with a copy button until the user hides it. */
function secretCard() {
  const name = element('bdi', { class: 'strong' });
  const secret = element('code', { class: 'secret' });
  const copyStatus = element('span', { role: 'status', class: 'form-success' });
  async function copy(): Promise<void> {
    const text = secret.textContent ?? '';
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (!copied) getSelection()?.selectAllChildren(secret);
    setText(copyStatus, copied ? 'Copied.' : 'Selected: copy it with the keyboard.');
  }
  const card = element(
    'div',
    { class: 'secret-card', role: 'group', 'aria-label': 'New token', hidden: true },
    element('p', {}, 'Token ', name, '. It is shown only once: copy it now.'),
    secret,
    element(
      'div',
      { class: 'form-actions' },
      button({ class: 'primary' }, () => void copy(), icon('copy'), 'Copy'),
      button({ class: 'plain' }, hide, 'Hide'),
      copyStatus,
    ),
  );
  function hide(): void {
    card.hidden = true;
    setText(secret, '');
    setText(copyStatus, '');
  }
  return {
    element: card,
    hide,
    show(tokenName: string, token: string): void {
      setText(name, tokenName);
      setText(secret, token);
      setText(copyStatus, '');
      card.hidden = false;
    },
  };
}

/** A cell with a date, which breaks between day and time only. */
function dateCell(time: string | null): HTMLElement {
  if (time === null) return element('td', {}, 'never');
  const parts = dateText(time).split(' ');
  return element(
    'td',
    { class: 'date' },
    ...parts.flatMap((one) => [element('span', {}, one), ' ']),
  );
}

function tokenRow({ id, name, created_at, last_used_at }: ApiToken, revoke: (id: number) => void) {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, element('bdi', {}, name)),
    dateCell(created_at),
    dateCell(last_used_at),
    element(
      'td',
      { class: 'row-actions' },
      confirmButton('Revoke', 'Revoke permanently', () => revoke(id)),
    ),
  );
}

function tokenTable(rows: HTMLElement): HTMLElement {
  return element(
    'table',
    { class: 'users-table' },
    element('caption', { class: 'sr-only' }, 'API tokens'),
    tableHead(['Name', 'Created', 'Last used', '']),
    rows,
  );
}

/** The panel; a secret stays on the page from its creation until the user hides it. */
export function createTokensPanel(store: UsersStore): HTMLElement {
  const name = field('Name of the new token', { type: 'text', required: true, maxlength: '128' });
  const message = createFormMessage();
  const card = secretCard();
  const rows = element('tbody');
  const empty = element(
    'p',
    { class: 'empty' },
    'No tokens yet. Programs sign in with an API token.',
  );
  const table = tokenTable(rows);
  async function create(): Promise<void> {
    const { me } = store.view();
    if (!me) return;
    const body = { name: name.input.value.trim() };
    const outcome = await store.call((client) => client.createToken({ user_id: me.id }, body));
    message.fail(outcome.ok ? null : outcome.error);
    if (!outcome.ok) return;
    name.input.value = '';
    card.show(outcome.value.name, outcome.value.token);
    await store.refresh();
  }
  async function revoke(token_id: number): Promise<void> {
    const { me } = store.view();
    if (!me) return;
    const parameters = { user_id: me.id, token_id };
    const outcome = await store.call((client) => client.deleteToken(parameters));
    message.fail(outcome.ok ? null : outcome.error);
    await store.refresh();
  }
  const add = element('button', { type: 'submit', class: 'plain' }, 'Create token');
  const panel = element(
    'section',
    { class: 'users-panel', 'aria-labelledby': 'users-tokens' },
    element('h2', { id: 'users-tokens' }, 'API tokens'),
    empty,
    table,
    card.element,
    form({ class: 'form-row' }, create, name.element, add, message.element),
  );
  store.subscribe((view, before) => {
    panel.hidden = view.me === null;
    if (view.me?.id !== before.me?.id) card.hide();
    if (view.tokens === before.tokens) return;
    empty.hidden = view.tokens.length > 0;
    table.hidden = view.tokens.length === 0;
    rows.replaceChildren(...view.tokens.map((token) => tokenRow(token, (id) => void revoke(id))));
  });
  return panel;
}
