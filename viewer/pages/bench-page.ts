/**
 * The Bench page: the hand on the twin. Clock, hand, inputs, faults, obstacles, kept states and
 * tape beside the scene; log and journal on its other side. Only an admin of a twin has it, and it
 * comes in a chunk of its own.
 */
import { createBenchCalls } from '../bench/bench-calls.ts';
import type { BenchPanel } from '../bench/bench-panel.ts';
import { createClockPanel } from '../bench/clock-panel.ts';
import { createFaultsPanel } from '../bench/faults-panel.ts';
import { createHandPanel } from '../bench/hand-panel.ts';
import { createInputsPanel } from '../bench/inputs-panel.ts';
import { createJournalPanel } from '../bench/journal-panel.ts';
import { createObstaclesPanel, type ObstaclesPanel } from '../bench/obstacles-panel.ts';
import { createRecordingPanel } from '../bench/recording-panel.ts';
import { createResetPanel, createStatesPanel } from '../bench/states-panel.ts';
import { createTwinLogPanel } from '../bench/twin-log-panel.ts';
import { element } from '../panels/element.ts';
import type { Stage } from '../scene/stage.ts';
import type { BenchLayers } from '../test-window.ts';
import { loadStyles, type Page, type PageParts } from './page.ts';

const STYLES = [new URL('../styles/bench.css', import.meta.url)];
const REFRESH_MS = 50;
const ASK_MS = 1000;
/** A press that moves less than this is a click, not a turn of the view. */
const STILL_PX = 4;

/** A click on the ground puts an obstacle there while the panel waits for one. */
function placeByClick(stage: Stage, obstacles: ObstaclesPanel, here: () => boolean): void {
  let pressed: readonly [number, number] = [0, 0];
  stage.canvas.addEventListener('pointerdown', ({ clientX, clientY }) => {
    pressed = [clientX, clientY];
  });
  stage.canvas.addEventListener('click', (event) => {
    if (!here() || !obstacles.placing()) return;
    const moved = Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]);
    const at = moved < STILL_PX ? stage.groundUnder(event) : null;
    if (at) obstacles.placeAt(at.x, at.y);
  });
}

/** Panels brought up to date at most 20 times a second while the page is shown. */
function follow({ store }: PageParts, panels: readonly BenchPanel[], here: () => boolean) {
  let due = false;
  function refresh(): void {
    due = false;
    const view = store.view();
    for (const panel of panels) panel.update(view);
  }
  store.subscribe(() => {
    if (due || !here()) return;
    due = true;
    setTimeout(() => requestAnimationFrame(refresh), REFRESH_MS);
  });
  return refresh;
}

/** Builds the page into the frame; nothing shows before `enter`. */
export async function createBenchPage(parts: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const { store, calls, stage, frame, collision } = parts;
  const bench = { calls: createBenchCalls(store, calls), view: () => store.view() };
  const obstacles = createObstaclesPanel(bench);
  const acting = [
    createClockPanel(bench),
    createHandPanel(bench),
    createFaultsPanel(bench),
    obstacles,
    createInputsPanel(bench),
    createStatesPanel(bench),
    createRecordingPanel(bench),
    createResetPanel(bench),
  ];
  const telling = [createTwinLogPanel(), createJournalPanel(bench)];
  const column = (name: string, words: string, panels: readonly BenchPanel[]) =>
    element(
      'div',
      { class: name, 'aria-label': words, role: 'region' },
      ...panels.map((p) => p.element),
    );
  frame.append(
    column('bench', 'Bench', acting),
    column('bench-records inspector-drawer', 'Log and journal', telling),
  );
  let here = false;
  const panels = [...acting, ...telling];
  const refresh = follow(parts, panels, () => here);
  placeByClick(stage, obstacles, () => here);
  async function ask(): Promise<void> {
    if (!here || document.hidden || store.view().link !== 'live') return;
    await Promise.all(panels.map((panel) => panel.refresh?.()));
  }
  setInterval(() => void ask(), ASK_MS);
  return {
    drawn: { collision: () => collision.layer() } satisfies BenchLayers,
    enter() {
      here = true;
      refresh();
      void ask();
    },
    leave() {
      here = false;
    },
  };
}
