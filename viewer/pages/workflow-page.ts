/**
 * The Workflow page: definition editor, chart of the plan and the run, deck, deliveries, in the
 * frame of the Live page. Loaded as its own chunk. It polls the run while it is shown, because no
 * stream reports runs.
 */
import { createDeckLayer } from '../scene/deck-layer.ts';
import { createLabels } from '../scene/labels.ts';
import { deckOf } from '../workflow/deck-layout.ts';
import { createDeckPanel, labwarePlaces } from '../workflow/deck-panel.ts';
import { createEditorPanel } from '../workflow/editor-panel.ts';
import { createGanttChart } from '../workflow/gantt-chart.ts';
import { createLibraryPanel } from '../workflow/library-panel.ts';
import { createWorkflowLogPanel } from '../workflow/log-panel.ts';
import { createRunHeader } from '../workflow/run-header.ts';
import { WorkflowActions } from '../workflow/workflow-actions.ts';
import { createWorkflowInspector } from '../workflow/workflow-inspector.ts';
import {
  type WorkflowPanel,
  WorkflowStore,
  type WorkflowView,
} from '../workflow/workflow-store.ts';
import type { Place } from './page.ts';
import { bindPanels, loadStyles, type Page, type PageParts } from './page.ts';

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
    if (arm.view().link === 'live' && !document.hidden) await actions.refreshRun();
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
  arm.subscribe((view, before) => {
    if (view.link === 'signed-out' && before.link !== 'signed-out') store.clear();
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
      stage.setOverlay(layer, false);
      poller.stop();
    },
    place: () => placeOf(store.view()),
    openPlace: (place) => actions.openPlace(place),
    openFile: (name, text) => actions.openText(null, name, text),
  };
}
