/** All users. Admins add, promote and delete them; others only see who there is. */
import type { Role, User } from '../../contract/types.ts';
import { columnHeads, element, setText } from '../panels/element.ts';
import { confirmButton, field, form, type Message, message } from '../panels/form.ts';
import { passwordField } from './password-field.ts';
import type { PeopleStore, PeopleView } from './people-store.ts';

/** What a role is called. */
export function roleWords(role: Role): string {
  return role === 'admin' ? 'Admin' : 'User';
}

interface Acts {
  setRole(user: User, role: Role): void;
  remove(user: User): void;
}

function roleCell(user: User, isAdmin: boolean, acts: Acts): HTMLElement {
  if (!isAdmin) return element('td', {}, roleWords(user.role));
  const choice = element(
    'select',
    { class: 'field', 'aria-label': `Role of ${user.email}` },
    ...(['user', 'admin'] as const).map((role) =>
      element('option', { value: role }, roleWords(role)),
    ),
  );
  choice.value = user.role;
  choice.addEventListener('change', () => {
    acts.setRole(user, choice.value === 'admin' ? 'admin' : 'user');
  });
  return element('td', {}, choice);
}

function row(user: User, { me }: PeopleView, acts: Acts): HTMLElement {
  const isAdmin = me?.role === 'admin';
  const you = user.id === me?.id ? [element('span', { class: 'sub' }, ' you')] : [];
  const remove = isAdmin
    ? [confirmButton('Delete', 'Delete for good', () => acts.remove(user))]
    : [];
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, element('bdi', {}, user.email), ...you),
    roleCell(user, isAdmin, acts),
    element('td', { class: 'acts' }, ...remove),
  );
}

function actsOn(store: PeopleStore, said: Message): Acts {
  async function done(sentence: string | null, otherwise: string): Promise<void> {
    await store.refresh();
    if (sentence === null) said.tell(otherwise);
    else said.fail(sentence);
  }
  return {
    async setRole(user, role) {
      const at = { user_id: user.id };
      const outcome = await store.ask((client) => client.updateUser(at, { role }));
      const now = `${user.email} is now ${role === 'admin' ? 'an admin' : 'a user'}.`;
      await done(outcome.ok ? null : outcome.error, now);
    },
    async remove(user) {
      const outcome = await store.ask((client) => client.deleteUser({ user_id: user.id }));
      await done(outcome.ok ? null : outcome.error, `${user.email} is deleted.`);
    },
  };
}

function addForm(store: PeopleStore): HTMLElement {
  const email = field('E-mail of the new user', {
    type: 'text',
    inputmode: 'email',
    required: true,
  });
  const password = passwordField('First password');
  const said = message();
  const add = element('button', { type: 'submit', class: 'plain' }, 'Add user');
  async function act(): Promise<void> {
    const body = { email: email.input.value.trim(), password: password.input.value };
    const outcome = await store.ask((client) => client.createUser(body));
    if (!outcome.ok) return said.fail(outcome.error);
    email.input.value = '';
    password.input.value = '';
    said.tell(`${outcome.value.user.email} can sign in now.`);
    await store.refresh();
  }
  const fields = [email.element, password.element];
  return form({ class: 'form-row' }, act, ...fields, add, said.element);
}

/** The panel; what only admins may do shows to admins alone. */
export function createUsersPanel(store: PeopleStore): HTMLElement {
  const said = message();
  const acts = actsOn(store, said);
  const rows = element('tbody');
  const count = element('span', { class: 'sub' });
  const adding = addForm(store);
  store.subscribe((view, before) => {
    adding.hidden = view.me?.role !== 'admin';
    if (view.users === before.users && view.me === before.me) return;
    setText(count, String(view.users.length));
    rows.replaceChildren(...view.users.map((user) => row(user, view, acts)));
  });
  return element(
    'section',
    { class: 'people-panel', 'aria-labelledby': 'people-users' },
    element('h2', { id: 'people-users' }, 'Users ', count),
    element(
      'table',
      { class: 'people-table' },
      element('caption', { class: 'sr-only' }, 'Users'),
      columnHeads(['E-mail', 'Role', '']),
      rows,
    ),
    said.element,
    adding,
  );
}
