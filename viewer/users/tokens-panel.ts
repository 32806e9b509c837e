/** API tokens of the signed-in user: create, copy once, revoke. Also: software updates. */

import { limits } from '../../contract/limits.ts';
import type { ApiToken, Update } from '../../contract/types.ts';
import type { ArmStore, ArmView } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { button, element, icon, setAttribute, setText, tableHead } from '../panels/element.ts';
import { confirmButton, createFormMessage, field, form } from '../panels/form.ts';
import { dateText } from '../panels/value-text.ts';
import type { UsersStore } from './users-panel.ts';

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

/**
 * Software updates, for admins: available updates with their changes, and installation progress.
 */

/** Share of an installation completed after `passed_s` of wall time; null if unknown. */
export function installationProgress(clock: string | null, passed_s: number): number | null {
  const factor = clock === null ? 1 : Number(clock);
  if (!Number.isFinite(factor) || factor <= 0) return null;
  return Math.min((passed_s * factor) / limits.update_duration_s, 1);
}

function updateItem(update: Update, install: (() => void) | null): HTMLElement {
  const action = install
    ? [button({ class: 'plain small' }, install, `Install ${update.version}`)]
    : [element('span', { class: 'sub' }, 'after the previous update')];
  return element(
    'li',
    { class: 'update' },
    element('div', { class: 'update-head' }, element('b', {}, update.version), ...action),
    element(
      'ul',
      {},
      ...update.changelogs.map(({ version, content }) =>
        element('li', {}, element('span', { class: 'sub' }, version), ' ', content),
      ),
    ),
  );
}

/** A progress bar that is visible while the robot is in the state `updating`. */
function installationBar(store: ArmStore) {
  const status = element('p', { role: 'status' });
  const bar = element('progress', { max: '1', 'aria-label': 'Installation' });
  const box = element('div', { class: 'update-progress', hidden: true }, status, bar);
  let since_ms: number | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  function draw(): void {
    if (since_ms === null) return;
    const share = installationProgress(store.view().clock, (performance.now() - since_ms) / 1000);
    if (share === null) bar.removeAttribute('value');
    else setAttribute(bar, 'value', share.toFixed(3));
    setText(
      status,
      'Installing the update. The arm does not move; the page reconnects when it is done.',
    );
  }
  return {
    element: box,
    update(view: ArmView): void {
      const updating = view.snapshot?.control.state === 'updating';
      if (updating === (since_ms !== null)) return;
      since_ms = updating ? performance.now() : null;
      box.hidden = !updating;
      clearInterval(timer);
      if (updating) timer = setInterval(draw, 250);
      draw();
    },
  };
}

interface Parts {
  readonly users: UsersStore;
  readonly arm: ArmStore;
  readonly commands: Commands;
}

/** The panel; only admins see it. */
export function createUpdatesPanel({ users, arm, commands }: Parts): HTMLElement {
  const message = createFormMessage();
  const list = element('ul', { class: 'updates' });
  const installed = element('p', { class: 'sub' });
  const progress = installationBar(arm);
  const check = button({ class: 'plain' }, () => void checkForUpdates(), 'Check for updates');
  async function checkForUpdates(): Promise<void> {
    const problem = await users.checkUpdates();
    if (problem) return message.fail(problem);
    const upToDate = users.view().updates?.length === 0;
    message.succeed(upToDate ? 'The software is up to date.' : '');
  }
  async function install(version: string): Promise<void> {
    if (!(await commands.acquireLock())) return message.fail(arm.view().notice?.text ?? null);
    const outcome = await users.call((client) => client.applyUpdate({ version }));
    message.fail(outcome.ok ? null : outcome.error);
  }
  const panel = element(
    'section',
    { class: 'users-panel', 'aria-labelledby': 'users-updates', hidden: true },
    element('h2', { id: 'users-updates' }, 'Updates'),
    installed,
    progress.element,
    list,
    check,
    message.element,
  );
  users.subscribe(({ me, updates }) => {
    panel.hidden = me?.role !== 'admin';
    const items = (updates ?? []).map((update, i) =>
      updateItem(update, i === 0 ? () => void install(update.version) : null),
    );
    list.replaceChildren(...items);
  });
  arm.subscribe((view, before) => {
    progress.update(view);
    if (view.version) setText(installed, `Version ${view.version} is installed.`);
    if (view.version !== before.version && users.view().updates) void checkForUpdates();
  });
  return panel;
}
