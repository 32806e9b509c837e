/** Lists of workflow definitions and of runs. */

import type { Cell, RunHead, WorkflowHead } from '../../../contract/types.generated.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { SAMPLES } from '../../toolpath/samples.ts';
import { confirmButton } from '../../ui/confirm-button.ts';
import { button, element, setAttribute, setText, tableHead } from '../../ui/element.ts';
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

/** The sample in which the arm carries three plates from instrument to instrument, and its cell. */
const ARM_SAMPLE = new URL('../../../fixtures/workflows/assay.json', import.meta.url);
const SAMPLE_CELL = new URL('../../../fixtures/cells/assay-workflow.json', import.meta.url);
const NOT_LOADED = 'The sample could not be loaded. Try again.';
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

/**
 * The name of a cell that somebody has made, which the sample's would replace; null where there is
 * none, or that of a sample as it comes.
 */
export function cellInTheWay({ sim }: ArmView, samples: readonly Cell[]): string | null {
  const own = sim?.cell?.description;
  const text = JSON.stringify(own);
  return !own || samples.some((cell) => JSON.stringify(cell) === text) ? null : own.name;
}

/** The sample and the cells of all samples; null where one of them cannot be loaded. */
async function loadSamples() {
  const urls = [ARM_SAMPLE, SAMPLE_CELL, ...SAMPLES.map(({ cell }) => cell)];
  const texts = await Promise.all(
    urls.map((url) => fetch(url).then((reply) => (reply.ok ? reply.text() : null))),
  ).catch(() => []);
  const [text, ...cells] = texts;
  const known = cells.flatMap((cell) => (cell ? [JSON.parse(cell) as Cell] : []));
  return text && known.length === SAMPLES.length + 1 ? { text, cells: known } : null;
}

/**
 * The button that runs the sample with the arm, in its own cell where the arm is in a simulated
 * world. It asks before it takes the place of another cell.
 */
function armSample(actions: WorkflowActions, arm: ArmStore) {
  const once = createOnce();
  const question = element('span', { class: 'grow' });
  const replace = button({ class: 'plain' }, () => void start(true), 'Replace it and run');
  const keep = button({ class: 'plain' }, () => void start(false), 'Run in this cell');
  const line = { class: 'form-actions', role: 'status', hidden: true };
  const ask = element('div', line, question, replace, keep);
  const run = button({ class: 'primary' }, () => void start(null), 'Run a sample with the arm');
  /** Runs it, in its cell (true) or as things stand (false); null: asks where there is a question. */
  function start(inOwnCell: boolean | null): Promise<unknown> {
    return once('run', async () => {
      const loaded = await loadSamples();
      if (!loaded) return actions.reportProblem(NOT_LOADED);
      const { text, cells } = loaded;
      const view = arm.view();
      const other = cellInTheWay(view, cells);
      const asks = inOwnCell === null && other !== null;
      setText(question, `The arm stands in the cell “${other}”. The sample has a cell of its own.`);
      setAttribute(ask, 'hidden', !asks);
      if (asks) return replace.focus();
      const isSet = inOwnCell !== false && view.sim?.obstacles && !view.workflow;
      return actions.runText(text, isSet ? cells[0]! : null);
    });
  }
  return { run, ask };
}

/** Creates the lists of the user's definitions and runs. */
export function createLibraryPanel(actions: WorkflowActions, arm: ArmStore): WorkflowPanel {
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
  const sample = armSample(actions, arm);
  const panel = element(
    'main',
    { class: 'work-library', 'aria-label': 'All workflows and runs' },
    element('h3', {}, 'Workflows'),
    none,
    table('Workflows', ['Name', 'Warnings', ''], workflows),
    element(
      'div',
      { class: 'form-actions' },
      sample.run,
      openFileButton(actions),
      button({ class: 'plain' }, () => open(SAMPLE), 'Open the sample'),
      button({ class: 'plain' }, () => open(EMPTY), 'New workflow'),
    ),
    sample.ask,
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
