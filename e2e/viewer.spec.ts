/**
 * The Live page against the built program: what is drawn follows what the robot says, commands
 * reach the robot, and silence shows. Angles are read back from the drawn objects, not from the
 * numbers they were made of.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Page, expect as patientExpect } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { TURN_RAD, turn } from './drawn-link.ts';
import { type Server, startServer, test } from './server.ts';

const PATH = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
/** Drawn and reported angles may differ by this much at rest: about a thousandth of a degree. */
const CLOSE_RAD = 2e-5;
const RUN_MS = 45_000;

/** Drawing without a graphics card takes long on a busy machine; waiting costs nothing when not. */
const PATIENCE_MS = 20_000;
const expect = patientExpect.configure({ timeout: PATIENCE_MS });

test.use({ viewport: { width: 760, height: 480 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

let server: Server;
let arm: ArmClient;

interface DrawingWindow {
  readonly armtwin: ArmWindow;
}

test.beforeAll(async () => {
  server = await startServer();
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  const saved = await arm.createToolpath({ name: 'Pick and place', toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.toolpath.id });
  await arm.releaseLock();
});

test.afterAll(async () => {
  await server.stop();
});

/** Opens the page signed in and waits for the robot's word; collects what the console complains. */
async function open(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect.poll(() => state(page)).toBe('ready');
  return complaints;
}

function state(page: Page): Promise<string> {
  return page.evaluate(() => (globalThis as typeof globalThis & DrawingWindow).armtwin.state());
}

function drawn(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as typeof globalThis & DrawingWindow).armtwin.joints());
}

/** The largest difference between drawn and reported angles (rad). */
async function furthest(page: Page): Promise<number> {
  const angles = await drawn(page);
  const { snapshot } = await arm.getSnapshot();
  const reported = snapshot['servos.telemetry.position'];
  return Math.max(...reported.map((angle, joint) => Math.abs(angle - angles[joint]!)));
}

function picture(page: Page): Promise<Buffer> {
  return page.locator('.stage-canvas').screenshot({ animations: 'disabled' });
}

async function atRest(page: Page): Promise<void> {
  await expect.poll(() => state(page), { timeout: RUN_MS }).toBe('ready');
  await expect.poll(() => furthest(page)).toBeLessThan(CLOSE_RAD);
}

/** Two pictures, half a second apart, until they agree: fading trails have gone. */
async function stillPicture(page: Page): Promise<Buffer> {
  let last = await picture(page);
  await expect
    .poll(
      async () => {
        const next = await picture(page);
        const same = next.equals(last);
        last = next;
        return same;
      },
      { intervals: [500] },
    )
    .toBe(true);
  return last;
}

test('signs in by the address, forgets the token there and complains of nothing', async ({
  page,
}) => {
  const complaints = await open(page);
  expect(new URL(page.url()).hash).toBe('');
  await expect(page.getByRole('button', { name: 'Run' })).toBeEnabled();
  await expect(page.getByText('simulated, 1.00× real time')).toBeVisible();
  await page.reload();
  await expect.poll(() => state(page)).toBe('ready');
  expect(complaints).toEqual([]);
});

test('follows a run started over HTTP and stops where the robot says', async ({ page }) => {
  await open(page);
  const before = await stillPicture(page);
  const start = await drawn(page);
  await arm.takeLock();
  await arm.run({ mode: 'automatic', loop: 1 });
  await expect.poll(() => state(page)).toBe('running');
  const travelled = async () => {
    const now = await drawn(page);
    return Math.max(...now.map((angle, joint) => Math.abs(angle - start[joint]!)));
  };
  await expect.poll(travelled).toBeGreaterThan(0.2);
  expect((await picture(page)).equals(before)).toBe(false);
  await atRest(page);
  await arm.releaseLock();
  const after = await stillPicture(page);
  expect(after.equals(before)).toBe(false);
});

test('would notice one joint drawn 5 degrees off', async ({ page }) => {
  await open(page);
  await expect.poll(() => furthest(page)).toBeLessThan(CLOSE_RAD);
  const link = await page.evaluateHandle(
    () => (globalThis as typeof globalThis & DrawingWindow).armtwin.matrices()[4]!,
  );
  await turn(link);
  expect(await furthest(page)).toBeGreaterThan(0.99 * TURN_RAD);
});

test('runs, pauses, resumes and cancels from the page, and gives the lock back', async ({
  page,
}) => {
  await open(page);
  await page.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => state(page)).toBe('running');
  expect(await arm.getLock()).toEqual({ owner: 'you', status: 'locked' });
  await page.keyboard.press('p');
  await expect.poll(() => state(page)).toBe('paused');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => state(page)).toBe('running');
  await page.getByRole('button', { name: 'Cancel the motion' }).click();
  await atRest(page);
  await page.getByTitle('Release the lock').click();
  await expect.poll(async () => (await arm.getLock()).status).toBe('unlocked');
});

