/**
 * The list of users. Admins add, promote and delete users; other users only see the list. Also: the
 * state of the Users page.
 */
import type { ArmClient } from '../../contract/client.ts';
import { failure, type Result, success } from '../../contract/refusal.ts';
import type { ApiToken, Role, Update, User } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { failureNotice } from '../link/commands.ts';
import { reuseIfEqual } from '../link/sim-link.ts';
import { element, setAttribute, setText, tableHead } from '../panels/element.ts';
import {
  confirmButton,
  createFormMessage,
  type Field,
  type FormMessage,
  field,
  form,
} from '../panels/form.ts';

/**
 * State of the Users page: the signed-in user, all users, the user's own tokens, the updates. The
 * page refreshes it when it opens and when the event stream reports a change of users.
 */

interface UsersView {
  /** Whether the users have been read since the sign-in: before that nothing is known of them. */
  readonly isRead: boolean;
  /** The signed-in user; null if the server does not report it. */
  readonly me: User | null;
  readonly users: readonly User[];
  readonly tokens: readonly ApiToken[];
  /** Null before the first check. */
  readonly updates: readonly Update[] | null;
}

const EMPTY: UsersView = { isRead: false, me: null, users: [], tokens: [], updates: null };

type Listener = (view: UsersView, before: UsersView) => void;

export class UsersStore {
  private current = EMPTY;
  private readonly listeners: Listener[] = [];
  private readonly arm: ArmStore;
  private readonly calls: ArmCalls;

  constructor(arm: ArmStore, calls: ArmCalls) {
    this.arm = arm;
    this.calls = calls;
  }

  view(): UsersView {
    return this.current;
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Runs a call; the error is a message for the user. */
  async call<Reply>(action: (client: ArmClient) => Promise<Reply>): Promise<Result<Reply, string>> {
    const outcome = await this.calls.call(action);
    return outcome.ok ? success(outcome.value) : failure(failureNotice(outcome.error).text);
  }

  /** Clears the data of the previous user. */
  clear(): void {
    this.set(EMPTY);
  }

  /**
   * Reads the users and the user's own tokens. All is drawn again, as after an edit that was
   * refused, or only what has changed.
   */
  async refresh({ onlyChanges = false } = {}): Promise<void> {
    const known = <Value>(before: Value, now: Value) =>
      onlyChanges ? reuseIfEqual(before, now) : now;
    const listing = await this.call((client) => client.listUsers());
    if (!listing.ok) return;
    const users = known(this.current.users, listing.value.users);
    const { user_id } = this.arm.view();
    const me = users.find(({ id }) => id === user_id) ?? null;
    this.set({ isRead: true, users, me });
    if (!me) return;
    const reply = await this.call((client) => client.listTokens({ user_id: me.id }));
    if (reply.ok) this.set({ tokens: known(this.current.tokens, reply.value.tokens) });
  }

  /** Reads the available updates; resolves to an error message, or null on success. */
  async checkUpdates(): Promise<string | null> {
    const outcome = await this.call((client) => client.checkUpdates());
    if (!outcome.ok) return outcome.error;
    this.set({ updates: outcome.value.updates });
    return null;
  }

  private set(patch: Partial<UsersView>): void {
    const before = this.current;
    this.current = { ...before, ...patch };
    for (const listener of this.listeners) listener(this.current, before);
  }
}

const PASSWORD_MIN_LENGTH = '8';
const PASSWORD_MAX_LENGTH = '256';

/** A field for a new password, with the length limits of the API. */
export function passwordField(label: string): Field {
  return field(label, {
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    minlength: PASSWORD_MIN_LENGTH,
    maxlength: PASSWORD_MAX_LENGTH,
  });
}

/** Display name of a role. */
export function roleText(role: Role): string {
  return role === 'admin' ? 'Admin' : 'User';
}

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
