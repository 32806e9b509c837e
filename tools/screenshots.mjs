/**
 * `npm run generate screenshots`: takes a picture of every page in light and dark, of the cells of
 * the fixtures (`cells`), of the other arms at theirs (`arms`), of the steps of docs/tutorial.md (`tutorial`), and a moving one of the Live
 * page (`moving`), from the built program with sample data, into docs/images. Arguments name some. Check the pictures before committing them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from '@playwright/test';
import { takeMovingPicture } from './screenshots/moving-picture.mjs';
import { ensureBrowser } from './setup/browser.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { correctedToolpath } from './tutorial-blocks.mjs';

const TARGET = 'docs/images';
const TOKEN = 'screenshots-token';
/** JPEG quality: a third of the size without a visible difference. */
const QUALITY = 88;
const SIZE = { width: 1280, height: 800 };
/** Time until the plots of the first page are full (ms). */
const PLOTTED_MS = 9000;
/** Time until a page has loaded and drawn (ms). */
const STILL_MS = 3000;
/** Time until the clock shows the set pace after running at maximum pace (ms). */
const SETTLED_MS = 60_000;
/** Steps to a place of the path where the tool is between two cells of the grid. */
const STEPS_IN = 7;
/** Time that the browser has for anything (ms). */
const PATIENCE_MS = 300_000;
/** The part of the cell, and the height of its bottom face where it is carried (m). */
const PART = { object_name: 'part 1' };
const CARRIED_M = 0.15;
/** Time between two looks at the part (ms). */
const LOOK_MS = 100;
const FLAGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader'];

/** @typedef {import('../contract/client.ts').ArmClient} Arm */

/** The cells of the fixtures with their toolpaths. */
const CELLS = /** @type {const} */ ([
  ['trays', 'pick-and-place'],
  ['sorter', 'sorter'],
  ['assay', 'assay'],
]);
/** The arms beside the default one, each with a cell in fixtures/arms. */
const ARMS = ['viperx-300', 'widowx-250'];
/** Time from a grasp to the picture (ms). */
const LIFTED_MS = 1500;

/** Pages of which pictures are taken; all if none is named. */
const PAGES = process.argv.slice(2);

/**
 * Starts the built program; resolves with its address.
 * @param {string[]} flags
 */
async function startServer(flags = []) {
  const usual = ['--port', '0', '--token', TOKEN, '--driver', 'fast'];
  const args = ['dist/server/main.js', ...usual, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const part of child.stdout) {
    output += part;
    const url = /^armtwin ready (\S+)$/m.exec(output)?.[1];
    if (url) return { url, stop: () => child.kill('SIGTERM') };
  }
  throw new Error(`The program did not start:\n${output}`);
}

/**
 * A client of the built program.
 * @param {string} baseUrl
 */
async function armAt(baseUrl) {
  const { connect } = await import(new URL('../dist/contract/client.js', import.meta.url).href);
  return connect({ baseUrl, token: TOKEN });
}

/** @param {string} name */
const fixture = (name) => JSON.parse(readFileSync(`fixtures/${name}.json`, 'utf8'));

/**
 * Creates sample data: toolpaths, a workflow run, a cell and an arm that moves a part in it.
 * @param {Arm} arm
 */
async function createSampleData(arm) {
  const toolpath = fixture('toolpaths/pick-and-place');
  const { toolpath: saved } = await arm.createToolpath({ name: 'Pick and place', toolpath });
  await arm.createToolpath({ name: 'Sorter', toolpath: fixture('toolpaths/sorter') });
  await runAssay(arm);
  await arm.setCell(fixture('cells/trays'));
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.id });
  await arm.run({ mode: 'automatic', loop: 0 });
}

/**
 * Puts the part back, as a person would, once it rests in the other tray.
 * @param {Arm} arm
 */
async function putBack(arm) {
  const { object } = await arm.getCellObject(PART);
  if (object.at === 'B1' && object.status === 'resting') {
    await arm.moveCellObject(PART, { nest: 'A1' });
  }
}

/**
 * Waits until the part is on its way between the trays.
 * @param {Arm} arm
 * @param {import('@playwright/test').Page} page
 */
async function partIsCarried(arm, page) {
  for (let height_m = 0; height_m < CARRIED_M; ) {
    await page.waitForTimeout(LOOK_MS);
    ({ z: height_m } = (await arm.getCellObject(PART)).object.position);
  }
}

