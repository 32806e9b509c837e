/** For admins: what each user uses of what all share, and the runs that are on, which they can stop. */
import { useSignal } from '@preact/signals';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { FormMessage, type Message } from '../../ui/form.tsx';
import { Table } from '../../ui/table.tsx';
import { Panel } from './panel.tsx';
import { USAGE_HEADS, type UsageRow, usageRows } from './usage-rows.ts';
import type { OwnedRun, UsersProps } from './users-state.ts';

const USAGE_COLUMNS = Object.fromEntries(
  USAGE_HEADS.map((head, i) => [head, ({ cells }: UsageRow) => cells[i]]),
);

/** The panel; only admins see it, and only where the arm reports what users use. */
export function UsagePanel({ state }: UsersProps) {
  const message = useSignal<Message>(null);
  const usage = state.usage.value;
  const runs = state.runs.value;
  if (usage === null) return null;
  async function stop({ id, name }: OwnedRun['run']): Promise<void> {
    const done = `The run ${id} ${name} is stopped.`;
    message.value = await state.change((client) => client.stopRun({ run_id: id }), done);
  }
  return (
    <Panel id="users-usage" heading="What users use">
      <Table
        class="users-table"
        caption="What users use"
        of={usageRows(usage, state.users.value ?? [])}
        id={({ name }) => name}
        columns={{ User: ({ name }) => <bdi>{name}</bdi>, ...USAGE_COLUMNS }}
      />
      {runs.length > 0 && (
        <Table
          class="users-table"
          caption="Runs that are on"
          of={runs}
          id={({ run }) => run.id}
          columns={{
            Run: ({ run: { id, name } }) => [`${id} `, <bdi key="name">{name}</bdi>],
            User: ({ email }) => <bdi>{email}</bdi>,
            State: ({ run }) => run.state,
            '': ({ run }) => (
              <ConfirmButton label="Stop" confirm="Stop the run" act={() => stop(run)} />
            ),
          }}
        />
      )}
      <FormMessage of={message.value} />
    </Panel>
  );
}
