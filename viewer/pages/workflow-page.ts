/**
 * The Workflow page: definitions as text, plan and run as a chart, the deck, deliveries. It lays
 * itself into the frame of the Live page and comes in a chunk of its own; while it shows, it asks
 * the server how the run goes, for no stream tells of runs.
 */
import { createDeckLayer } from '../scene/deck-layer.ts';
import { createLabels } from '../scene/labels.ts';
import { deckOf } from '../workflow/deck-layout.ts';
import { placesOf } from '../workflow/deck-map.ts';
import { createDeckPanel } from '../workflow/deck-panel.ts';
import { createEditorPanel } from '../workflow/editor-panel.ts';
import { createGanttChart } from '../workflow/gantt-chart.ts';
import { createLibraryPanel } from '../workflow/library-panel.ts';
import { createLogPanel } from '../workflow/log-panel.ts';
import { createRunHeader } from '../workflow/run-header.ts';
import { createWorkInspector } from '../workflow/work-inspector.ts';
import { WorkActs } from '../workflow/workflow-acts.ts';
import { type WorkPanel, WorkStore, type WorkView } from '../workflow/workflow-store.ts';
import { follow, loadStyles, type Page, type PageParts } from './page.ts';

const STYLES = [
  new URL('../styles/forms.css', import.meta.url),
  new URL('../styles/workflow.css', import.meta.url),
  new URL('../styles/gantt.css', import.meta.url),
];
/** How often a run is asked for: one that is on, and one that has ended. */
const LIVE_MS = 500;
const STILL_MS = 3000;

/** Asks for the run again and again while the page shows; one question at a time. */
function watchRun(store: WorkStore, acts: WorkActs, arm: PageParts['store']) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function ask(): Promise<void> {
    if (arm.view().link === 'live' && !document.hidden) await acts.follow();
    const { run, deliveries } = store.view();
    const busy = run !== null && run.state !== 'stopped';
    const sending = deliveries.some(({ state }) => state === 'pending');
    if (timer !== undefined) timer = setTimeout(ask, busy || sending ? LIVE_MS : STILL_MS);
  }
  return {
    start(): void {
      timer = setTimeout(ask, LIVE_MS);
    },
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Puts the deck of what is open into the scene's layer. */
function deckInScene(store: WorkStore, { scene, stage }: PageParts) {
  const labels = createLabels();
  labels.element.classList.add('deck-marks');
  scene.append(labels.element);
  const layer = createDeckLayer({ arm: stage.arm, labels, redraw: () => stage.wake() });
  let deck = { of: null as unknown, value: deckOf(null) };
  const show = (view: WorkView): void => {
    if (view.definition !== deck.of) deck = { of: view.definition, value: deckOf(view.definition) };
    layer.set(deck.value, placesOf(view));
  };
  store.subscribe((view, before) => {
    if (view.definition !== before.definition || view.run?.labware !== before.run?.labware) {
      show(view);
    }
  });
  show(store.view());
  return layer;
}

/** Builds the page into the frame; nothing shows before `enter`. */
export async function createWorkflowPage(parts: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const { store: arm, calls, frame, stage } = parts;
  const store = new WorkStore();
  const acts = new WorkActs(store, calls);
  const layer = deckInScene(store, parts);
  const deck = createDeckPanel(arm, (side) => {
    frame.dataset['deck'] = side;
    if (side === 'scene') stage.show('start');
  });
  frame.dataset['deck'] = 'map';
  const panels = [
    createRunHeader(store, acts),
    createLibraryPanel(acts),
    createEditorPanel(store, acts),
    createGanttChart(store),
    deck,
    createLogPanel(store),
    createWorkInspector(acts),
  ];
  frame.append(...panels.map((panel) => panel.element));
  const mode: WorkPanel = {
    element: frame,
    update: (view) => {
      frame.dataset['work'] = view.mode;
    },
  };
  follow(store, [mode, ...panels]);
  const watch = watchRun(store, acts, arm);
  let here = false;
  arm.subscribe((view, before) => {
    if (view.link === 'signed-out' && before.link !== 'signed-out') store.clear();
    if (here && view.link === 'live' && before.link !== 'live') void acts.list();
  });
  return {
    drawn: layer,
    enter() {
      here = true;
      stage.setOverlay(layer, true);
      // Asks for shadows of the deck, too.
      stage.setArmShown(true);
      watch.start();
      void acts.list();
    },
    leave() {
      here = false;
      stage.setOverlay(layer, false);
      watch.stop();
    },
    openFile: (name, text) => acts.openText(null, name, text),
  };
}
