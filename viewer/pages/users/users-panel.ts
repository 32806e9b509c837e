/** The list of users. Admins add, promote and delete users; other users only see the list. */
import type { Role, User } from '../../../contract/types.generated.ts';
import { confirmButton } from '../../ui/confirm-button.ts';
import { element, setAttribute, setText, tableHead } from '../../ui/element.ts';
import { createFormMessage, type FormMessage, field, form } from '../../ui/form.ts';
import { passwordField } from './password-field.ts';
import { roleText } from './role-text.ts';
import type { UsersStore, UsersView } from './users-store.ts';

interface UserActions {
  setRole(user: User, role: Role): void;
  remove(user: User): void;
}

function roleCell(user: User, isAdmin: boolean, actions: UserActions): HTMLElement {
  if (!isAdmin) return element('td', {}, roleText(user.role));
  const choice = element(
    'select',
    { class: 'field', 'aria-label': `Role of ${user.email}` },
    ...(['user', 'admin'] as const).map((role) =>
      element('option', { value: role }, roleText(role)),
    ),
  );
  choice.value = user.role;
  choice.addEventListener('change', () => {
    actions.setRole(user, choice.value === 'admin' ? 'admin' : 'user');
  });
  return element('td', {}, choice);
}

/** The button that deletes a user; disabled for the last admin, whom the server keeps. */
function deleteButton(user: User, users: readonly User[], actions: UserActions): HTMLElement {
  const remove = confirmButton('Delete', 'Delete permanently', () => actions.remove(user));
  const isLast = users.every(({ id, role }) => id === user.id || role !== 'admin');
  setAttribute(remove, 'disabled', user.role === 'admin' && isLast);
  if (remove.disabled) setAttribute(remove, 'title', 'The last admin cannot be deleted');
  return remove;
}

function userRow(user: User, { me, users }: UsersView, actions: UserActions): HTMLElement {
  const isAdmin = me?.role === 'admin';
  const you = user.id === me?.id ? [element('span', { class: 'sub' }, ' you')] : [];
  const remove = isAdmin ? [deleteButton(user, users, actions)] : [];
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, element('bdi', {}, user.email), ...you),
    roleCell(user, isAdmin, actions),
    element('td', { class: 'row-actions' }, ...remove),
  );
}

function createUserActions(store: UsersStore, message: FormMessage): UserActions {
  async function finish(problem: string | null, success: string): Promise<void> {
    await store.refresh();
    if (problem === null) message.succeed(success);
    else message.fail(problem);
  }
  return {
    async setRole(user, role) {
      const parameters = { user_id: user.id };
      const outcome = await store.call((client) => client.updateUser(parameters, { role }));
      const success = `${user.email} is now ${role === 'admin' ? 'an admin' : 'a user'}.`;
      await finish(outcome.ok ? null : outcome.error, success);
    },
    async remove(user) {
      const outcome = await store.call((client) => client.deleteUser({ user_id: user.id }));
      await finish(outcome.ok ? null : outcome.error, `${user.email} is deleted.`);
    },
  };
}

function createNewUserForm(store: UsersStore): HTMLElement {
  const email = field('E-mail of the new user', {
    type: 'text',
    inputmode: 'email',
    required: true,
  });
  const password = passwordField('First password');
  const message = createFormMessage();
  const add = element('button', { type: 'submit', class: 'plain' }, 'Add user');
  async function addUser(): Promise<void> {
    const body = { email: email.input.value.trim(), password: password.input.value };
    const outcome = await store.call((client) => client.createUser(body));
    if (!outcome.ok) return message.fail(outcome.error);
    email.input.value = '';
    password.input.value = '';
    message.succeed(`${outcome.value.user.email} can sign in now.`);
    await store.refresh();
  }
  const fields = [email.element, password.element];
  return form({ class: 'form-row' }, addUser, ...fields, add, message.element);
}

/** The panel; it shows the admin controls only to admins. */
export function createUsersPanel(store: UsersStore): HTMLElement {
  const message = createFormMessage();
  const actions = createUserActions(store, message);
  const rows = element('tbody');
  const count = element('span', { class: 'sub' });
  const newUserForm = createNewUserForm(store);
  store.subscribe((view, before) => {
    newUserForm.hidden = view.me?.role !== 'admin';
    if (view.users === before.users && view.me === before.me) return;
    setText(count, view.isRead ? String(view.users.length) : '');
    rows.replaceChildren(...view.users.map((user) => userRow(user, view, actions)));
  });
  return element(
    'section',
    { class: 'users-panel', 'aria-labelledby': 'users-list' },
    element('h2', { id: 'users-list' }, 'Users ', count),
    element(
      'table',
      { class: 'users-table' },
      element('caption', { class: 'sr-only' }, 'Users'),
      tableHead(['E-mail', 'Role', '']),
      rows,
    ),
    message.element,
    newUserForm,
  );
}
