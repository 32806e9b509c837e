/**
 * The timeline of a live run: a drag on a plot looks back, the arm in the scene follows, and a link
 * keeps the moment, also where a page has not heard it.
 */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { ghost } from './plan-page.ts';
import { type Server, startServer, test } from './server.ts';

const PATH = new URL('../fixtures/toolpaths/there-and-back.json', import.meta.url);
const expect = baseExpect.configure({ timeout: 60_000 });
/** The toolpath has the arm wait for so long in the middle of its run (s). */
const WAIT_S = 4;
/** Reports of the pose come 50 times a second, and late on a busy machine. */
const CLOSE_RAD = 0.15;

const VIEWPORT = { width: 760, height: 480 };

test.use({ viewport: VIEWPORT, trace: 'off' });
test.describe.configure({ mode: 'serial', timeout: 300_000 });

let server: Server;
let arm: ArmClient;
let page: Page;
/** A moment of the run (s of the twin), and where the arm was (rad). */
let then_s = 0;
let then: readonly number[] = [];

test.beforeAll(async ({ browser }) => {
  server = await startServer(['--driver', 'fast']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const given = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  // There, a rest, and a move on.
  const timeline = given.timeline.slice(0, 6).map((action) => {
    return action.type === 'wait'
      ? { ...action, condition: { type: 'time', duration: WAIT_S } }
      : action;
  });
  const toolpath = { ...given, timeline } as Toolpath;
  const { toolpath: saved } = await arm.createToolpath({ name: 'There and back', toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.id });
  page = await browser.newPage({ viewport: VIEWPORT });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await arm.run({ mode: 'automatic', loop: 1 });
  // In the middle of a rest: a pose reaches a busy page late.
  const waited_s = async () => {
    const { now_s, activity } = await arm.getStatus();
    return now_s - (activity?.waiting?.since_s ?? now_s);
  };
  await expect.poll(waited_s).toBeGreaterThan(WAIT_S / 3);
  await arm.setClock({ paused: true });
  then_s = (await arm.getStatus()).now_s;
  then = (await arm.getSnapshot()).snapshot['servos.telemetry.position'];
  await expect.poll(() => away(then)).toBeLessThan(CLOSE_RAD);
  await arm.setClock({ paused: false });
  await expect.poll(async () => (await arm.getStatus()).state).toBe('ready');
});

test.afterAll(async () => {
  await page?.close();
  await server?.stop();
});

/** How far the arm in the scene is from a pose (rad). */
async function away(pose: readonly number[]): Promise<number> {
  const joints = await page.evaluate(() => {
    return (globalThis as typeof globalThis & { readonly armtwin: ArmWindow }).armtwin.joints();
  });
  return Math.max(...joints.map((angle, j) => Math.abs(angle - pose[j]!)));
}

const plot = () => page.getByRole('slider', { name: /^Joint velocity/ });
const chip = () => page.locator('.look-back');

test('looks back by a drag, and by keys, and comes back to live', async () => {
  const now = (await arm.getSnapshot()).snapshot['servos.telemetry.position'];
  await expect.poll(() => away(now)).toBeLessThan(CLOSE_RAD);
  await plot().scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await plot().boundingBox())!;
  await page.mouse.move(x + 0.9 * width, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 0.5 * width, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(chip()).toContainText(/^At [\d.]+ s: /);
  await expect.poll(() => page.url()).toMatch(/#live\?t=[\d.]+$/);
  // The keys of time are those of a path, also without a plot in focus.
  const second = () => Number(/t=([\d.]+)$/.exec(page.url())?.[1]);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  const from_s = second();
  const earlier = async () => {
    await page.keyboard.press('Shift+ArrowLeft');
    return second();
  };
  await expect.poll(earlier).toBeLessThan(from_s - 0.9);
  await plot().press('Home');
  await page.goto(`${server.baseUrl}/#live?t=${then_s.toFixed(2)}`);
  await expect.poll(() => away(then)).toBeLessThan(CLOSE_RAD);
  await expect(plot()).toHaveAttribute('aria-valuetext', /looking back$/);
  await page.keyboard.press('Escape');
  await expect(chip()).toBeHidden();
  await expect.poll(() => away(now)).toBeLessThan(CLOSE_RAD);
  await expect.poll(() => new URL(page.url()).hash).toBe('');
});

test('opens the moment of a link in the run that the twin keeps', async () => {
  await page.goto('about:blank');
  await page.goto(`${server.baseUrl}/#live?t=${then_s.toFixed(2)}`);
  await expect(page.locator('.program .program-name')).toHaveText(/^Run \d+ of There and back$/);
  const angles = async () => {
    const joints = await ghost(page);
    return joints ? Math.max(...joints.map((one, j) => Math.abs(one - then[j]!))) : 9;
  };
  await expect.poll(angles).toBeLessThan(CLOSE_RAD);
});