/**
 * Runs the assay of the fixtures at maximum pace, with a webhook receiver.
 * @param {Arm} arm
 */
async function runAssay(arm) {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (receiver.address());
  const text = JSON.stringify(fixture('workflows/assay'));
  const assay = text.replaceAll('127.0.0.1:9000', `127.0.0.1:${port}`);
  const { workflow } = await arm.createWorkflow(JSON.parse(assay));
  await arm.setClock({ pace: 'max' });
  const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
  for (let state = run.state; state !== 'stopped'; ) {
    ({ state } = (await arm.getRun({ run_id: run.id })).run);
  }
  await arm.setClock({ pace: 1 });
  for (let waiting = true; waiting; ) {
    const { deliveries } = await arm.listDeliveries();
    waiting = deliveries.some((delivery) => delivery.state === 'pending');
  }
  receiver.close();
}

/**
 * Takes one picture per page.
 * @param {import('@playwright/test').Page} page
 * @param {string} theme
 * @param {Arm} arm
 */
async function takeAll(page, theme, arm) {
  const rail = page.getByRole('navigation', { name: 'Pages' });
  for (const entry of await rail.locator('[data-page]:visible').all()) {
    const name = (await entry.getAttribute('data-page')) ?? '';
    if (PAGES.length > 0 && !PAGES.includes(name)) continue;
    await entry.click();
    await page.waitForTimeout(STILL_MS);
    if (name === 'paths' || name === 'teach') await open(page, 'Sorter');
    if (name === 'paths') await selectBranch(page);
    if (name === 'simulation') await open(page, 'Search');
    if (name === 'workflow') await open(page, 'Assay of three plates, run 1');
    await settle(page);
    if (name === 'live') await partIsCarried(arm, page);
    const path = `${TARGET}/${name}-${theme}.jpg`;
    await page.screenshot({ path, type: 'jpeg', quality: QUALITY });
    process.stderr.write(`${path}\n`);
  }
}

/**
 * Takes a picture of the scene in each cell, shortly after the first grasp.
 * @param {import('@playwright/test').Page} page
 * @param {Arm} arm
 */
async function takeCells(page, arm) {
  await page.locator('.rail [data-page="live"]').click();
  for (const [name, toolpath] of CELLS) {
    const files = { cell: `cells/${name}`, toolpath: `toolpaths/${toolpath}` };
    await takeCell(page, arm, { name: `cell-${name}`, ...files });
  }
}

/**
 * Takes a picture of the scene in a cell, shortly after the first grasp.
 * @param {import('@playwright/test').Page} page
 * @param {Arm} arm
 * @param {{ name: string, cell: string, toolpath: string }} files
 */
async function takeCell(page, arm, { name, cell, toolpath }) {
  await arm.resetTwin({ scopes: ['state'] });
  await arm.setCell(fixture(cell));
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name, toolpath: fixture(toolpath) });
  await arm.setClock({ pace: 'max' });
  await arm.home();
  while ((await arm.getSnapshot()).snapshot.control.state !== 'ready');
  await arm.setClock({ pace: 1 });
  await arm.run({ mode: 'automatic', loop: 1 });
  if (cell.endsWith('assay')) await arm.setCellControl({ control_name: 'start' }, { active: true });
  const isHeld = async () => (await arm.getCell()).state?.objects.some((one) => one.held_by);
  while (!(await isHeld())) await page.waitForTimeout(LOOK_MS);
  await page.waitForTimeout(LIFTED_MS);
  const path = `${TARGET}/${name}.jpg`;
  await page.locator('canvas').first().screenshot({ path, type: 'jpeg', quality: QUALITY });
  process.stderr.write(`${path}\n`);
}

/**
 * Takes a picture of each other arm, at its cell.
 * @param {import('@playwright/test').Browser} browser
 */
async function takeArms(browser) {
  for (const name of ARMS) {
    const server = await startServer(['--arm', name]);
    try {
      const arm = await armAt(server.url);
      const page = await newPage(browser, 'light');
      await page.goto(`${server.url}/#token=${TOKEN}`);
      await page.waitForTimeout(PLOTTED_MS);
      const [cell, toolpath] = [`arms/${name}/cell`, `arms/${name}/pick-and-place`];
      await takeCell(page, arm, { name: `arm-${name}`, cell, toolpath });
      await page.close();
    } finally {
      server.stop();
    }
  }
}

/**
 * Takes the pictures of docs/tutorial.md on a new twin: the start, and the toolpath.
 * @param {import('@playwright/test').Browser} browser
 */
