/**
 * The Workflow page: lists of definitions and runs, definition editor, chart of the plan and the
 * run, deck, deliveries, in the frame of the Live page. Loaded as its own chunk. It polls the run
 * while it is shown, because no stream reports runs.
 */
import type { RunHead, WorkflowHead } from '../../contract/types.ts';
import { createOnce } from '../link/commands.ts';
import { button, element, tableHead } from '../panels/element.ts';
import { confirmButton, filePicker } from '../panels/form.ts';
import { timeOfDayText } from '../panels/value-text.ts';
import { createDeckLayer } from '../scene/deck-layer.ts';
import { createLabels } from '../scene/labels.ts';
import { deckOf } from '../workflow/deck-layout.ts';
import { createDeckPanel, labwarePlaces } from '../workflow/deck-panel.ts';
import { createEditorPanel } from '../workflow/editor-panel.ts';
import { runHeadText } from '../workflow/gantt-bar.ts';
import { createGanttChart } from '../workflow/gantt-chart.ts';
import { createWorkflowLogPanel } from '../workflow/log-panel.ts';
import { createRunHeader } from '../workflow/run-header.ts';
import { WorkflowActions } from '../workflow/workflow-actions.ts';
import { createWorkflowInspector } from '../workflow/workflow-inspector.ts';
import {
  type DefinitionDraft,
  draftOf,
  isChanged,
  type WorkflowPanel,
  WorkflowStore,
  type WorkflowView,
} from '../workflow/workflow-store.ts';
import type { Place } from './page.ts';
import { bindPanels, loadStyles, type Page, type PageParts } from './page.ts';

/** The sample definition: a plate is read and put back. */
const SAMPLE = {
  name: 'Read a plate',
  workflow: {
    labware: [{ id: 'plate', starting_location: { instrument: 'hotel', slot: 1 } }],
    tasks: {
      read: {
        id: 'read',
        instrument: { type: 'reader' },
        action: 'read',
        time_estimate: 60,
        labware_sources: { plate: { type: 'stored_labware', labware_id: 'plate', slot: 1 } },
      },
      store: {
        id: 'store',
        instrument: { type: 'hotel' },
        action: 'store',
        time_estimate: 5,
        labware_sources: {
          plate: { type: 'labware_source', labware_id: 'plate', source_task: 'read' },
        },
      },
    },
    hooks: [],
  },
  workcell: {
    workcell_id: 'bench',
    instruments: [
      { id: 'hotel', name: 'Plate hotel', type: 'hotel', bench: 'a', capacity: 10 },
      { id: 'reader', name: 'Reader', type: 'reader', bench: 'a' },
    ],
    transport_matrix: { default: 15 },
  },
} as const;

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
const ARM_SAMPLE = new URL('../../fixtures/workflows/assay.json', import.meta.url);
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
function fileButton(actions: WorkflowActions): HTMLElement {
  const input = filePicker({
    onText: (name, text) => actions.openText(null, name, text),
    onProblem: (sentence) => actions.reportProblem(sentence),
  });
  const open = button({ class: 'plain' }, () => input.click(), 'Open a file');
  return element('span', {}, open, input);
}

