/**
 * Entry point of a page exported to one file: the Paths page with the document embedded in the
 * file. It makes no network requests.
 */

import { signal } from '@preact/signals';
import {
  DOCUMENT_ID,
  type ExportDocument,
  type RecordingDocument,
} from '../../contract/export-document.ts';
import { createArmCalls } from '../link/arm-calls.ts';
import { ArmStore } from '../link/arm-store.ts';
import { Commands } from '../link/commands.ts';
import { createPathsPage } from '../pages/paths/paths-page.tsx';
import type { CellLayer } from '../scene/cell-layer.ts';
import { Stage } from '../scene/stage.ts';
import type { Page } from '../shell/page.ts';
import { findTheme, followTheme } from '../shell/theme.ts';
import { exposeForTests } from '../test-window.ts';
import { noDeviation } from '../toolpath/deviation.ts';
import { createCellAt } from '../toolpath/runs/recorded-cell.ts';
import { decodeRecording } from '../toolpath/runs/recording.ts';
import { showPlan } from '../toolpath/runs/run-plan.ts';
import { createTrajectoryPoint, sampleTimedPath } from '../toolpath/timed-path.ts';
import { ToolpathStore } from '../toolpath/toolpath-store.ts';
import { Button } from '../ui/buttons.tsx';
import { Icon } from '../ui/drawn-icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { drawn } from '../ui/mount.ts';
import { cellAtStart } from './cell-at-start.ts';
import { applyTheme, createLoneFrame, showCell } from './lone-page.tsx';
import { RecordedPanel } from './recorded-panel.tsx';

/** The picture for paper follows the cursor after this pause. */
const PICTURE_MS = 400;

const NO_PLAN = noDeviation('A recording has no plan beside it; the report of a run has.');

const documentText = document.getElementById(DOCUMENT_ID)?.textContent ?? 'null';
const shown = JSON.parse(documentText) as ExportDocument | null;
const report = shown?.kind === 'recording' ? shown.report : undefined;
const store = new ArmStore();
const calls = createArmCalls(location.origin, () => {});
const toolpaths = new ToolpathStore();
const point = createTrajectoryPoint();
/** The arm of a recording is where the cursor is; a toolpath is shown by its ghost alone. */
const stage = new Stage({
  pose() {
    const { path, cursor_s } = toolpaths.view();
    if (shown?.kind === 'recording' && path) sampleTimedPath(path, cursor_s, point);
    return { moving: false, joints: point.joints };
  },
  onFrame: () => {},
  onNoFrame: () => {},
});

/** Keeps a picture of the scene for paper: browsers print a canvas of the GPU empty. */
function keepPicture(): HTMLElement {
  const picture = new Image();
  Object.assign(picture, { className: 'report-picture', alt: 'The arm at the time cursor' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = async (): Promise<void> => {
    const blob = await stage.screenshot();
    if (!blob) return;
    URL.revokeObjectURL(picture.src);
    picture.src = URL.createObjectURL(blob);
  };
  toolpaths.whole.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void take(), PICTURE_MS);
  });
  return picture;
}

/** Shows the solid arm and the cell of a recording. */
function showRecordedCell({ cell }: RecordingDocument): CellLayer | null {
  store.set({ link: 'live' });
  toolpaths.set({ layers: { ...toolpaths.view().layers, ghost: false } });
  if (cell.length === 0) return null;
  const cellAt = createCellAt(cell);
  return showCell(stage, () => cellAt(toolpaths.view().cursor_s));
}

const theme = signal(findTheme());
/** Whether the user has chosen the theme, which the system then no longer changes. */
let chosen = false;
followTheme((next) => {
  if (!chosen) theme.value = next;
});
function changeTheme(): void {
  chosen = true;
  theme.value = theme.value === 'light' ? 'dark' : 'light';
}

const { frame, scene } = createLoneFrame(
  'paths',
  stage,
  <>
    <h1 class="title">{shown?.name ?? 'No document'}</h1>
    <span class="export-maker">{shown?.made_by}</span>
    {report && (
      <Button onClick={() => print()}>
        <Icon name="page" />
        Print the report
      </Button>
    )}
    <IconButton icon="moon" label="Theme" onClick={changeTheme} />
  </>,
);
let page: Page | null = null;
let cell: CellLayer | null = null;

async function start(): Promise<void> {
  document.getElementById('app')?.append(frame);
  theme.subscribe((next) => applyTheme(stage, next));
  stage.start();
  page = await createPathsPage(
    {
      store,
      calls,
      stage,
      frame,
      scene,
      commands: new Commands(store, calls),
      onPlace: () => undefined,
      signIn: { show: () => {} },
    },
    { store: toolpaths },
  );
  page.enter();
  // There is one document, and no list of others to fold out.
  frame.querySelector('.program-title')?.setAttribute('disabled', '');
  if (!shown) return;
  document.body.dataset['export'] = shown.kind;
  document.title = `${shown.name}, armtwin`;
  const origin = { name: shown.name, id: null };
  if (shown.kind === 'toolpath') {
    toolpaths.setArm({ profile: shown.profile ?? null, cell: shown.cell ?? null });
    if (shown.cell) {
      const atStart = cellAtStart(shown.cell);
      cell = showCell(stage, () => atStart);
    }
    toolpaths.open(origin, shown.text);
  } else {
    toolpaths.showRecorded(origin, decodeRecording(shown));
    cell = showRecordedCell(shown);
    frame.append(drawn(<RecordedPanel store={toolpaths} recording={shown} />));
    if (report) {
      frame.append(keepPicture());
      void showPlan(toolpaths, { planned: report.planned, recording: shown });
    } else toolpaths.set({ runDeviation: NO_PLAN });
    toolpaths.seek(shown.opens_at_s ?? 0);
  }
}

exposeForTests(stage, store, {
  page: () => page?.drawn ?? null,
  cell: () => cell?.drawn() ?? null,
});
void start();
