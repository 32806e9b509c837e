/**
 * Exported one-file pages, created by the command line and by the button of the page: opened from
 * disk without a network, they show the plan or the recording.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect as baseExpect, type Page } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Cell, Toolpath } from '../contract/types.generated.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { drop, ghost, open } from './plan-page.ts';
import { startServer, test } from './server.ts';

const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
const SORTER = fileURLToPath(new URL('../fixtures/toolpaths/sorter.json', import.meta.url));
const PICK_AND_PLACE = fileURLToPath(
  new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url),
);
const CELL = fileURLToPath(new URL('../fixtures/cells/trays.json', import.meta.url));

type Drawing = typeof globalThis & { readonly armtwin: ArmWindow };

/** Tolerance between ghost and arm (rad); recordings contain 32-bit floats. */
const CLOSE_RAD = 1e-4;
/** Software rendering is slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 30_000 });

test.use({ viewport: { width: 900, height: 640 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'armtwin-export-'));
test.afterAll(() => rmSync(folder, { recursive: true }));

function runCommand(...args: string[]): string {
  return execFileSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

/** Opens a page from disk without a network; collects its requests and console errors. */
async function openFromDisk(page: Page, file: string) {
  const observed = { requests: [] as string[], consoleErrors: [] as string[] };
  await page.route(/^(https?|wss?):/, (route) => {
    observed.requests.push(route.request().url());
    return route.abort('internetdisconnected');
  });
  page.on('console', (message) => {
    if (message.type() === 'error') observed.consoleErrors.push(message.text());
  });
  page.on('pageerror', ({ message }) => observed.consoleErrors.push(message));
  await page.goto(pathToFileURL(file).href);
  await expect(page.getByRole('button', { name: 'Play (Space)' })).toBeEnabled();
  return observed;
}

async function ghostError(page: Page, expected: readonly number[]): Promise<number> {
  const drawn = await ghost(page);
  if (!drawn) return Number.POSITIVE_INFINITY;
  return Math.max(...expected.map((angle, joint) => Math.abs(angle - drawn[joint]!)));
}

async function press(page: Page, key: string): Promise<void> {
  await page.locator('.timeline-sheet').focus();
  await page.keyboard.press(key);
}

test('a planned toolpath opens from disk, scrubs, and cannot inject a script', async ({ page }) => {
  const toolpath = JSON.parse(readFileSync(SORTER, 'utf8')) as Toolpath;
  const name = `</script><script>document.title='run'</script>`;
  toolpath.metadata.avoidance_zones![0]!.name = name;
  const [source, target] = [join(folder, 'sorter.json'), join(folder, 'sorter.html')];
  writeFileSync(source, JSON.stringify(toolpath));
  runCommand('plan', source, '--html', target);
  const observed = await openFromDisk(page, target);
  await expect(page).toHaveTitle('sorter, armtwin');
  await expect(page.getByText(name).first()).toBeVisible();
  await expect(page.getByText('13.97').or(page.getByText('0:13.97')).first()).toBeVisible();
  const home = toolpath.waypoints[0]!.joints;
  await press(page, 'End');
  await expect.poll(() => ghostError(page, home)).toBeLessThan(CLOSE_RAD);
  await press(page, 'Shift+ArrowLeft');
  await expect.poll(() => ghostError(page, home)).toBeGreaterThan(0.05);
  expect(observed).toEqual({ requests: [], consoleErrors: [] });
});

test('a rehearsal shows names of markup and script as text, and runs none', async ({ page }) => {
  const part = '</script><script>window.hostile=1</script>';
  const nest = '<img src=x onerror=window.hostile=1>';
  const text = readFileSync(CELL, 'utf8').replaceAll('"part 1"', JSON.stringify(part));
  const [cell, target] = [join(folder, 'cell.json'), join(folder, 'rehearsal.html')];
  writeFileSync(cell, text.replaceAll('"A1"', JSON.stringify(nest)));
  runCommand('rehearse', PICK_AND_PLACE, '--cell', cell, '--html', target);
  const observed = await openFromDisk(page, target);
  await expect(page.getByText(`gripper grasped ${part} at ${nest}`)).toBeVisible();
  expect(await page.evaluate(() => 'hostile' in globalThis)).toBe(false);
  expect(observed).toEqual({ requests: [], consoleErrors: [] });
});

/** The names of the buttons that a user can see and press. */
function buttonNames(page: Page): Promise<string[]> {
  return page
    .getByRole('button')
    .and(page.locator(':visible:not([disabled])'))
    .evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''),
    );
}

