/**
 * The Workflow page: definitions and runs, editor, chart of the plan and the run, deck and
 * deliveries, in the frame of the Live page. Loaded as its own chunk. It polls the run while it is
 * shown, because no stream reports runs.
 */

import { createLabels } from '../../scene/labels.ts';
import type { Page, PageParts } from '../../shell/page.ts';
import { bindPanels } from '../../ui/bind-panels.ts';
import type { Place } from '../../ui/place.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { DeckLayer } from './deck-layer.ts';
import { deckOf } from './deck-layout.ts';
import { labwarePlaces } from './deck-map.ts';
import { createDeckPanel } from './deck-panel.ts';
import { draftOf } from './draft-history.ts';
import { createEditorPanel } from './editor-panel.ts';
import { createGanttChart } from './gantt-chart.ts';
import { createLibraryPanel } from './library-panel.ts';
import { createWorkflowLogPanel } from './log-panel.ts';
import { createRunHeader } from './run-header.ts';
import { createRunPoller } from './run-poller.ts';
import { WorkflowActions } from './workflow-actions.ts';
import { createWorkflowInspector } from './workflow-inspector.ts';
import type { WorkflowPanel } from './workflow-panel.ts';
import { type DefinitionDraft, WorkflowStore } from './workflow-store.ts';
import { isChanged, type WorkflowView } from './workflow-view.ts';

const STYLES = [
  new URL('../../styles/forms.css', import.meta.url),
  new URL('../../styles/workflow.css', import.meta.url),
  new URL('../../styles/workflow-editor.css', import.meta.url),
  new URL('../../styles/gantt.css', import.meta.url),
];

/** Shows the deck of the open definition in the scene. */
function createSceneDeck(store: WorkflowStore, { scene, stage }: PageParts) {
  const labels = createLabels();
  labels.element.classList.add('deck-marks');
  scene.append(labels.element);
  const layer = new DeckLayer({ arm: stage.arm, labels, redraw: () => stage.requestRender() });
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
    createLibraryPanel(actions, arm),
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
