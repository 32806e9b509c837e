/**
 * The Live page against the built program: the drawn pose follows the robot, commands reach the
 * robot, and a lost connection is shown. Angles are read back from the drawn objects.
 */
import { readFileSync } from 'node:fs';
import { type BrowserContext, expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { TURN_RAD, turn } from './drawn-link.ts';
import { type Server, startServer, test } from './server.ts';

const PATH = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
/** Tolerance of the drawn angles at rest: about a thousandth of a degree. */
const CLOSE_RAD = 2e-5;
const RUN_MS = 45_000;
/** Pace of the clock when a test waits for the end of a motion. */
const FAST_PACE = 16;
const VIEWPORT = { width: 760, height: 480 };

/** Software rendering is slow on a busy machine. */
const EXPECT_TIMEOUT_MS = 20_000;
const expect = baseExpect.configure({ timeout: EXPECT_TIMEOUT_MS });

test.use({ viewport: VIEWPORT, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

let server: Server;
let arm: ArmClient;
/** Open over all tests but those that need a fresh page: software rendering starts slowly. */
let context: BrowserContext;
let page: Page;
/** What Live loads once the arm shows: the parts around it, and the sheet that these load. */
const AROUND_LIVE = ['around-live', 'explain'];
let firstVisit: Visit = { untilShown_bytes: 0, bytes: 0 };
const consoleErrors: string[] = [];

interface DrawingWindow {
  readonly armtwin: ArmWindow;
}

/** What the files of the page cost over the wire: until the arm shows, and with what comes after it. */
interface Visit {
  readonly untilShown_bytes: number;
  readonly bytes: number;
}

test.beforeAll(async ({ browser }) => {
  server = await startServer();
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  const saved = await arm.createToolpath({ name: 'Pick and place', toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.toolpath.id });
  await arm.releaseLock();
  context = await browser.newContext({ viewport: VIEWPORT });
  page = await context.newPage();
  collectErrors(page, consoleErrors);
  firstVisit = await visit(page);
  await expect.poll(() => state()).toBe('ready');
});

test.afterAll(async () => {
  await context.close();
  await server.stop();
});

function collectErrors(page: Page, errors: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
}

/** Paths of the files that the page asked for before the arm showed. */
function pathsUntilShown(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const [shown] = performance.getEntriesByName('arm-shown');
    const resources = performance.getEntriesByType('resource');
    const names = resources.filter(({ startTime }) => startTime < shown!.startTime);
    // The pose is asked for again until the stream sends it.
    return [...new Set(names.map(({ name }) => new URL(name).pathname))];
  });
}

/** Opens the page signed in; resolves when it has loaded all that Live has, and counts the bytes. */
async function visit(page: Page): Promise<Visit> {
  const sizes = new Map<string, Promise<number>>();
  page.on('requestfinished', (request) => {
    const path = new URL(request.url()).pathname;
    if (!/^\/($|assets\/)/.test(path)) return;
    const size = request.sizes().catch(() => ({ responseBodySize: 0, responseHeadersSize: 0 }));
    const bytes = size.then((parts) => parts.responseBodySize + parts.responseHeadersSize);
    sizes.set(path, bytes);
  });
  const count = async (paths: Iterable<string>) =>
    (await Promise.all([...paths].map((path) => sizes.get(path) ?? 0))).reduce((a, b) => a + b, 0);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.waitForFunction(
    () => (globalThis as typeof globalThis & Partial<DrawingWindow>).armtwin?.frames() ?? 0,
  );
  const untilShown_bytes = await count(['/', ...(await pathsUntilShown(page))]);
  for (const part of AROUND_LIVE)
    await expect.poll(() => [...sizes.keys()].join()).toContain(`/${part}-`);
  return { untilShown_bytes, bytes: await count(sizes.keys()) };
}

function state(of: Page = page): Promise<string> {
  return of.evaluate(() => (globalThis as typeof globalThis & DrawingWindow).armtwin.state());
}

function drawn(): Promise<number[]> {
  return page.evaluate(() => (globalThis as typeof globalThis & DrawingWindow).armtwin.joints());
}

/** The largest difference between drawn and reported angles (rad). */
async function drawnError(): Promise<number> {
  const angles = await drawn();
  const { snapshot } = await arm.getSnapshot();
  const reported = snapshot['servos.telemetry.position'];
  return Math.max(...reported.map((angle, joint) => Math.abs(angle - angles[joint]!)));
}

function picture(): Promise<Buffer> {
  return page.locator('.stage-canvas').screenshot({ animations: 'disabled' });
}

async function atRest(): Promise<void> {
  await expect.poll(() => state(), { timeout: RUN_MS }).toBe('ready');
  await expect.poll(() => drawnError()).toBeLessThan(CLOSE_RAD);
}

test('signs in by the token in the URL, removes it, and logs no errors', async () => {
  expect(new URL(page.url()).hash).toBe('');
  await expect(page.getByRole('button', { name: 'Run' })).toBeEnabled();
  await expect(page.getByText('simulated, 1.00× real time')).toBeVisible();
  await page.reload();
  await expect.poll(() => state()).toBe('ready');
  expect(consoleErrors).toEqual([]);
});

test('follows a run started over the API and stops at the reported pose', async () => {
  const before = await picture();
  const start = await drawn();
  await arm.takeLock();
  await arm.run({ mode: 'automatic', loop: 1 });
  await expect.poll(() => state()).toBe('running');
  const travelled = async () => {
    const now = await drawn();
    return Math.max(...now.map((angle, joint) => Math.abs(angle - start[joint]!)));
  };
  await expect.poll(travelled).toBeGreaterThan(0.2);
  expect((await picture()).equals(before)).toBe(false);
  await arm.setClock({ pace: FAST_PACE });
  await atRest();
  await arm.setClock({ pace: 1 });
  await arm.releaseLock();
  expect((await picture()).equals(before)).toBe(false);
});

test('would detect one joint drawn 5 degrees off', async () => {
  await expect.poll(() => drawnError()).toBeLessThan(CLOSE_RAD);
  const link = await page.evaluateHandle(
    () => (globalThis as typeof globalThis & DrawingWindow).armtwin.matrices()[4]!,
  );
  await turn(link);
  expect(await drawnError()).toBeGreaterThan(0.99 * TURN_RAD);
});

test('runs, pauses, resumes and cancels from the page, and releases the lock', async () => {
  await page.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => state()).toBe('running');
  expect(await arm.getLock()).toEqual({ owner: 'you', status: 'locked' });
  await page.keyboard.press('p');
  await expect.poll(() => state()).toBe('paused');
  // A press counts by what the button says when it goes down, whatever arrives before its release.
  await page.locator('.motion').getByRole('button', { name: 'Resume' }).hover();
  await page.mouse.down();
  await context.setOffline(true);
  await expect.poll(() => state()).toBe('stale');
  await context.setOffline(false);
  await page.mouse.up();
  await expect.poll(() => state()).toBe('running');
  await page.getByRole('button', { name: 'Cancel the motion' }).click();
  await atRest();
  await page.getByTitle('Release the lock').click();
  await expect.poll(async () => (await arm.getLock()).status).toBe('unlocked');
});

