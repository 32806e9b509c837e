/**
 * The entry of a page exported to one file: the Toolpaths page on the document that the file
 * carries. It knows no arm and asks no server.
 */

import { DOCUMENT_ID, type ExportDocument } from '../../contract/export-document.ts';
import { createArmCalls } from '../link/arm-calls.ts';
import { createArmStore } from '../link/arm-store.ts';
import { createCommands } from '../link/commands.ts';
import type { Page } from '../pages/page.ts';
import { createToolpathsPage } from '../pages/toolpaths-page.ts';
import { button, element } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { findTheme } from '../panels/rail.ts';
import type { Theme } from '../scene/palette.ts';
import { createStage } from '../scene/stage.ts';
import { exposeForTests } from '../test-window.ts';
import { ToolpathStore } from '../toolpath/toolpath-store.ts';
import { recordingOf } from './recording.ts';
import { createRemarks } from './remarks.ts';

const carried = document.getElementById(DOCUMENT_ID)?.textContent ?? 'null';
const shown = JSON.parse(carried) as ExportDocument | null;
const store = createArmStore();
const calls = createArmCalls(location.origin, () => {});
const toolpaths = new ToolpathStore();
const joints = new Float64Array(6);
const stage = createStage({ pose: () => ({ moving: false, joints }), drawn: () => {} });

let theme = findTheme();
function applyTheme(next: Theme): void {
  theme = next;
  document.documentElement.dataset['theme'] = theme;
  stage.setTheme(theme);
}

const title = element('h1', { class: 'title' }, shown?.name ?? 'Nothing to show');
const maker = element('span', { class: 'export-maker' }, shown?.made_by ?? '');
const lamp = button(
  { class: 'tool', 'aria-label': 'Theme', title: 'Theme' },
  () => applyTheme(theme === 'light' ? 'dark' : 'light'),
  icon('moon'),
);
const scene = element('main', { class: 'scene', 'aria-label': 'Arm' }, stage.element);
const frame = element(
  'div',
  { class: 'page', 'data-page': 'paths' },
  element('header', { class: 'top-bar export-bar' }, icon('logo'), title, maker, lamp),
  scene,
);
let page: Page | null = null;

async function begin(): Promise<void> {
  document.getElementById('app')?.append(frame);
  applyTheme(theme);
  stage.start();
  page = await createToolpathsPage(
    {
      ...{ store, calls, stage, frame, scene },
      commands: createCommands(store, calls),
      signIn: { show: () => {} },
    },
    toolpaths,
  );
  page.enter();
  if (!shown) return;
  document.title = `${shown.name}, armtwin`;
  const origin = { name: shown.name, id: null };
  if (shown.kind === 'toolpath') toolpaths.open(origin, shown.text);
  else {
    toolpaths.show(origin, recordingOf(shown));
    frame.append(createRemarks(toolpaths, shown.remarks));
  }
}

exposeForTests(stage, store, () => page?.drawn ?? null);
void begin();
