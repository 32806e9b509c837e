/**
 * Entry point of a page exported to one file: the Paths page with the document embedded in the
 * file. It makes no network requests.
 */
import {
  DOCUMENT_ID,
  type ExportDocument,
  type RecordedRemark,
  type RecordingDocument,
  type RecordingReport,
} from '../../contract/export-document.ts';
import { createArmCalls } from '../link/arm-calls.ts';
import { ArmStore } from '../link/arm-store.ts';
import { Commands } from '../link/commands.ts';
import { createPathsPage } from '../pages/paths/paths-page.tsx';
import { CellLayer, type CellSource } from '../scene/cell-layer.ts';
import type { Theme } from '../scene/palette.ts';
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
import { button, element, setAttribute } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { cursorText } from '../ui/value-text.ts';
import { cellAtStart } from './cell-at-start.ts';

/** The picture for paper follows the cursor after this pause. */
const PICTURE_MS = 400;

const LEGEND = 'In the scene, solid: the run; grey: its plan at the same point of the path.';
const NO_PLAN = noDeviation('A recording has no plan beside it; the report of a run has.');

/** The events of a recording; a click moves the time cursor, the last one before it is marked. */
function createEventList(store: ToolpathStore, remarks: readonly RecordedRemark[]): HTMLElement {
  const rows = remarks.map(({ at_s, kind, words }) => {
    const item = button(
      { class: 'remark', 'data-kind': kind },
      () => {
        store.set({ playing: false });
        store.seek(at_s);
      },
      element('time', {}, cursorText(at_s)),
      element('span', {}, words),
    );
    return { at_s, element: element('li', {}, item) };
  });
  const list = element('ol', {}, ...rows.map((row) => row.element));
  const box = element(
    'section',
    { class: 'program remarks', 'aria-label': 'Events' },
    element('header', { class: 'section-head' }, element('h2', {}, 'Events')),
    list,
  );
  let current: (typeof rows)[number] | undefined;
  store.whole.subscribe(({ cursor_s, playing }) => {
    const last = rows.findLast(({ at_s }) => at_s <= cursor_s + 1e-9);
    if (last === current) return;
    if (current) setAttribute(current.element, 'aria-current', undefined);
    if (last) setAttribute(last.element, 'aria-current', 'true');
    current = last;
    // A report above the events stays in view until the user plays on.
    if (last && playing) scrollTo(box, last.element);
  });
  return box;
}

/** Scrolls a box, and nothing around it, until an element is in view. */
function scrollTo(box: HTMLElement, target: HTMLElement): void {
  const [whole, part] = [box.getBoundingClientRect(), target.getBoundingClientRect()];
  box.scrollTop += Math.max(part.bottom - whole.bottom, 0) - Math.max(whole.top - part.top, 0);
}

/** What a report says beside the recording, for the screen and for paper. */
function createReport({ verdict, facts, findings, planned }: RecordingReport): HTMLElement {
  const rows = facts.map(([name, value]) =>
    element('div', { class: 'fact' }, element('dt', {}, name), element('dd', {}, value)),
  );
  const found = findings.map((text) => element('li', {}, text));
  return element(
    'section',
    { class: 'report', 'aria-label': 'Report' },
    element('header', { class: 'section-head' }, element('h2', {}, 'Report')),
    element('p', { class: 'report-verdict' }, verdict),
    ...(planned === null ? [] : [element('p', { class: 'report-legend sub wrap' }, LEGEND)]),
    element('dl', {}, ...rows),
    element('h3', {}, 'Findings'),
    found.length > 0 ? element('ul', {}, ...found) : element('p', {}, 'None.'),
  );
}

/** Keeps a picture of the scene for paper: browsers print a canvas of the GPU empty. */
function keepPicture(store: ToolpathStore): HTMLImageElement {
  const picture = element('img', { class: 'report-picture', alt: 'The arm at the time cursor' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = async (): Promise<void> => {
    const blob = await stage.screenshot();
    if (!blob) return;
    URL.revokeObjectURL(picture.src);
    picture.src = URL.createObjectURL(blob);
  };
  store.whole.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void take(), PICTURE_MS);
  });
  timer = setTimeout(() => void take(), PICTURE_MS);
  return picture;
}

const documentText = document.getElementById(DOCUMENT_ID)?.textContent ?? 'null';
const shown = JSON.parse(documentText) as ExportDocument | null;
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

/** Shows the solid arm and the cell of a recording. */
function showRecordedCell({ cell }: RecordingDocument): CellLayer | null {
  store.set({ link: 'live' });
  toolpaths.set({ layers: { ...toolpaths.view().layers, ghost: false } });
  if (cell.length === 0) return null;
  const cellAt = createCellAt(cell);
  return showCell(() => cellAt(toolpaths.view().cursor_s));
}

/** Draws a cell around the arm. */
function showCell(cell: CellSource['cell']): CellLayer {
  const layer = new CellLayer({
    cell,
    pace: () => 0,
    arm: stage.arm,
    redraw: () => stage.requestRender(),
    onCell: () => stage.frame(),
    isSlow: () => true,
  });
  stage.element.append(layer.labels);
  stage.setOverlay(layer, true);
  return layer;
}

let theme = findTheme();
/** Whether the user has chosen the theme, which the system then no longer changes. */
let chosen = false;
followTheme((next) => chosen || applyTheme(next));
function applyTheme(next: Theme): void {
  theme = next;
  document.documentElement.dataset['theme'] = theme;
  stage.setTheme(theme);
}

const title = element('h1', { class: 'title' }, shown?.name ?? 'No document');
const maker = element('span', { class: 'export-maker' }, shown?.made_by ?? '');
const themeButton = button(
  { class: 'tool', 'aria-label': 'Theme', title: 'Theme' },
  () => {
    chosen = true;
    applyTheme(theme === 'light' ? 'dark' : 'light');
  },
  icon('moon'),
);
const scene = element('main', { class: 'scene', 'aria-label': 'Arm' }, stage.element);
const frame = element(
  'div',
  { class: 'page', 'data-page': 'paths' },
  element('header', { class: 'top-bar export-bar' }, icon('logo'), title, maker, themeButton),
  scene,
);
let page: Page | null = null;
let cell: CellLayer | null = null;

/** Puts the report above the events, with the plan in the scene and a button that prints. */
function showReport(report: RecordingReport, recording: RecordingDocument, events: HTMLElement) {
  events.prepend(createReport(report));
  events.classList.add('has-report');
  frame.append(keepPicture(toolpaths));
  themeButton.before(button({ class: 'plain' }, () => print(), icon('page'), 'Print the report'));
  void showPlan(toolpaths, { planned: report.planned, recording });
}

async function start(): Promise<void> {
  document.getElementById('app')?.append(frame);
  applyTheme(theme);
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
      cell = showCell(() => atStart);
    }
    toolpaths.open(origin, shown.text);
  } else {
    toolpaths.showRecorded(origin, decodeRecording(shown));
    cell = showRecordedCell(shown);
    const events = createEventList(toolpaths, shown.remarks);
    frame.append(events);
    if (shown.report) showReport(shown.report, shown, events);
    else toolpaths.set({ runDeviation: NO_PLAN });
    toolpaths.seek(shown.opens_at_s ?? 0);
  }
}

exposeForTests(stage, store, {
  page: () => page?.drawn ?? null,
  cell: () => cell?.drawn() ?? null,
});
void start();
