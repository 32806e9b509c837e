/**
 * The second page of the demo: the Teach page without an arm. The toolpath of a sample is edited and
 * planned in this tab, and checked against the sample's cell. It calls no arm.
 */
import type { Cell } from '../../contract/types.generated.ts';
import { applyTheme, createLoneFrame, showCell } from '../export/lone-page.tsx';
import { createArmCalls } from '../link/arm-calls.ts';
import { ArmStore } from '../link/arm-store.ts';
import type { SimView } from '../link/arm-view.ts';
import { cellOf } from '../link/cell-merge.ts';
import type { CellView } from '../link/cell-view.ts';
import { Commands } from '../link/commands.ts';
import { createTeachPage } from '../pages/teach/teach-page.tsx';
import type { Theme } from '../scene/palette.ts';
import { Stage } from '../scene/stage.ts';
import { findTheme, followTheme } from '../shell/theme.ts';
import { exposeForTests } from '../test-window.ts';
import { addDemoBar } from './demo-bar.tsx';

/** The pose of the arm at a start. */
const UPRIGHT = new Float64Array(6);
const SAMPLE = {
  toolpath: new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url),
  cell: new URL('../../fixtures/cells/trays.json', import.meta.url),
};
/** What a twin with the cell, and nothing else, would say. */
const stillWith = (cell: CellView): SimView => ({
  clock: { tick: 0, now_s: 0, date: '', pace: 'stepped', paused: true, real_time_factor: 0 },
  status: null,
  faults: [],
  contacts: null,
  lockLeft_s: null,
  lockHolder: null,
  touches: [],
  obstacles: null,
  cell,
  isCellKnown: true,
  cellCheck: null,
  profile: null,
  jointRange: null,
  modified: null,
  log: [],
});

const store = new ArmStore();
const calls = createArmCalls(location.origin, () => {});
const stage = new Stage({
  pose: () => ({ moving: false, joints: UPRIGHT }),
  onFrame: () => {},
  onNoFrame: () => {},
});

const { frame, scene } = createLoneFrame('teach', stage, <h1 class="title">Pick and place</h1>);

async function start(): Promise<void> {
  document.getElementById('app')?.append(frame);
  addDemoBar();
  const paint = (theme: Theme) => applyTheme(stage, theme);
  followTheme(paint);
  paint(findTheme());
  stage.start();
  const [toolpath, description] = await Promise.all([
    fetch(SAMPLE.toolpath).then((reply) => reply.text()),
    fetch(SAMPLE.cell).then((reply) => reply.json() as Promise<Cell>),
  ]);
  const known = cellOf(description, null);
  store.set({ sim: stillWith(known) });
  const commands = new Commands(store, calls);
  const onPlace = () => undefined;
  const page = await createTeachPage({ store, calls, stage, frame, scene, commands, onPlace });
  page.enter();
  page.openFile?.('Pick and place', toolpath);
  const cell = showCell(stage, () => known);
  exposeForTests(stage, store, { page: () => page.drawn ?? null, cell: () => cell.drawn() });
}

void start();