test('a rehearsal that fails opens at the failure, and offers only what a file can do', async ({
  page,
}) => {
  const trays = JSON.parse(readFileSync(CELL, 'utf8')) as Cell;
  const boxes = [{ size_m: { x: 0.3, y: 0.01, z: 0.25 } }];
  const wall = { name: 'wall', position: { x: 0.42, y: -0.1, z: 0.05 }, boxes };
  const [cell, target] = [join(folder, 'walled.json'), join(folder, 'walled.html')];
  writeFileSync(cell, JSON.stringify({ ...trays, fixtures: [...trays.fixtures!, wall] }));
  expect(() => runCommand('rehearse', PICK_AND_PLACE, '--cell', cell, '--html', target)).toThrow();
  const observed = await openFromDisk(page, target);
  await expect(page.getByText(/^not as expected, /)).toBeVisible();
  const current = page.locator('.remarks [aria-current]');
  await expect(current).toHaveText(/tool touched wall with \d+\.\d N$/);
  const at_s = Number(await page.locator('.timeline-sheet').getAttribute('aria-valuenow'));
  expect(await current.locator('time').textContent()).toContain(at_s.toFixed(2));
  // Nothing is recorded of the way to the home before, nor of the time after.
  const whole_s = Number(await page.locator('.timeline-sheet').getAttribute('aria-valuemax'));
  expect(whole_s - at_s).toBeLessThan(2);
  expect(at_s).toBeLessThan(1);
  const names = await buttonNames(page);
  for (const absent of [/Load|Save|Export|Download|Sign in|Deviation|Compare|Open/]) {
    expect(names.filter((name) => absent.test(name))).toEqual([]);
  }
  expect(observed).toEqual({ requests: [], consoleErrors: [] });
});

/** Largest difference between the solid arm and the expected angles (rad). */
async function armError(page: Page, expected: readonly number[]): Promise<number> {
  const drawn = await page.evaluate(() => (globalThis as Drawing).armtwin.joints());
  return Math.max(...expected.map((angle, joint) => Math.abs(angle - drawn[joint]!)));
}

const drawnCell = (page: Page) => page.evaluate(() => (globalThis as Drawing).armtwin.cell());

test('a recording opens from disk and ends at the final pose of the arm', async ({ page }) => {
  const [recording, target] = [join(folder, 'run.tape'), join(folder, 'run.html')];
  const server = await startServer([
    ...['--driver', 'fast', '--clock', '20', '--record', recording],
    ...['--cell', CELL],
  ]);
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const goal = [0.4, 0.3, -0.2, 0.1, -0.3, 0.2] as const;
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [...goal] });
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.control.state).toBe('ready');
  await server.stop();
  expect(runCommand('replay', recording, '--html', target)).toMatch(/^equal/);
  const observed = await openFromDisk(page, target);
  await expect.poll(() => armError(page, [0, 0, 0, 0, 0, 0])).toBeLessThan(0.05);
  await expect(page.getByRole('button', { name: /ready → running/ })).toBeVisible();
  expect(await drawnCell(page)).toMatchObject({
    objects: [{ name: 'part 1' }, { name: 'tube 1' }],
  });
  await press(page, 'End');
  await expect.poll(() => armError(page, goal)).toBeLessThan(CLOSE_RAD);
  await page.getByRole('button', { name: /ready → running/ }).click();
  await expect.poll(() => armError(page, goal)).toBeGreaterThan(0.1);
  expect(observed).toEqual({ requests: [], consoleErrors: [] });
});

test('the button of the Paths page creates the same page as the command line', async ({
  page,
  server,
}) => {
  await open(page, server.baseUrl);
  await drop(page, 'sorter.json', readFileSync(SORTER, 'utf8'));
  const button = page.getByRole('button', { name: 'Export as a page' });
  await expect(button).toBeEnabled();
  const download = page.waitForEvent('download');
  await button.click();
  const target = join(folder, 'by-button.html');
  await (await download).saveAs(target);
  runCommand('plan', SORTER, '--html', join(folder, 'by-command.html'));
  const strip = (file: string) =>
    readFileSync(join(folder, file), 'utf8').replace(
      /(application\/json" id="[^"]+">).*?</s,
      '$1<',
    );
  expect(strip('by-button.html')).toBe(strip('by-command.html'));
  const text = /application\/json" id="[^"]+">(.*?)</s.exec(readFileSync(target, 'utf8'))![1]!;
  const document = JSON.parse(text) as { name: string; text: string };
  expect(document.name).toBe('sorter');
  expect(JSON.parse(document.text)).toMatchObject({ metadata: { version: 2 } });
});
