import { failure, success } from '../../../contract/result.ts';
import type { User } from '../../../contract/types.generated.ts';
import { useDraft } from '../../ui/draft.ts';
import { Empty } from '../../ui/empty.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { LimitedPasswordField } from './limited-password-field.tsx';
import { Panel } from './panel.tsx';
import { roleText } from './role-text.ts';
import type { UsersProps } from './users-state.ts';

interface ProfileProps extends UsersProps {
  readonly me: User;
}

function EmailForm({ state, me: { id: user_id } }: ProfileProps) {
  const draft = useDraft({ email: '', current_password: '' });
  const submit = ({ email, current_password }: ReturnType<typeof draft.values>) => {
    const body = { email: email.trim(), current_password };
    return state.change((client) => client.updateUser({ user_id }, body), 'E-mail changed.');
  };
  return (
    <Form action="Change e-mail" draft={draft} submit={submit}>
      <TextField label="New e-mail" keys="email" required {...draft.field('email')} />
      <LimitedPasswordField
        label="Current password for the e-mail"
        {...draft.field('current_password')}
      />
    </Form>
  );
}

const CHANGED = 'Password changed. All your sessions have ended; log in again.';
const DIFFER = 'The two passwords differ. Type the same password twice.';

function PasswordForm({ state, me: { id: user_id } }: ProfileProps) {
  const draft = useDraft({ current_password: '', password: '', again: '' });
  async function submit({ again, ...body }: ReturnType<typeof draft.values>) {
    if (body.password !== again) return failure(DIFFER);
    const outcome = await state.call((client) => client.updateUser({ user_id }, body));
    return outcome.ok ? success(CHANGED) : outcome;
  }
  return (
    <Form action="Change password" draft={draft} submit={submit}>
      <LimitedPasswordField label="Current password" {...draft.field('current_password')} />
      <LimitedPasswordField label="New password" {...draft.field('password')} />
      <LimitedPasswordField label="New password again" {...draft.field('again')} />
    </Form>
  );
}

const UNKNOWN =
  'This arm does not report the signed-in user, so the profile cannot be changed here.';

/** The signed-in user: e-mail, role, and forms that change e-mail and password. */
export function ProfilePanel({ state }: UsersProps) {
  const me = state.me.value;
  return (
    <Panel id="users-profile" heading="Profile">
      <p class="profile-line">
        <bdi class="strong">{me?.email}</bdi>
        {me && <span class="tag">{roleText(me.role)}</span>}
      </p>
      {!me && state.users.value && <Empty>{UNKNOWN}</Empty>}
      {me && (
        <div key={me.id}>
          <EmailForm state={state} me={me} />
          <PasswordForm state={state} me={me} />
        </div>
      )}
    </Panel>
  );
}
