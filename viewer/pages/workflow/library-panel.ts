/** Lists of workflow definitions and of runs. */

import type { RunHead, WorkflowHead } from '../../../contract/types.generated.ts';
import { confirmButton } from '../../ui/confirm-button.ts';
import { button, element, tableHead } from '../../ui/element.ts';
import { createOnce } from '../../ui/once.ts';
import { fileButton } from '../../ui/user-file.ts';
import { timeOfDayText } from '../../ui/value-text.ts';
import { runHeadText } from './run-figures.ts';
import { SAMPLE } from './sample-definition.ts';
import type { WorkflowActions } from './workflow-actions.ts';
import type { WorkflowPanel } from './workflow-panel.ts';

/** A definition to begin with. */
const EMPTY = {
  name: 'New workflow',
  workflow: { labware: [], tasks: {}, hooks: [] },
  workcell: {
    workcell_id: 'bench',
    instruments: [{ id: 'hotel', name: 'Plate hotel', type: 'hotel', capacity: 10 }],
    transport_matrix: { default: 15 },
  },
} as const;

/** The sample in which the arm carries three plates from instrument to instrument. */
const ARM_SAMPLE = new URL('../../../fixtures/workflows/assay.json', import.meta.url);
const RUNS_SHOWN = 100;

function nameButton(name: string, open: () => void): HTMLElement {
  return element('th', { scope: 'row' }, button({ class: 'link' }, open, element('bdi', {}, name)));
}

function workflowRow(actions: WorkflowActions, { id, name, warnings }: WorkflowHead): HTMLElement {
  const count = warnings.length;
  const text = count === 0 ? '' : `${count} ${count === 1 ? 'warning' : 'warnings'}`;
  return element(
    'tr',
    {},
    nameButton(name, () => void actions.open(id)),
    element('td', { class: 'sub' }, text),
    element(
      'td',
      { class: 'actions' },
      confirmButton('Delete', 'Delete permanently', () => void actions.remove(id)),
    ),
  );
}

function runRow(actions: WorkflowActions, run: RunHead): HTMLElement {
  const { id, workflow_id, name, started_at } = run;
  return element(
    'tr',
    {},
    nameButton(`${name}, run ${id}`, () => void actions.openRun(id, workflow_id)),
    element('td', { class: 'whole' }, timeOfDayText(new Date(started_at)).slice(0, 8)),
    element('td', {}, runHeadText(run)),
  );
}

function table(caption: string, columns: readonly string[], rows: HTMLElement): HTMLElement {
  return element(
    'table',
    { class: 'work-table' },
    element('caption', { class: 'sr-only' }, caption),
    tableHead(columns),
    rows,
  );
}

/** Button that opens a JSON file as a new definition. */
function openFileButton(actions: WorkflowActions): HTMLElement {
  const receiver = {
    onText: (name: string, text: string) => actions.openText(null, name, text),
    onProblem: (sentence: string) => actions.reportProblem(sentence),
  };
  return fileButton(receiver, undefined, 'Open a file');
}

/** Creates the lists of the user's definitions and runs. */
export function createLibraryPanel(actions: WorkflowActions): WorkflowPanel {
  const workflows = element('tbody');
  const runs = element('tbody');
  const none = element(
    'p',
    { class: 'empty' },
    'No workflows yet. Run or open the sample, open a file, or start a new one.',
  );
  const noRuns = element('p', { class: 'empty' }, 'No runs yet.');
  const open = (definition: object) =>
    actions.openText(null, '', `${JSON.stringify(definition, null, 2)}\n`);
  const once = createOnce();
  const runSample = async (): Promise<void> => {
    const reply = await fetch(ARM_SAMPLE).catch(() => null);
    if (reply?.ok) await actions.runText(await reply.text());
    else actions.reportProblem('The sample could not be loaded. Try again.');
  };
  const panel = element(
    'main',
    { class: 'work-library', 'aria-label': 'All workflows and runs' },
    element('h3', {}, 'Workflows'),
    none,
    table('Workflows', ['Name', 'Warnings', ''], workflows),
    element(
      'div',
      { class: 'form-actions' },
      button({ class: 'primary' }, () => void once('run', runSample), 'Run a sample with the arm'),
      openFileButton(actions),
      button({ class: 'plain' }, () => open(SAMPLE), 'Open the sample'),
      button({ class: 'plain' }, () => open(EMPTY), 'New workflow'),
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
        workflows.replaceChildren(...view.workflows.map((head) => workflowRow(actions, head)));
      }
      if (view.runs !== before?.runs) {
        noRuns.hidden = view.runs.length > 0;
        runs.replaceChildren(...view.runs.slice(0, RUNS_SHOWN).map((run) => runRow(actions, run)));
      }
    },
  };
}
