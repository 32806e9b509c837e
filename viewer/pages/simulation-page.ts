/**
 * The Simulation page: clock, manual control, inputs, faults, obstacles, snapshots and recording
 * beside the scene; log and journal on the other side. Shown only to admins of a simulated arm;
 * loaded as its own chunk.
 */
import { Plane, Vector3 } from 'three';
import type { Cell } from '../../contract/types.ts';
import { element, icon } from '../panels/element.ts';
import type { CellLayer, CellPick } from '../scene/cell-layer.ts';
import type { Stage } from '../scene/renderer.ts';
import { type BeamEnd, beamEnd, movedPart, partOf, withPart } from '../simulation/cell-edit.ts';
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

/** Sections of what only a simulated arm has. */
const SIMULATED: readonly string[] = [
  ...['Cell', 'Clock', 'Obstacles', 'Snapshots', 'Recording', 'Reset'],
];

/** The sections; of a real arm without those of a simulated one, which a note says. */
function sectionsOf(controls: readonly SimulationPanel[]): SimulationPanel & {
  readonly elements: readonly HTMLElement[];
} {
  const text =
    'A real arm: cell, clock, obstacles, snapshots, recording and reset are of simulated arms.';
  const note = element('p', { class: 'simulation-note', hidden: true }, text);
  const sections = controls.map(sectionOf);
  return {
    element: note,
    elements: [note, ...sections],
    update({ sim }) {
      const isReal = sim !== null && sim.obstacles === null;
      note.hidden = !isReal;
      for (const [i, { element: panel }] of controls.entries()) {
        const name = panel.getAttribute('aria-label') ?? '';
        sections[i]!.hidden = isReal && SIMULATED.includes(name);
      }
    },
  };
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

const SNAP_M = 0.001;
const COARSE_SNAP_M = 0.01;
/** A press that moves a part less than this selects it only (m). */
const MOVED_M = 0.002;
/** Arrow keys move a part once none was pressed for this long (ms). */
const KEYS_END_MS = 400;

interface DragParts {
  readonly stage: Stage;
  readonly layer: () => CellLayer | null;
  readonly cell: () => Cell | null;
  readonly isShown: () => boolean;
  onSelect(name: string): void;
  /** Puts a part, or an end of a beam, to where it was dragged by a horizontal way (m). */
  onDrop(name: string, by: Vector3, end: BeamEnd | null): void;
}

/** A part under way: draws it beside its place until it is dropped. */
function partUnderWay({ layer, cell, onDrop }: DragParts) {
  let pick: (Pick<CellPick, 'kind' | 'name'> & { readonly end: BeamEnd | null }) | null = null;
  const by = new Vector3();
  function draw(shown: Vector3 | null): void {
    const now = cell();
    if (!pick || !now) return;
    const { kind, name, end } = pick;
    if (kind !== 'device') layer()?.drag(name, shown);
    else layer()?.preview(shown && withPart(now, name, (part) => movedPart(part, shown, end)));
  }
  return {
    name: () => pick?.name ?? null,
    by,
    start(next: NonNullable<typeof pick>): void {
      pick = next;
      by.set(0, 0, 0);
    },
    draw: () => draw(by),
    finish(dropped: boolean): void {
      if (!pick) return;
      if (dropped) onDrop(pick.name, by.clone(), pick.end);
      draw(null);
      pick = null;
    },
  };
}

/** From far away a beam is a pixel thin: a press so near to a part (px) takes it. */
const NEAR_PX = 6;

/** The part under the pointer, else one beside it. */
function pickNear({ stage, layer }: DragParts, { clientX, clientY }: PointerEvent) {
  for (const [x, y] of [
    [0, 0],
    [0, -NEAR_PX],
    [0, NEAR_PX],
    [-NEAR_PX, 0],
    [NEAR_PX, 0],
  ] as const) {
    const pick = layer()?.pick(stage.ray({ clientX: clientX + x, clientY: clientY + y }));
    if (pick) return pick;
  }
  return null;
}

/** Lets the user drag the parts of the cell over the ground; Shift snaps to 10 mm. */
function dragCellParts(parts: DragParts): void {
  const { stage, cell, isShown, onSelect } = parts;
  const { canvas } = stage;
  const part = partUnderWay(parts);
  let from = new Vector3();
  const plane = new Plane(new Vector3(0, 0, 1));
  function follow(event: PointerEvent): void {
    if (part.name() === null) return;
    const at = stage.ray(event).ray.intersectPlane(plane, new Vector3());
    if (!at) return;
    const snap = event.shiftKey ? COARSE_SNAP_M : SNAP_M;
    const rounded = (metres: number) => Math.round(metres / snap) * snap;
    part.by.set(rounded(at.x - from.x), rounded(at.y - from.y), 0);
    part.draw();
  }
  // Before the camera's own listener on the canvas.
  stage.element.addEventListener(
    'pointerdown',
    (event) => {
      if (!isShown() || event.button !== 0 || event.target !== canvas) return;
      const [pick, now] = [pickNear(parts, event), cell()];
      if (!pick || !now) return;
      event.stopPropagation();
      canvas.setPointerCapture(event.pointerId);
      from = pick.at;
      plane.constant = -from.z;
      part.start({ ...pick, end: beamEnd(now, pick.name, from) });
      onSelect(pick.name);
    },
    { capture: true },
  );
  canvas.addEventListener('pointermove', follow);
  canvas.addEventListener('pointerup', () => part.finish(part.by.length() > MOVED_M));
  canvas.addEventListener('pointercancel', () => part.finish(false));
}

/** Moves parts by arrow keys on their rows: 1 mm along x and y, 10 mm with Shift. */
function moveByKeys(parts: DragParts) {
  const part = partUnderWay(parts);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (name: string, { key, shiftKey }: KeyboardEvent): boolean => {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      key
    ];
    const now = parts.cell();
    const moving = now && partOf(now, name);
    const isObject = now?.objects?.some((object) => object.name === name) ?? false;
    const hasPlace = moving && Object.keys(movedPart(moving, part.by)).length > 0;
    if (!way || !(isObject || hasPlace)) return false;
    if (part.name() !== name) {
      part.finish(true);
      const isFixture = now!.fixtures?.includes(moving as never);
      const kind = isObject ? 'object' : isFixture ? 'fixture' : 'device';
      part.start({ kind, name, end: null });
    }
    const step = shiftKey ? COARSE_SNAP_M : SNAP_M;
    part.by.add(new Vector3(way[0], way[1], 0).multiplyScalar(step));
    part.draw();
    clearTimeout(timer);
    timer = setTimeout(() => part.finish(part.by.length() > 0), KEYS_END_MS);
    return true;
  };
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
