/**
 * The Workflow page: definitions and runs, editor, chart of the plan and the run, deck and
 * deliveries, in the frame of the Live page. Loaded as its own chunk. It polls the run while it is
 * shown, because no stream reports runs.
 */
import { computed, effect } from '@preact/signals';
import { onBack } from '../../link/arm-store.ts';
import { createLabels } from '../../scene/labels.ts';
import type { Page, PageParts } from '../../shell/page.ts';
import { createPageView } from '../../shell/page-view.ts';
import { mount } from '../../ui/mount.ts';
import type { Place } from '../../ui/place.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { onChange } from '../../ui/view-store.ts';
import { DeckLayer } from './deck-layer.ts';
import { labwarePlaces } from './deck-layout.ts';
import { DeckPanel, type DeckViewMode } from './deck-panel.tsx';
import { DraftHistory } from './draft-history.ts';
import { EditorPanel } from './editor-panel.tsx';
import { GanttChart } from './gantt-chart.tsx';
import { LibraryPanel } from './library-panel.tsx';
import { LogPanel } from './log-panel.tsx';
import { RunHeader } from './run-header.tsx';
import { createRunPoller } from './run-poller.ts';
import { WorkflowActions } from './workflow-actions.ts';
import { WorkflowInspector } from './workflow-inspector.tsx';
import { type DefinitionDraft, isChanged, WorkflowState } from './workflow-state.ts';

const STYLES = [
  new URL('../../styles/forms.css', import.meta.url),
  new URL('../../styles/workflow.css', import.meta.url),
  new URL('../../styles/workflow-editor.css', import.meta.url),
  new URL('../../styles/gantt.css', import.meta.url),
];

/** Shows the deck of the open definition in the scene. */
function createSceneDeck(state: WorkflowState, { scene, stage }: PageParts): DeckLayer {
  const labels = createLabels();
  labels.element.classList.add('deck-marks');
  scene.append(labels.element);
  const layer = new DeckLayer({ arm: stage.arm, labels, redraw: () => stage.requestRender() });
  effect(() => layer.set(state.deck.value, labwarePlaces(state.run.value, state.definition.value)));
  return layer;
}

/** The open definition, its run and the shown tab. */
function placeOf({ draft, run, mode }: WorkflowState): Place {
  const shown = mode.value === 'library' ? {} : { tab: mode.value };
  const ran = run.value && { run: String(run.value.id) };
  return { id: draft.value.workflow_id, params: { ...shown, ...ran } };
}

/**
 * Clears the page where a session ends. Unsaved edits come back to the user who made them, and to
 * no one else.
 */
function clearAtSignOut(
  state: WorkflowState,
  actions: WorkflowActions,
  { store: arm, calls }: PageParts,
): void {
  let kept: { readonly draft: DefinitionDraft; readonly user_id: number | null } | null = null;
  let { user_id } = calls.identity();
  onChange(arm.shown.link, (link) => {
    if (link === 'signed-out') {
      const draft = state.draft.value;
      kept = draft.text !== '' && isChanged(draft) ? { draft, user_id } : null;
      state.clear();
    }
    if (link !== 'live') return;
    ({ user_id } = calls.identity());
    const back = kept?.user_id === user_id ? kept.draft : null;
    kept = null;
    if (!back) return;
    state.restore(back);
    void actions.check(back.text);
  });
}

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createWorkflowPage(parts: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const { store, calls, frame, stage } = parts;
  const page = createPageView(store);
  const { arm, isShown } = page;
  const state = new WorkflowState();
  const actions = new WorkflowActions(state, calls);
  const history = new DraftHistory(state, (text) => void actions.check(text));
  const layer = createSceneDeck(state, parts);
  const turn = (side: DeckViewMode): void => {
    frame.dataset['deck'] = side;
    if (side === 'scene') stage.showView('start');
  };
  turn('map');
  effect(() => {
    frame.dataset['work'] = state.mode.value;
  });
  mount(
    frame,
    <>
      <RunHeader state={state} actions={actions} />
      <LibraryPanel state={state} actions={actions} arm={arm} />
      <EditorPanel state={state} actions={actions} history={history} />
      <GanttChart state={state} />
      <DeckPanel state={state} arm={arm} turn={turn} />
      <LogPanel state={state} />
      <WorkflowInspector state={state} actions={actions} />
    </>,
  );
  const poller = createRunPoller(state, actions, store);
  const place = computed(() => JSON.stringify(placeOf(state)));
  place.subscribe(() => {
    if (isShown.value) parts.onPlace();
  });
  clearAtSignOut(state, actions, parts);
  onBack(store, () => isShown.value && void actions.refreshLists());
  return {
    drawn: layer,
    enter() {
      page.enter();
      stage.setOverlay(layer, true);
      // Also renders the shadows of the deck.
      stage.setArmShown(true);
      poller.start();
      void actions.refreshLists();
    },
    leave() {
      page.leave();
      state.problem.value = null;
      stage.setOverlay(layer, false);
      poller.stop();
    },
    place: () => placeOf(state),
    openPlace: (to) => actions.openPlace(to),
    openFile: (name, text) => actions.openText(null, name, text),
  };
}
