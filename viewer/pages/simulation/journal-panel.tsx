/** The search in the journal of API calls. */
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import type { JournalReply, JournalSearchBody } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { useDraft } from '../../ui/draft.ts';
import { ChoiceField, NumberField, TextField } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { decimal } from '../../ui/value-text.ts';
import type { PanelProps } from './panel-context.ts';

const METHODS = ['', 'GET', 'POST', 'PUT', 'DELETE'].map(
  (method) => [method, method || 'any'] as const,
);
const CALLS_SHOWN_MAX = 100;
const FIRST = { method: '', path: '/api/v1/controls/*', status: undefined as number | undefined };

/** A path with opportunities for a line break after each slash. */
function BreakablePath({ path }: { readonly path: string }) {
  return (
    <code class="simulation-path">
      {path.split(/(?<=\/)/).map((part, i) => (
        <Fragment key={i}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

/** How many calls were found. */
function countText({ entries, lost }: JournalReply): string {
  const count = entries.length === 1 ? '1 call' : `${entries.length} calls`;
  return lost > 0 ? `${count}; ${lost} older calls were dropped.` : `${count}.`;
}

/** The panel that searches the journal of API calls. */
export function JournalPanel({ context: { calls } }: PanelProps) {
  const draft = useDraft(FIRST);
  const found = useSignal<JournalReply | null>(null);
  async function search(): Promise<void> {
    const { method, path, status } = draft.values();
    const query = {
      ...(method && { method }),
      ...(path.trim() && { path: path.trim() }),
      ...(status !== undefined && { status }),
      limit: CALLS_SHOWN_MAX,
    } as JournalSearchBody;
    const outcome = await calls.run((client) => client.searchJournal(query));
    if (outcome) found.value = outcome.reply;
  }
  async function clear(): Promise<void> {
    await calls.run((client) => client.clearJournal());
    await search();
  }
  function submit(event: Event): void {
    event.preventDefault();
    void search();
  }
  const entries = [...(found.value?.entries ?? [])].reverse();
  return (
    <Panel name="Journal" end={<Button onClick={clear}>Clear</Button>}>
      <form class="form-line" onSubmit={submit}>
        <ChoiceField label="Method" options={METHODS} {...draft.field('method')} />
        <TextField
          label="Path, * matches any ending"
          class="simulation-wide"
          {...draft.field('path')}
        />
        <NumberField label="Status" min={100} max={599} whole {...draft.field('status')} />
        <button type="submit" class="plain">
          Search
        </button>
      </form>
      <p class="sub" role="status">
        {found.value && countText(found.value)}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div class="simulation-table" tabIndex={0}>
        <Table
          class="simulation-journal"
          caption="Calls"
          of={entries}
          id={({ id }) => id}
          row={({ status }) => ({ 'data-failed': status >= 400 ? '' : undefined })}
          columns={{
            Tick: ({ tick }) => tick,
            Method: ({ method }) => method,
            Path: ({ path }) => <BreakablePath path={path} />,
            User: ({ user_id }) => user_id ?? '–',
            Status: ({ status }) => status,
            Duration: ({ duration_ms }) => `${decimal(duration_ms, 1)} ms`,
          }}
        />
      </div>
    </Panel>
  );
}
