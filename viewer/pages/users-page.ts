/**
 * The Users page: profile, API tokens and password of the signed-in user, all users, updates, and
 * the robot. It hides what the user's role does not allow. Loaded as its own chunk.
 */
import type { ArmStore } from '../link/arm-store.ts';
import { element, setText } from '../panels/element.ts';
import { createFormMessage, field, form } from '../panels/form.ts';
import { paceText } from '../panels/value-text.ts';
import { createTokensPanel, createUpdatesPanel } from '../users/tokens-panel.ts';
import { createUsersPanel, passwordField, roleText, UsersStore } from '../users/users-panel.ts';
import { loadStyles, type Page, type PageParts } from './page.ts';

/** How often the lists are read again (ms). */
const REFRESH_MS = 5000;

function emailForm(store: UsersStore) {
  const email = field('New e-mail', { type: 'text', inputmode: 'email', required: true });
  const current = passwordField('Current password for the e-mail');
  const message = createFormMessage();
  const change = element('button', { type: 'submit', class: 'plain' }, 'Change e-mail');
  async function submit(): Promise<void> {
    const { me } = store.view();
    if (!me) return;
    const body = { email: email.input.value.trim(), current_password: current.input.value };
    const outcome = await store.call((client) => client.updateUser({ user_id: me.id }, body));
    if (!outcome.ok) return message.fail(outcome.error);
    email.input.value = '';
    current.input.value = '';
    message.succeed('E-mail changed.');
    await store.refresh();
  }
  const fields = [email.element, current.element];
  return form({ class: 'form-row' }, submit, ...fields, change, message.element);
}

function passwordForm(store: UsersStore) {
  const current = passwordField('Current password');
  const password = passwordField('New password');
  const again = passwordField('New password again');
  const message = createFormMessage();
  const change = element('button', { type: 'submit', class: 'plain' }, 'Change password');
  async function submit(): Promise<void> {
    const { me } = store.view();
    if (!me) return;
    if (password.input.value !== again.input.value) {
      return message.fail('The two passwords differ. Type the same password twice.');
    }
    const body = { password: password.input.value, current_password: current.input.value };
    const outcome = await store.call((client) => client.updateUser({ user_id: me.id }, body));
    if (!outcome.ok) return message.fail(outcome.error);
    for (const { input } of [current, password, again]) input.value = '';
    message.succeed('Password changed. All your sessions have ended; log in again.');
  }
  const fields = [current.element, password.element, again.element];
  return form({ class: 'form-row' }, submit, ...fields, change, message.element);
}

/** The panel of the signed-in user: e-mail, role, and forms that change e-mail and password. */
function createProfilePanel(store: UsersStore): HTMLElement {
  const email = element('bdi', { class: 'strong' });
  const role = element('span', { class: 'tag' });
  const unknown = element(
    'p',
    { class: 'empty' },
    'This arm does not report the signed-in user, so the profile cannot be changed here.',
  );
  const forms = element('div', {}, emailForm(store), passwordForm(store));
  function show(): void {
    const { me, isRead } = store.view();
    setText(email, me?.email ?? '');
    setText(role, me ? roleText(me.role) : '');
    role.hidden = me === null;
    forms.hidden = me === null;
    unknown.hidden = me !== null || !isRead;
  }
  show();
  store.subscribe(show);
  return element(
    'section',
    { class: 'users-panel', 'aria-labelledby': 'users-profile' },
    element('h2', { id: 'users-profile' }, 'Profile'),
    element('p', { class: 'profile-line' }, email, role),
    unknown,
    forms,
  );
}

const STYLES = [
  new URL('../styles/forms.css', import.meta.url),
  new URL('../styles/users.css', import.meta.url),
];

/** The panel of the robot: name (set by the server's --name option), driver and clock. */
function createRobotPanel(store: ArmStore): HTMLElement {
  const name = element('bdi', { class: 'strong' });
  const driver = element('dd');
  const clock = element('dd');
  const facts = element(
    'dl',
    {},
    element('div', { class: 'fact' }, element('dt', {}, 'Driver'), driver),
    element('div', { class: 'fact' }, element('dt', {}, 'Clock'), clock),
  );
  store.subscribe((view) => {
    setText(name, view.name);
    setText(driver, view.driver ?? 'unknown');
    setText(clock, view.clock === null ? 'unknown' : paceText(view.clock));
  });
  return element(
    'section',
    { class: 'users-panel', 'aria-labelledby': 'users-robot' },
    element('h2', { id: 'users-robot' }, 'Robot'),
    element('p', { class: 'profile-line' }, name),
    facts,
    element(
      'p',
      { class: 'empty' },
      'Set the name when the server starts: ',
      element('code', {}, '--name'),
      ' or ',
      element('code', {}, 'ARMTWIN_NAME'),
      '.',
    ),
  );
}

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createUsersPage({
  store: arm,
  calls,
  commands,
  frame,
}: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const users = new UsersStore(arm, calls);
  const wide = [createTokensPanel(users), createUsersPanel(users)];
  const narrow = [
    createProfilePanel(users),
    createUpdatesPanel({ users, arm, commands }),
    createRobotPanel(arm),
  ];
  frame.append(
    element(
      'main',
      { class: 'users', 'aria-label': 'Users' },
      element('div', { class: 'users-wide' }, ...wide),
      element('div', { class: 'users-narrow' }, ...narrow),
    ),
  );
  let shown = false;
  arm.subscribe((view, before) => {
    if (view.link === 'signed-out') users.clear();
    const changed = view.usersRevision !== before.usersRevision || view.user_id !== before.user_id;
    const reconnected = view.link === 'live' && before.link !== 'live';
    if (shown && view.link === 'live' && (changed || reconnected)) void users.refresh();
  });
  // Programs and other users make tokens and users, too; a row with the focus is not replaced.
  setInterval(() => {
    const isUsed = document.activeElement?.closest('.users-table') ?? false;
    const isDue = shown && !document.hidden && !isUsed && arm.view().link === 'live';
    if (isDue) void users.refresh({ onlyChanges: true });
  }, REFRESH_MS);
  return {
    enter() {
      shown = true;
      arm.set({});
      void users.refresh();
    },
    leave() {
      shown = false;
    },
  };
}
