/**
 * The Simulation page: clock, manual control, inputs, situations, faults, obstacles, snapshots and recording
 * beside the scene; log and journal on the other side. Shown only to admins of a simulated arm;
 * loaded as its own chunk.
 */
import type { CollisionLayer } from '../../scene/collision-layer.ts';
import type { Page, PageParts } from '../../shell/page.ts';
import { element } from '../../ui/element.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { createCellPanel } from './cell-panel.ts';
import { createClockPanel } from './clock-panel.ts';
import { type DragParts, dragCellParts, moveByKeys } from './drag-cell-parts.ts';
import { createFaultsPanel } from './faults-panel.ts';
import { createInputsPanel } from './inputs-panel.ts';
import { createJournalPanel } from './journal-panel.ts';
import { createManualControlPanel } from './manual-control-panel.ts';
import { createObstaclesPanel } from './obstacles-panel.ts';
import { sectionsOf } from './page-sections.ts';
import { placeByClick } from './place-by-click.ts';
import { createRecordingPanel } from './recording-panel.ts';
import { createResetPanel } from './reset-panel.ts';
import { createSimulationCalls } from './simulation-calls.ts';
import type { SimulationPanel } from './simulation-panel.ts';
import { createSituationsPanel } from './situations-panel.ts';
import { createSnapshotsPanel } from './snapshots-panel.ts';
import { createTwinLogPanel } from './twin-log-panel.ts';

const STYLES = [new URL('../../styles/simulation.css', import.meta.url)];
/** State drawn by the page. The collision layer is null until it is first shown. */
export interface SimulationLayers {
  readonly collision: () => CollisionLayer | null;
}

const REFRESH_MS = 50;
const POLL_MS = 1000;

/** Updates the panels at most 20 times a second while the page is shown. */
function updatePanels(
  { store }: PageParts,
  panels: readonly SimulationPanel[],
  isShown: () => boolean,
) {
  let due = false;
  function refresh(): void {
    due = false;
    const view = store.view();
    for (const panel of panels) panel.update(view);
  }
  store.subscribe(() => {
    if (due || !isShown()) return;
    due = true;
    setTimeout(() => requestAnimationFrame(refresh), REFRESH_MS);
  });
  return refresh;
}

const elementsOf = (panels: readonly SimulationPanel[]) => panels.map(({ element }) => element);

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createSimulationPage(parts: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const { store, calls, stage, frame, collision } = parts;
  const context = { calls: createSimulationCalls(store, calls), view: () => store.view() };
  const obstacles = createObstaclesPanel(context);
  let shown = false;
  const dragged: DragParts = {
    stage,
    layer: () => collision.cell(),
    cell: () => store.view().sim?.cell?.description ?? null,
    isShown: () => shown && !obstacles.placing(),
    onSelect: (name) => cell.select(name),
    onDrop: (name, by, end) => cell.drop(name, by, end),
  };
  const cell = createCellPanel(context, {
    onSelect: (name) => collision.cell()?.select(name),
    onKey: moveByKeys(dragged),
  });
  const controls = [
    cell,
    createSituationsPanel(context),
    createClockPanel(context),
    createManualControlPanel(context),
    createFaultsPanel(context),
    obstacles,
    createInputsPanel(context),
    createSnapshotsPanel(context),
    createRecordingPanel(context),
    createResetPanel(context),
  ];
  const sections = sectionsOf(controls);
  const logs = [createTwinLogPanel(), createJournalPanel(context)];
  const column = (className: string, label: string, parts: readonly HTMLElement[]) =>
    element('div', { class: className, 'aria-label': label, role: 'region' }, ...parts);
  frame.append(
    column('simulation', 'Simulation', sections.elements),
    column('simulation-records inspector-drawer', 'Log and journal', elementsOf(logs)),
  );
  const panels = [sections, ...controls, ...logs];
  const refresh = updatePanels(parts, panels, () => shown);
  placeByClick(stage, obstacles, () => shown);
  dragCellParts(dragged);
  async function poll(): Promise<void> {
    if (!shown || document.hidden || store.view().link !== 'live') return;
    await Promise.all(panels.map((panel) => panel.refresh?.()));
  }
  setInterval(() => void poll(), POLL_MS);
  return {
    drawn: { collision: () => collision.layer() } satisfies SimulationLayers,
    enter() {
      shown = true;
      refresh();
      void poll();
    },
    leave() {
      shown = false;
      cell.select(null);
    },
  };
}
