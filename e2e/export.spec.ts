/**
 * Pages of one file: made by the command line and by the page's own button, opened from disk with
 * no network at all, they show what was planned or recorded.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect as impatientExpect, type Page } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.ts';
import { drop, ghost, open } from './plan-page.ts';
import { startServer, test } from './server.ts';

const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
const SORTER = fileURLToPath(new URL('../fixtures/toolpaths/sorter.json', import.meta.url));
/** The page's ghost and the arm may differ by this much: recordings hold 32-bit floats (rad). */
const CLOSE_RAD = 1e-4;
/** Drawing without a graphics card takes long on a busy machine. */
const expect = impatientExpect.configure({ timeout: 30_000 });

test.use({ viewport: { width: 900, height: 640 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'armtwin-export-'));
test.afterAll(() => rmSync(folder, { recursive: true }));

function verb(...args: string[]): string {
  return execFileSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

/** Opens a page from disk without any network; collects what it asks for and complains of. */
async function openFromDisk(page: Page, file: string) {
  const heard = { asked: [] as string[], complaints: [] as string[] };
  await page.route(/^(https?|wss?):/, (route) => {
    heard.asked.push(route.request().url());
    return route.abort('internetdisconnected');
  });
  page.on('console', (message) => {
    if (message.type() === 'error') heard.complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => heard.complaints.push(message));
  await page.goto(pathToFileURL(file).href);
  await expect(page.getByRole('button', { name: 'Play (Space)' })).toBeEnabled();
  return heard;
}

async function apart(page: Page, wanted: readonly number[]): Promise<number> {
  const drawn = await ghost(page);
  if (!drawn) return Number.POSITIVE_INFINITY;
  return Math.max(...wanted.map((angle, joint) => Math.abs(angle - drawn[joint]!)));
}

async function press(page: Page, key: string): Promise<void> {
  await page.locator('.timeline-sheet').focus();
  await page.keyboard.press(key);
}

test('a planned toolpath opens from disk, scrubs, and cannot be made to run a script', async ({
  page,
}) => {
  const toolpath = JSON.parse(readFileSync(SORTER, 'utf8')) as Toolpath;
  const name = `</script><script>document.title='run'</script>`;
  toolpath.metadata.avoidance_zones![0]!.name = name;
  const [source, target] = [join(folder, 'sorter.json'), join(folder, 'sorter.html')];
  writeFileSync(source, JSON.stringify(toolpath));
  verb('plan', source, '--html', target);
  const heard = await openFromDisk(page, target);
  await expect(page).toHaveTitle('sorter, armtwin');
  await expect(page.getByText(name).first()).toBeVisible();
  await expect(page.getByText('13.97').or(page.getByText('0:13.97')).first()).toBeVisible();
  const home = toolpath.waypoints[0]!.joints;
  await press(page, 'End');
  await expect.poll(() => apart(page, home)).toBeLessThan(CLOSE_RAD);
  await press(page, 'Shift+ArrowLeft');
  await expect.poll(() => apart(page, home)).toBeGreaterThan(0.05);
  expect(heard).toEqual({ asked: [], complaints: [] });
});

test('a recording opens from disk and ends where the arm ended', async ({ page }) => {
  const [tape, target] = [join(folder, 'run.tape'), join(folder, 'run.html')];
  const server = await startServer(['--driver', 'fast', '--clock', '20', '--record', tape]);
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const goal = [0.4, 0.3, -0.2, 0.1, -0.3, 0.2] as const;
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [...goal] });
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.control.state).toBe('ready');
  await server.stop();
  expect(verb('replay', tape, '--html', target)).toMatch(/^equal/);
  const heard = await openFromDisk(page, target);
  await expect.poll(() => apart(page, [0, 0, 0, 0, 0, 0])).toBeLessThan(0.05);
  await expect(page.getByRole('button', { name: /ready → running/ })).toBeVisible();
  await press(page, 'End');
  await expect.poll(() => apart(page, goal)).toBeLessThan(CLOSE_RAD);
  await page.getByRole('button', { name: /ready → running/ }).click();
  await expect.poll(() => apart(page, goal)).toBeGreaterThan(0.1);
  expect(heard).toEqual({ asked: [], complaints: [] });
});

test('the button of the Toolpaths page makes the same page', async ({ page, server }) => {
  await open(page, server.baseUrl);
  await drop(page, 'sorter.json', readFileSync(SORTER, 'utf8'));
  const button = page.getByRole('button', { name: 'Export as a page' });
  await expect(button).toBeEnabled();
  const download = page.waitForEvent('download');
  await button.click();
  const target = join(folder, 'by-button.html');
  await (await download).saveAs(target);
  verb('plan', SORTER, '--html', join(folder, 'by-verb.html'));
  const strip = (file: string) =>
    readFileSync(join(folder, file), 'utf8').replace(
      /(application\/json" id="[^"]+">).*?</s,
      '$1<',
    );
  expect(strip('by-button.html')).toBe(strip('by-verb.html'));
  const text = /application\/json" id="[^"]+">(.*?)</s.exec(readFileSync(target, 'utf8'))![1]!;
  const carried = JSON.parse(text) as { name: string; text: string };
  expect(carried.name).toBe('sorter');
  expect(JSON.parse(carried.text)).toMatchObject({ metadata: { version: 2 } });
});
