/** For admins: what each user uses of what all share, and the runs that are on, which they can stop. */
import type { RunHead } from '../../../contract/types.generated.ts';
import { confirmButton } from '../../ui/confirm-button.ts';
import { element, tableHead } from '../../ui/element.ts';
import { createFormMessage } from '../../ui/form.ts';
import { USAGE_HEADS, type UsageRow, usageRows } from './usage-rows.ts';
import type { OwnedRun, UsersStore } from './users-store.ts';

function usageRow({ name, cells }: UsageRow): HTMLElement {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, element('bdi', {}, name)),
    ...cells.map((cell) => element('td', {}, cell)),
  );
}

function runRow({ run, email }: OwnedRun, stop: (run: RunHead) => void): HTMLElement {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, `${run.id} `, element('bdi', {}, run.name)),
    element('td', {}, element('bdi', {}, email)),
    element('td', {}, run.state),
    element(
      'td',
      { class: 'row-actions' },
      confirmButton('Stop', 'Stop the run', () => stop(run)),
    ),
  );
}

function table(caption: string, heads: readonly string[], rows: HTMLElement): HTMLElement {
  return element(
    'table',
    { class: 'users-table' },
    element('caption', { class: 'sr-only' }, caption),
    tableHead(heads),
    rows,
  );
}

/** The panel; only admins see it, and only where the arm reports what users use. */
export function createUsagePanel(store: UsersStore): HTMLElement {
  const message = createFormMessage();
  const owners = element('tbody');
  const runs = element('tbody');
  const runTable = table('Runs that are on', ['Run', 'User', 'State', ''], runs);
  async function stop({ id, name }: RunHead): Promise<void> {
    const outcome = await store.call((client) => client.stopRun({ run_id: id }));
    if (outcome.ok) message.succeed(`The run ${id} ${name} is stopped.`);
    else message.fail(outcome.error);
    await store.refresh();
  }
  const panel = element(
    'section',
    { class: 'users-panel', 'aria-labelledby': 'users-usage', hidden: true },
    element('h2', { id: 'users-usage' }, 'What users use'),
    table('What users use', ['User', ...USAGE_HEADS], owners),
    runTable,
    message.element,
  );
  store.subscribe((view, before) => {
    panel.hidden = view.usage === null;
    if (view.usage !== before.usage || view.users !== before.users) {
      owners.replaceChildren(...usageRows(view.usage ?? [], view.users).map(usageRow));
    }
    runTable.hidden = view.runs.length === 0;
    if (view.runs === before.runs) return;
    runs.replaceChildren(...view.runs.map((one) => runRow(one, (run) => void stop(run))));
  });
  return panel;
}
