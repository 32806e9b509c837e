/** The list of users. Admins add, promote and delete users; other users only see the list. */
import { useSignal } from '@preact/signals';
import type { Role, User } from '../../../contract/types.generated.ts';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { useDraft } from '../../ui/draft.ts';
import { Choice, TextField } from '../../ui/fields.tsx';
import { Form, FormMessage, type Message } from '../../ui/form.tsx';
import { Table } from '../../ui/table.tsx';
import { LimitedPasswordField } from './limited-password-field.tsx';
import { Panel } from './panel.tsx';
import { roleText } from './role-text.ts';
import type { UsersProps } from './users-state.ts';

const ROLES = (['user', 'admin'] as const).map((role) => [role, roleText(role)] as const);

function NewUserForm({ state }: UsersProps) {
  const draft = useDraft({ email: '', password: '' });
  const submit = ({ email, password }: ReturnType<typeof draft.values>) => {
    const body = { email: email.trim(), password };
    return state.change((client) => client.createUser(body), `${body.email} can sign in now.`);
  };
  return (
    <Form action="Add user" draft={draft} submit={submit}>
      <TextField label="E-mail of the new user" keys="email" required {...draft.field('email')} />
      <LimitedPasswordField label="First password" {...draft.field('password')} />
    </Form>
  );
}

/** The panel; it shows the admin controls only to admins. */
export function UsersPanel({ state }: UsersProps) {
  const message = useSignal<Message>(null);
  const isAdmin = state.isAdmin.value;
  const me = state.me.value;
  const users = state.users.value ?? [];
  const admins = users.filter(({ role }) => role === 'admin');
  /** The server keeps the last admin. */
  const isLast = (user: User) => admins.length === 1 && admins[0] === user;
  async function setRole({ id: user_id, email }: User, role: string): Promise<boolean> {
    const done = `${email} is now ${role === 'admin' ? 'an admin' : 'a user'}.`;
    const body = { role: role as Role };
    message.value = await state.change((client) => client.updateUser({ user_id }, body), done);
    return message.value?.ok ?? false;
  }
  async function remove({ id: user_id, email }: User): Promise<void> {
    const done = `${email} is deleted.`;
    message.value = await state.change((client) => client.deleteUser({ user_id }), done);
  }
  const count = <span class="sub">{state.users.value?.length}</span>;
  return (
    <Panel id="users-list" heading={<>Users {count}</>}>
      <Table
        class="users-table"
        caption="Users"
        of={users}
        id={({ id }) => id}
        columns={{
          'E-mail': ({ id, email }) => (
            <>
              <bdi>{email}</bdi>
              {id === me?.id && <span class="sub"> you</span>}
            </>
          ),
          Role: (user) =>
            isAdmin ? (
              <Choice
                label={`Role of ${user.email}`}
                options={ROLES}
                value={user.role}
                set={(role) => setRole(user, role)}
              />
            ) : (
              roleText(user.role)
            ),
          '': (user) =>
            isAdmin && (
              <ConfirmButton
                label="Delete"
                confirm="Delete permanently"
                act={() => remove(user)}
                disabled={isLast(user)}
                title={isLast(user) ? 'The last admin cannot be deleted' : undefined}
              />
            ),
        }}
      />
      <FormMessage of={message.value} />
      {isAdmin && <NewUserForm state={state} />}
    </Panel>
  );
}
