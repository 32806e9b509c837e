/** The profile of the signed-in user: e-mail and password. */

import { element, setText } from '../../ui/element.ts';
import { createFormMessage, field, form } from '../../ui/form.ts';
import { passwordField } from './password-field.ts';
import { roleText } from './role-text.ts';
import type { UsersStore } from './users-store.ts';

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
export function createProfilePanel(store: UsersStore): HTMLElement {
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
