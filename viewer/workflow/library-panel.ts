/** All definitions and runs of the user: open, delete, begin a new one, from a file or a sample. */
import type { RunHead, WorkflowHead } from '../../contract/types.ts';
import { button, columnHeads, element } from '../panels/element.ts';
import { confirmButton } from '../panels/form.ts';
import { filePicker } from '../panels/user-file.ts';
import { clockText } from '../panels/value-text.ts';
import { SAMPLE } from './sample.ts';
import type { WorkActs } from './workflow-acts.ts';
import type { WorkPanel } from './workflow-store.ts';

const RUNS_SHOWN = 100;

function nameButton(name: string, open: () => void): HTMLElement {
  return element('th', { scope: 'row' }, button({ class: 'link' }, open, element('bdi', {}, name)));
}

function workflowRow(acts: WorkActs, { id, name, warnings }: WorkflowHead): HTMLElement {
  const count = warnings.length;
  const words = count === 0 ? '' : `${count} ${count === 1 ? 'warning' : 'warnings'}`;
  return element(
    'tr',
    {},
    nameButton(name, () => void acts.open(id)),
    element('td', { class: 'sub' }, words),
    element(
      'td',
      { class: 'acts' },
      confirmButton('Delete', 'Delete for good', () => void acts.remove(id)),
    ),
  );
}

function runRow(acts: WorkActs, run: RunHead): HTMLElement {
  const { id, workflow_id, name, state, message, started_at } = run;
  return element(
    'tr',
    {},
    nameButton(`${name}, run ${id}`, () => void acts.openRun(id, workflow_id)),
    element('td', {}, clockText(new Date(started_at)).slice(0, 8)),
    element('td', {}, message ? `${state}: ${message}` : state),
  );
}

function table(caption: string, columns: readonly string[], rows: HTMLElement): HTMLElement {
  return element(
    'table',
    { class: 'work-table' },
    element('caption', { class: 'sr-only' }, caption),
    columnHeads(columns),
    rows,
  );
}

/** A button that opens a JSON file as a new definition. */
function fileButton(acts: WorkActs): HTMLElement {
  const input = filePicker({
    take: (name, text) => acts.openText(null, name, text),
    refuse: (sentence) => acts.refuse(sentence),
  });
  const open = button({ class: 'plain' }, () => input.click(), 'Open a file');
  return element('span', {}, open, input);
}

/** The lists. */
export function createLibraryPanel(acts: WorkActs): WorkPanel {
  const workflows = element('tbody');
  const runs = element('tbody');
  const none = element('p', { class: 'empty' }, 'No workflows yet. Open a file, or the sample.');
  const noRuns = element('p', { class: 'empty' }, 'Nothing has run yet.');
  const sample = () => acts.openText(null, '', `${JSON.stringify(SAMPLE, null, 2)}\n`);
  const panel = element(
    'main',
    { class: 'work-library', 'aria-label': 'All workflows and runs' },
    element('h3', {}, 'Workflows'),
    none,
    table('Workflows', ['Name', 'Warnings', ''], workflows),
    element(
      'div',
      { class: 'form-actions' },
      fileButton(acts),
      button({ class: 'plain' }, sample, 'Open the sample'),
    ),
    element('h3', {}, 'Runs'),
    noRuns,
    table('Runs', ['Name', 'Started', 'State'], runs),
  );
  return {
    element: panel,
    update(view, before) {
      if (view.workflows !== before?.workflows) {
        none.hidden = view.workflows.length > 0;
        workflows.replaceChildren(...view.workflows.map((head) => workflowRow(acts, head)));
      }
      if (view.runs !== before?.runs) {
        noRuns.hidden = view.runs.length > 0;
        runs.replaceChildren(...view.runs.slice(0, RUNS_SHOWN).map((run) => runRow(acts, run)));
      }
    },
  };
}
