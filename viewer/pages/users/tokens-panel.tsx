/** API tokens of the signed-in user: create, copy once, revoke. */
import { useSignal } from '@preact/signals';
import { success } from '../../../contract/result.ts';
import type { User } from '../../../contract/types.generated.ts';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { useDraft } from '../../ui/draft.ts';
import { Empty } from '../../ui/empty.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, FormMessage, type Message } from '../../ui/form.tsx';
import { Table } from '../../ui/table.tsx';
import { dateText } from '../../ui/value-text.ts';
import { Panel } from './panel.tsx';
import { SecretCard } from './secret-card.tsx';
import type { UsersProps } from './users-state.ts';

const NAME_MAX_LENGTH = 128;

/** A date, which breaks between day and time only. */
function DateText({ time }: { readonly time: string | null }) {
  if (time === null) return <>never</>;
  const [day, hour] = dateText(time).split(' ');
  return (
    <span class="date">
      <span>{day}</span> <span>{hour}</span>
    </span>
  );
}

function TokensOf({ state, me: { id: user_id } }: UsersProps & { readonly me: User }) {
  const draft = useDraft({ name: '' });
  const message = useSignal<Message>(null);
  const made = useSignal<{ readonly name: string; readonly token: string } | null>(null);
  const tokens = state.tokens.value;
  async function create({ name }: { readonly name: string }): Promise<Message> {
    const body = { name: name.trim() };
    const outcome = await state.call((client) => client.createToken({ user_id }, body));
    if (!outcome.ok) return outcome;
    made.value = outcome.value;
    void state.refresh();
    return success('');
  }
  async function revoke(token_id: number): Promise<void> {
    message.value = await state.change((client) => client.deleteToken({ user_id, token_id }), '');
  }
  function hide(): void {
    made.value = null;
  }
  return (
    <Panel id="users-tokens" heading="API tokens">
      {tokens.length === 0 ? (
        <Empty>No tokens yet. Programs sign in with an API token.</Empty>
      ) : (
        <Table
          class="users-table"
          caption="API tokens"
          of={tokens}
          id={({ id }) => id}
          columns={{
            Name: ({ name }) => <bdi>{name}</bdi>,
            Created: ({ created_at }) => <DateText time={created_at} />,
            'Last used': ({ last_used_at }) => <DateText time={last_used_at} />,
            '': ({ id }) => (
              <ConfirmButton label="Revoke" confirm="Revoke permanently" act={() => revoke(id)} />
            ),
          }}
        />
      )}
      <FormMessage of={message.value} />
      {made.value && <SecretCard key={made.value.token} of={made.value} hide={hide} />}
      <Form action="Create token" draft={draft} submit={create}>
        <TextField
          label="Name of the new token"
          required
          maxLength={NAME_MAX_LENGTH}
          {...draft.field('name')}
        />
      </Form>
    </Panel>
  );
}

/** The panel; a secret stays on the page from its creation until the user hides it or changes. */
export function TokensPanel({ state }: UsersProps) {
  const me = state.me.value;
  return me && <TokensOf key={me.id} state={state} me={me} />;
}
