/** The API tokens of the signed-in user: create, copy once, revoke. */
import type { ApiToken } from '../../contract/types.ts';
import { button, columnHeads, element, setText } from '../panels/element.ts';
import { confirmButton, field, form, message } from '../panels/form.ts';
import { icon } from '../panels/icons.ts';
import { dateText } from '../panels/value-text.ts';
import type { PeopleStore } from './people-store.ts';

/** A fresh secret with a button that copies it; gone when it is put away. */
function secretCard() {
  const name = element('bdi', { class: 'strong' });
  const secret = element('code', { class: 'secret' });
  const copied = element('span', { role: 'status', class: 'form-said' });
  async function copy(): Promise<void> {
    const text = secret.textContent ?? '';
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (!done) getSelection()?.selectAllChildren(secret);
    setText(copied, done ? 'Copied.' : 'Selected: copy it with the keyboard.');
  }
  const card = element(
    'div',
    { class: 'secret-card', role: 'group', 'aria-label': 'New token', hidden: true },
    element('p', {}, 'Token ', name, '. It is shown this once: copy it now.'),
    secret,
    element(
      'div',
      { class: 'form-actions' },
      button({ class: 'primary' }, () => void copy(), icon('copy'), 'Copy'),
      button({ class: 'plain' }, hide, 'Put away'),
      copied,
    ),
  );
  function hide(): void {
    card.hidden = true;
    setText(secret, '');
    setText(copied, '');
  }
  return {
    element: card,
    hide,
    show(of: string, token: string): void {
      setText(name, of);
      setText(secret, token);
      setText(copied, '');
      card.hidden = false;
    },
  };
}

function row({ id, name, created_at, last_used_at }: ApiToken, revoke: (id: number) => void) {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, element('bdi', {}, name)),
    element('td', {}, dateText(created_at)),
    element('td', {}, last_used_at ? dateText(last_used_at) : 'never'),
    element(
      'td',
      { class: 'acts' },
      confirmButton('Revoke', 'Revoke for good', () => revoke(id)),
    ),
  );
}

function tokenTable(rows: HTMLElement): HTMLElement {
  return element(
    'table',
    { class: 'people-table' },
    element('caption', { class: 'sr-only' }, 'API tokens'),
    columnHeads(['Name', 'Created', 'Last used', '']),
    rows,
  );
}

/** The panel; a token's secret is on the page only between its making and `Put away`. */
export function createTokensPanel(store: PeopleStore): HTMLElement {
  const name = field('Name of the new token', { type: 'text', required: true, maxlength: '128' });
  const said = message();
  const card = secretCard();
  const rows = element('tbody');
  const none = element('p', { class: 'empty' }, 'No tokens yet. Programs sign in with one.');
  const table = tokenTable(rows);
  async function create(): Promise<void> {
    const { me } = store.view();
    if (!me) return;
    const body = { name: name.input.value.trim() };
    const outcome = await store.ask((client) => client.createToken({ user_id: me.id }, body));
    said.fail(outcome.ok ? null : outcome.error);
    if (!outcome.ok) return;
    name.input.value = '';
    card.show(outcome.value.name, outcome.value.token);
    await store.refresh();
  }
  async function revoke(token_id: number): Promise<void> {
    const { me } = store.view();
    if (!me) return;
    const at = { user_id: me.id, token_id };
    const outcome = await store.ask((client) => client.deleteToken(at));
    said.fail(outcome.ok ? null : outcome.error);
    await store.refresh();
  }
  const add = element('button', { type: 'submit', class: 'plain' }, 'Create token');
  const panel = element(
    'section',
    { class: 'people-panel', 'aria-labelledby': 'people-tokens' },
    element('h2', { id: 'people-tokens' }, 'API tokens'),
    none,
    table,
    card.element,
    form({ class: 'form-row' }, create, name.element, add, said.element),
  );
  store.subscribe((view, before) => {
    panel.hidden = view.me === null;
    if (view.me?.id !== before.me?.id) card.hide();
    if (view.tokens === before.tokens) return;
    none.hidden = view.tokens.length > 0;
    table.hidden = view.tokens.length === 0;
    rows.replaceChildren(...view.tokens.map((token) => row(token, (id) => void revoke(id))));
  });
  return panel;
}
