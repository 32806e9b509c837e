/**
 * The Simulation page: clock, manual control, inputs, faults, obstacles, snapshots and recording
 * beside the scene; log and journal on the other side. Shown only to admins of a simulated arm;
 * loaded as its own chunk.
 */
import { Plane, Vector3 } from 'three';
import { element, icon } from '../panels/element.ts';
import type { Stage } from '../scene/renderer.ts';
import { dragCellParts } from '../simulation/cell-edit.ts';
import { createCellPanel } from '../simulation/cell-panel.ts';
import {
  createJournalPanel,
  createObstaclesPanel,
  createTwinLogPanel,
  type ObstaclesPanel,
} from '../simulation/contact-panels.ts';
import { createFaultsPanel, createPresetsPanel } from '../simulation/faults-panel.ts';
import { createSimulationCalls, type SimulationPanel } from '../simulation/form-inputs.ts';
import { createInputsPanel, createManualControlPanel } from '../simulation/manual-control-panel.ts';
import {
  createClockPanel,
  createRecordingPanel,
  createResetPanel,
  createSnapshotsPanel,
} from '../simulation/snapshot-panels.ts';
import type { SimulationLayers } from '../test-window.ts';
import { loadStyles, type Page, type PageParts } from './page.ts';

const STYLES = [new URL('../styles/simulation.css', import.meta.url)];
const GROUND = new Plane(new Vector3(0, 0, 1));
const REFRESH_MS = 50;
const POLL_MS = 1000;
/** A pointer press that moves less than this is a click, not an orbit of the camera. */
const CLICK_MAX_PX = 4;

/** Sections that are open at first; the user's choice is kept. */
const OPEN_SECTIONS: readonly string[] = ['Situations', 'Cell', 'Clock', 'Manual control'];
const SECTIONS_KEY = 'armtwin.simulation-sections';

function readOpenSections(): readonly string[] {
  return localStorage.getItem(SECTIONS_KEY)?.split('|') ?? OPEN_SECTIONS;
}

/** A panel that folds away under its name. */
function sectionOf({ element: panel }: SimulationPanel): HTMLElement {
  const name = panel.getAttribute('aria-label') ?? '';
  const open = readOpenSections().includes(name);
  const summary = element('summary', {}, icon('chevron'), name);
  const details = element('details', { class: 'simulation-section', open }, summary, panel);
  details.addEventListener('toggle', () => {
    const others = readOpenSections().filter((each) => each !== name);
    localStorage.setItem(SECTIONS_KEY, [...others, ...(details.open ? [name] : [])].join('|'));
  });
  return details;
}

/** Places an obstacle on a clicked ground point while the panel is in placing mode. */
function placeByClick(stage: Stage, obstacles: ObstaclesPanel, isShown: () => boolean): void {
  let pressed: readonly [number, number] = [0, 0];
  stage.canvas.addEventListener('pointerdown', ({ clientX, clientY }) => {
    pressed = [clientX, clientY];
  });
  stage.canvas.addEventListener('click', (event) => {
    if (!isShown() || !obstacles.placing()) return;
    const moved = Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]);
    const { ray } = stage.ray(event);
    const at = moved < CLICK_MAX_PX ? ray.intersectPlane(GROUND, new Vector3()) : null;
    if (at) obstacles.placeAt(at.x, at.y);
  });
}

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

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createSimulationPage(parts: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const { store, calls, stage, frame, collision } = parts;
  const context = { calls: createSimulationCalls(store, calls), view: () => store.view() };
  const obstacles = createObstaclesPanel(context);
  const cell = createCellPanel(context, (name) => collision.cell()?.select(name));
  const controls = [
    cell,
    createPresetsPanel(context),
    createClockPanel(context),
    createManualControlPanel(context),
    createFaultsPanel(context),
    obstacles,
    createInputsPanel(context),
    createSnapshotsPanel(context),
    createRecordingPanel(context),
    createResetPanel(context),
  ];
  const logs = [createTwinLogPanel(), createJournalPanel(context)];
  const column = (className: string, label: string, parts: readonly HTMLElement[]) =>
    element('div', { class: className, 'aria-label': label, role: 'region' }, ...parts);
  const records = logs.map((panel) => panel.element);
  frame.append(
    column('simulation', 'Simulation', controls.map(sectionOf)),
    column('simulation-records inspector-drawer', 'Log and journal', records),
  );
  let shown = false;
  const panels = [...controls, ...logs];
  const refresh = updatePanels(parts, panels, () => shown);
  placeByClick(stage, obstacles, () => shown);
  dragCellParts({
    stage,
    layer: () => collision.cell(),
    isShown: () => shown && !obstacles.placing(),
    onSelect: (name) => cell.select(name),
    onDrop: (pick, by) => cell.drop(pick, by),
  });
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