async function takeTutorial(browser) {
  const server = await startServer();
  try {
    const arm = await armAt(server.url);
    const page = await newPage(browser, 'light');
    const take = async (/** @type {string} */ name) => {
      const path = `${TARGET}/tutorial-${name}.jpg`;
      await page.screenshot({ path, type: 'jpeg', quality: QUALITY });
      process.stderr.write(`${path}\n`);
    };
    await page.goto(`${server.url}/#token=${TOKEN}`);
    await page.waitForTimeout(PLOTTED_MS);
    await settle(page);
    await take('live');
    const toolpath = JSON.parse(correctedToolpath());
    await arm.createToolpath({ name: 'pick', toolpath });
    await page.locator('.rail [data-page="paths"]').click();
    await page.waitForTimeout(STILL_MS);
    await open(page, 'pick');
    await take('paths');
  } finally {
    server.stop();
  }
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} name of a list entry
 */
async function open(page, name) {
  const named = page.getByRole('button', { name, exact: true });
  const [first] = await named.filter({ visible: true }).all();
  await first?.click();
  await page.waitForTimeout(STILL_MS);
}

/**
 * Selects the branch for red parts and moves the cursor into a motion.
 * @param {import('@playwright/test').Page} page
 */
async function selectBranch(page) {
  await page
    .getByRole('treeitem', { name: /tool analog input 0/ })
    .first()
    .click();
  const time = page.getByRole('slider', { name: 'Time', exact: true });
  await time.focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < STEPS_IN; i++) await page.keyboard.press('Shift+ArrowRight');
  await time.blur();
  await page.waitForTimeout(STILL_MS);
}

/**
 * Waits until the clock shows the set pace, so that the picture does not show the load of the
 * machine.
 * @param {import('@playwright/test').Page} page
 */
async function settle(page) {
  const pace = page.getByText('1.00× real time').first();
  await pace.waitFor({ timeout: SETTLED_MS });
  await page
    .getByText(/set to/)
    .first()
    .waitFor({ state: 'hidden', timeout: SETTLED_MS });
}

/**
 * A page that has been visited before: the hints of a first visit would lie over the scene.
 * @param {import('@playwright/test').Browser} browser
 * @param {'light' | 'dark'} theme
 */
async function newPage(browser, theme) {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: theme });
  // Software graphics on a busy machine.
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(() =>
    localStorage.setItem('armtwin.preferences', '{"hintsShown":true}'),
  );
  return page;
}

async function main() {
  if (!(await ensureBuilt())) return 1;
  const found = await ensureBrowser();
  if ('reasons' in found) throw new Error(found.reasons.join('\n'));
  mkdirSync(TARGET, { recursive: true });
  const browser = await chromium.launch({ executablePath: found.path, args: FLAGS });
  if (PAGES.length === 0 || PAGES.includes('tutorial')) await takeTutorial(browser);
  if (PAGES.length === 0 || PAGES.includes('arms')) await takeArms(browser);
  if (['tutorial', 'arms'].includes(PAGES.join())) {
    await browser.close();
    return 0;
  }
  const server = await startServer();
  try {
    const arm = await armAt(server.url);
    await createSampleData(arm);
    const refill = setInterval(() => void putBack(arm), LOOK_MS);
    for (const theme of /** @type {const} */ (['light', 'dark'])) {
      const page = await newPage(browser, theme);
      await page.goto(`${server.url}/#token=${TOKEN}`);
      await page.waitForTimeout(PLOTTED_MS);
      // The page that appears last, because it needs a reply of the twin.
      await page.locator('.rail [data-page="simulation"]').waitFor();
      await takeAll(page, theme, arm);
      if (theme === 'light' && (PAGES.length === 0 || PAGES.includes('moving'))) {
        await page.locator('.rail [data-page="live"]').click();
        await settle(page);
        await takeMovingPicture({ browser, page, arm, path: `${TARGET}/live.webp` });
      }
      await page.close();
    }
    clearInterval(refill);
    if (PAGES.length === 0 || PAGES.includes('cells')) {
      const page = await newPage(browser, 'light');
      await page.goto(`${server.url}/#token=${TOKEN}`);
      await page.waitForTimeout(PLOTTED_MS);
      await takeCells(page, arm);
    }
  } finally {
    await browser.close();
    server.stop();
  }
  return 0;
}

process.exitCode = await main();
