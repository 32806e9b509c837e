/** The signed-in user: e-mail, role, and changing e-mail and password. */
import { element, setText } from '../panels/element.ts';
import { field, form, message } from '../panels/form.ts';
import { passwordField } from './password-field.ts';
import type { PeopleStore } from './people-store.ts';
import { roleWords } from './users-panel.ts';

function emailForm(store: PeopleStore) {
  const email = field('New e-mail', { type: 'text', inputmode: 'email', required: true });
  const said = message();
  const change = element('button', { type: 'submit', class: 'plain' }, 'Change e-mail');
  async function act(): Promise<void> {
    const { me } = store.view();
    if (!me) return;
    const body = { email: email.input.value.trim() };
    const outcome = await store.ask((client) => client.updateUser({ user_id: me.id }, body));
    if (!outcome.ok) return said.fail(outcome.error);
    email.input.value = '';
    said.tell('The e-mail is changed.');
    await store.refresh();
  }
  return form({ class: 'form-row' }, act, email.element, change, said.element);
}

function passwordForm(store: PeopleStore) {
  const password = passwordField('New password');
  const again = passwordField('New password again');
  const said = message();
  const change = element('button', { type: 'submit', class: 'plain' }, 'Change password');
  async function act(): Promise<void> {
    const { me } = store.view();
    if (!me) return;
    if (password.input.value !== again.input.value) {
      return said.fail('The two passwords differ. Write the same one twice.');
    }
    const body = { password: password.input.value };
    const outcome = await store.ask((client) => client.updateUser({ user_id: me.id }, body));
    if (!outcome.ok) return said.fail(outcome.error);
    password.input.value = '';
    again.input.value = '';
    said.tell('The password is changed. Sessions that are open stay open.');
  }
  const fields = [password.element, again.element];
  return form({ class: 'form-row' }, act, ...fields, change, said.element);
}

/** The panel of the signed-in user. */
export function createProfilePanel(store: PeopleStore): HTMLElement {
  const email = element('bdi', { class: 'strong' });
  const role = element('span', { class: 'tag' });
  const unknown = element(
    'p',
    { class: 'empty' },
    'This arm does not tell who is signed in, so nothing can be changed here.',
  );
  const forms = element('div', {}, emailForm(store), passwordForm(store));
  store.subscribe(({ me }) => {
    setText(email, me?.email ?? '');
    setText(role, me ? roleWords(me.role) : '');
    role.hidden = me === null;
    forms.hidden = me === null;
    unknown.hidden = me !== null;
  });
  return element(
    'section',
    { class: 'people-panel', 'aria-labelledby': 'people-profile' },
    element('h2', { id: 'people-profile' }, 'Profile'),
    element('p', { class: 'profile-line' }, email, role),
    unknown,
    forms,
  );
}