test('switches an output and shows what the robot then says', async ({ page }) => {
  await open(page);
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

test('says so when the robot falls silent, and comes back by itself', async ({ page, context }) => {
  await open(page);
  await context.setOffline(true);
  await expect.poll(() => state(page)).toBe('stale');
  await expect(
    page.getByText('This is the last known pose; the arm may have moved.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Cancel the motion' })).toBeEnabled();
  await expect(page.getByRole('switch', { name: 'Output d0' })).toBeDisabled();
  await context.setOffline(false);
  await expect.poll(() => state(page)).toBe('ready');
});

test('asks for a token, and says when it is not the right one', async ({ page }) => {
  await page.goto(server.baseUrl);
  await page.getByLabel('API token').fill('not-a-token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('This token is not known here.')).toBeVisible();
  await page.getByLabel('API token').fill(server.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => state(page)).toBe('ready');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('API token')).toBeVisible();
});

test('weighs at most 250 kB, compressed, until it shows the arm', async ({ request }) => {
  // Whatever the page names comes first; the font for codes comes late, when a code is shown.
  const page = await (await request.get(server.baseUrl)).text();
  const named = [...page.matchAll(/(?:src|href)="\.?(\/assets\/[^"]+)"/g)].map(
    (match) => match[1]!,
  );
  const bodies = await Promise.all(
    named.map(async (path) => (await request.get(server.baseUrl + path)).body()),
  );
  const inner = bodies.flatMap((body) => [
    ...body.toString('latin1').matchAll(/[\w-]+\.(?:woff2)|mesh-worker-[\w-]+\.js/g),
  ]);
  const names = new Set(
    inner.map(([name]) => name).filter((name) => !name.startsWith('jetbrains')),
  );
  expect(names.size).toBe(2);
  for (const name of names) {
    bodies.push(await (await request.get(`${server.baseUrl}/assets/${name}`)).body());
  }
  const weight = bodies.reduce((sum, body) => sum + gzipSync(body).length, gzipSync(page).length);
  expect(weight).toBeLessThanOrEqual(250_000);
  expect(weight).toBeGreaterThan(150_000);
});

test('draws within its budget of calls and triangles', async ({ page }) => {
  await open(page);
  const cost = () =>
    page.evaluate(() => (globalThis as typeof globalThis & DrawingWindow).armtwin.cost());
  // The shells at 5 mm, drawn and casting shadows, have arrived when the count is past this.
  await expect.poll(async () => (await cost()).triangles).toBeGreaterThan(60_000);
  expect((await cost()).calls).toBeLessThanOrEqual(60);
  expect((await cost()).triangles).toBeLessThanOrEqual(150_000);
});

test('says so where nothing can be drawn, and shows the figures all the same', async ({ page }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  const complaints = await open(page);
  await expect(page.getByText('it has no WebGL 2', { exact: false })).toBeVisible();
  await expect(page.getByText('Ready').first()).toBeVisible();
  expect(complaints).toEqual([]);
});