/** Creates the lists of the user's definitions and runs. */
function createLibraryPanel(actions: WorkflowActions): WorkflowPanel {
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
      fileButton(actions),
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

const STYLES = [
  new URL('../styles/forms.css', import.meta.url),
  new URL('../styles/workflow.css', import.meta.url),
  new URL('../styles/workflow-editor.css', import.meta.url),
  new URL('../styles/gantt.css', import.meta.url),
];
/** Poll periods of an active and of an ended run. */
const ACTIVE_POLL_MS = 500;
const IDLE_POLL_MS = 3000;

/** Polls the run while the page is shown; one request at a time. */
function createRunPoller(store: WorkflowStore, actions: WorkflowActions, arm: PageParts['store']) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function poll(): Promise<void> {
    if (arm.view().link === 'live' && !document.hidden) {
      await actions.refreshRun();
      if (store.view().mode === 'library') await actions.refreshLists();
    }
    const { run, deliveries } = store.view();
    const busy = run !== null && run.state !== 'stopped';
    const sending = deliveries.some(({ state }) => state === 'pending');
    if (timer !== undefined)
      timer = setTimeout(poll, busy || sending ? ACTIVE_POLL_MS : IDLE_POLL_MS);
  }
  return {
    start(): void {
      timer = setTimeout(poll, ACTIVE_POLL_MS);
    },
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Shows the deck of the open definition in the scene. */
function createSceneDeck(store: WorkflowStore, { scene, stage }: PageParts) {
  const labels = createLabels();
  labels.element.classList.add('deck-marks');
  scene.append(labels.element);
  const layer = createDeckLayer({ arm: stage.arm, labels, redraw: () => stage.requestRender() });
  let deck = { of: null as unknown, value: deckOf(null) };
  const show = (view: WorkflowView): void => {
    if (view.definition !== deck.of) deck = { of: view.definition, value: deckOf(view.definition) };
    layer.set(deck.value, labwarePlaces(view));
  };
  store.subscribe((view, before) => {
    if (view.definition !== before.definition || view.run?.labware !== before.run?.labware) {
      show(view);
    }
  });
  show(store.view());
  return layer;
}

/** The open definition, its run and the shown tab. */
function placeOf({ workflow_id, run, mode }: WorkflowView): Place {
  const shown = mode === 'library' ? {} : { tab: mode };
  return { id: workflow_id, params: { ...shown, ...(run && { run: String(run.id) }) } };
}

/**
 * Clears the page where a session ends. Unsaved edits come back to the user who made them, and to
 * no one else.
 */
function clearAtSignOut(
  store: WorkflowStore,
  actions: WorkflowActions,
  { store: arm, calls }: PageParts,
): void {
  let kept: { readonly draft: DefinitionDraft; readonly user_id: number | null } | null = null;
  let { user_id } = calls.identity();
  arm.subscribe((view, before) => {
    if (view.link === 'signed-out' && before.link !== 'signed-out') {
      const draft = draftOf(store.view());
      kept = draft.text !== '' && isChanged(store.view()) ? { draft, user_id } : null;
      store.clear();
    }
    if (view.link !== 'live') return;
    ({ user_id } = calls.identity());
    const back = kept?.user_id === user_id ? kept.draft : null;
    kept = null;
    if (!back) return;
    store.restore(back);
    void actions.check(back.text);
  });
}

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createWorkflowPage(parts: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const { store: arm, calls, frame, stage } = parts;
  const store = new WorkflowStore();
  const actions = new WorkflowActions(store, calls);
  const layer = createSceneDeck(store, parts);
  const deck = createDeckPanel(arm, (side) => {
    frame.dataset['deck'] = side;
    if (side === 'scene') stage.showView('start');
  });
  frame.dataset['deck'] = 'map';
  const panels = [
    createRunHeader(store, actions),
    createLibraryPanel(actions),
    createEditorPanel(store, actions),
    createGanttChart(store),
    deck,
    createWorkflowLogPanel(store),
    createWorkflowInspector(actions),
  ];
  frame.append(...panels.map((panel) => panel.element));
  const mode: WorkflowPanel = {
    element: frame,
    update: (view) => {
      frame.dataset['work'] = view.mode;
    },
  };
  bindPanels(store, [mode, ...panels]);
  const poller = createRunPoller(store, actions, arm);
  let shown = false;
  store.subscribe((view, before) => {
    const run = view.run?.id !== before.run?.id || view.mode !== before.mode;
    if (shown && (run || view.workflow_id !== before.workflow_id)) parts.onPlace();
  });
  clearAtSignOut(store, actions, parts);
  arm.subscribe((view, before) => {
    if (shown && view.link === 'live' && before.link !== 'live') void actions.refreshLists();
  });
  return {
    drawn: layer,
    enter() {
      shown = true;
      stage.setOverlay(layer, true);
      // Also renders the shadows of the deck.
      stage.setArmShown(true);
      poller.start();
      void actions.refreshLists();
    },
    leave() {
      shown = false;
      store.set({ problem: null });
      stage.setOverlay(layer, false);
      poller.stop();
    },
    place: () => placeOf(store.view()),
    openPlace: (place) => actions.openPlace(place),
    openFile: (name, text) => actions.openText(null, name, text),
  };
}