test('switches an output and shows the state reported by the robot', async () => {
  await page.getByRole('switch', { name: 'Output d2' }).click();
  await expect(page.getByRole('switch', { name: 'Output d2' })).toHaveAttribute(
    'aria-checked',
    'true',
  );
  const { snapshot } = await arm.getSnapshot();
  expect(snapshot['global.outputs'].d2).toBe(true);
  await page.getByTitle('Release the lock').click();
  await expect.poll(async () => (await arm.getLock()).status).toBe('unlocked');
});

test('shows a lost connection, and reconnects by itself', async () => {
  await context.setOffline(true);
  await expect.poll(() => state()).toBe('stale');
  await expect(
    page.getByText('This is the last known pose; the arm may have moved.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Cancel the motion' })).toBeEnabled();
  await expect(page.getByRole('switch', { name: 'Output d0' })).toBeDisabled();
  await context.setOffline(false);
  await expect.poll(() => state()).toBe('ready');
});

test('asks for a token, and shows when it is invalid', async ({ page }) => {
  await page.goto(server.baseUrl);
  await page.getByLabel('API token').fill('not-a-token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('This token is not valid.')).toBeVisible();
  await page.getByLabel('API token').fill(server.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => state(page)).toBe('ready');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('API token')).toBeVisible();
});

test('costs at most 250 kB over the wire with all that Live loads, and nothing again', async () => {
  const again = await context.newPage();
  const second = await visit(again);
  await again.close();
  const { untilShown_bytes, bytes } = firstVisit;
  console.log(`first visit: ${untilShown_bytes} bytes until the arm shows, ${bytes} in all`);
  console.log(`second visit: ${second.bytes} bytes in all`);
  expect(bytes).toBeLessThanOrEqual(250_000);
  expect(untilShown_bytes).toBeGreaterThan(150_000);
  expect(second.bytes).toBeLessThan(15_000);
});

test('makes at most four requests before the arm shows', async () => {
  const before = await pathsUntilShown(page);
  console.log(`requests before the arm shows: the page, ${before.join(', ')}`);
  expect(1 + before.length).toBeLessThanOrEqual(4);
});

test('draws within its budget of calls and triangles', async () => {
  const cost = () =>
    page.evaluate(() => (globalThis as typeof globalThis & DrawingWindow).armtwin.cost());
  // Above this count the 5 mm shells are drawn, with their shadows.
  await expect.poll(async () => (await cost()).triangles).toBeGreaterThan(60_000);
  expect((await cost()).calls).toBeLessThanOrEqual(60);
  expect((await cost()).triangles).toBeLessThanOrEqual(150_000);
});

test('reports missing WebGL, and still shows the values', async ({ page }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  const errors: string[] = [];
  collectErrors(page, errors);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect.poll(() => state(page)).toBe('ready');
  await expect(page.getByText('WebGL 2 is missing', { exact: false })).toBeVisible();
  await expect(page.getByText('Ready').first()).toBeVisible();
  expect(errors).toEqual([]);
});
