/**
 * Visual regression test of the scene against reviewed pictures: the arm at rest with two zones, in
 * light and dark. The same comparison detects a joint turned by five degrees and a hidden zone.
 * `--update-snapshots` takes new pictures.
 */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Locator, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { type Server, startServer, test } from './server.ts';

interface DrawingWindow {
  readonly armtwin: ArmWindow;
}

const SORTER = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);
const TURN_RAD = (5 * Math.PI) / 180;
const SIZE = { width: 960, height: 640 };
/** Pixels per CSS pixel of the scene at rest (REST_PIXEL_RATIO of viewer/scene/renderer.ts). */
const SHARPNESS = 2;
/** Fonts and graphics drivers draw edges differently; the edges of a zone exceed this. */
const TOLERANCE = { threshold: 0.15, maxDiffPixels: 500 };
/** Software rendering is slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 30_000 });

test.use({ viewport: SIZE, trace: 'off', contextOptions: { reducedMotion: 'reduce' } });
test.describe.configure({ timeout: 180_000 });

let server: Server;
let arm: ArmClient;
test.beforeAll(async () => {
  server = await startServer(['--driver', 'fast']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const toolpath = JSON.parse(readFileSync(SORTER, 'utf8')) as Toolpath;
  await arm.takeLock();
  const { toolpath: saved } = await arm.createToolpath({ name: 'Sorter', toolpath });
  await arm.useToolpath({ toolpath_id: saved.id });
  await arm.releaseLock();
});
test.afterAll(() => server.stop());

/** Turns the second joint of the arm and waits until the scene shows it at rest. */
async function turnJoint(page: Page, angle_rad: number): Promise<void> {
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [0, angle_rad, 0, 0, 0, 0] });
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.control.state).toBe('ready');
  await arm.releaseLock();
  await expect.poll(async () => Math.abs((await drawn(page))[1]! - angle_rad)).toBeLessThan(1e-3);
}

function drawn(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as typeof globalThis & DrawingWindow).armtwin.joints());
}

/** Whether the scene looks as reviewed once it is drawn sharply, which software takes time for. */
async function expectReviewed(canvas: Locator, name: string): Promise<void> {
  const compare = () => expect(canvas).toHaveScreenshot(name, TOLERANCE);
  await expect(compare).toPass({ timeout: 60_000 });
}

/** Whether the scene, drawn sharply, differs from the reviewed one. */
async function expectChanged(canvas: Locator, name: string): Promise<void> {
  const { width } = (await canvas.boundingBox())!;
  await expect(canvas).toHaveAttribute('width', String(SHARPNESS * width));
  await expect(canvas).not.toHaveScreenshot(name, TOLERANCE);
}

for (const theme of ['light', 'dark'] as const) {
  test(`the arm matches its reviewed picture in ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    // The hints of a first visit would lie over the scene.
    await page.addInitScript(() =>
      localStorage.setItem('armtwin.preferences', '{"hintsShown":true}'),
    );
    await page.goto(`${server.baseUrl}/#token=${server.token}`);
    await expect(page.getByText('acquired on first move').first()).toBeVisible();
    const canvas = page.locator('.stage-canvas');
    const picture = `arm-${theme}.png`;
    await expectReviewed(canvas, picture);
    if (theme === 'dark') return;
    await turnJoint(page, TURN_RAD);
    await expectChanged(canvas, picture);
    await turnJoint(page, 0);
    await expectReviewed(canvas, picture);
    await page.getByRole('button', { name: 'Zones' }).click();
    await expectChanged(canvas, picture);
  });
}
