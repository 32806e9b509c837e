/**
 * What the scene looks like, held against pictures that a person has looked at: the arm at rest
 * with two zones, in light and dark. The same comparison notices a joint turned by five degrees
 * and a hidden zone, so it is not too lenient. `--update-snapshots` takes new pictures.
 */
import { readFileSync } from 'node:fs';
import { expect as impatientExpect, type Page } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { type Server, startServer, test } from './server.ts';

interface DrawingWindow {
  readonly armtwin: ArmWindow;
}

const SORTER = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);
const TURN_RAD = (5 * Math.PI) / 180;
const SIZE = { width: 960, height: 640 };
/** Fonts and drivers draw edges differently; a zone's edges alone are more than this. */
const SAME = { threshold: 0.15, maxDiffPixels: 500 };
/** Drawing without a graphics card takes long on a busy machine. */
const expect = impatientExpect.configure({ timeout: 30_000 });

test.use({ viewport: SIZE, trace: 'off', contextOptions: { reducedMotion: 'reduce' } });
test.describe.configure({ timeout: 180_000 });

let server: Server;
test.beforeAll(async () => {
  server = await startServer(['--driver', 'fast']);
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const toolpath = JSON.parse(readFileSync(SORTER, 'utf8')) as Toolpath;
  await arm.takeLock();
  await arm.useUnsavedToolpath({ toolpath });
  await arm.releaseLock();
});
test.afterAll(() => server.stop());

/** Draws anew, as after any change of the window. */
async function redraw(page: Page): Promise<void> {
  const before = await frames(page);
  await page.setViewportSize({ ...SIZE, height: SIZE.height - 8 });
  await page.setViewportSize(SIZE);
  await expect.poll(() => frames(page)).toBeGreaterThan(before + 1);
}

function frames(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as typeof globalThis & DrawingWindow).armtwin.frames());
}

/** Turns the drawn object of link 2, a joint about z, in place; `back` the other way. */
function turnJoint(page: Page, turn_rad: number): Promise<void> {
  return page.evaluate((turn) => {
    const { armtwin } = globalThis as typeof globalThis & DrawingWindow;
    const matrix = armtwin.matrices()[2]! as number[];
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    for (let row = 0; row < 3; row++) {
      const [x, y] = [matrix[row]!, matrix[4 + row]!];
      matrix[row] = x * c + y * s;
      matrix[4 + row] = y * c - x * s;
    }
  }, turn_rad);
}

for (const theme of ['light', 'dark'] as const) {
  test(`the arm looks as it should in ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`${server.baseUrl}/#token=${server.token}`);
    await expect(page.getByText('taken on first move').first()).toBeVisible();
    const canvas = page.locator('.stage-canvas');
    await expect(canvas).toHaveScreenshot(`arm-${theme}.png`, SAME);
    if (theme === 'dark') return;
    await turnJoint(page, TURN_RAD);
    await redraw(page);
    await expect(canvas).not.toHaveScreenshot(`arm-${theme}.png`, SAME);
    await turnJoint(page, -TURN_RAD);
    await redraw(page);
    await expect(canvas).toHaveScreenshot(`arm-${theme}.png`, SAME);
    await page.getByRole('button', { name: 'Zones' }).click();
    await expect(canvas).not.toHaveScreenshot(`arm-${theme}.png`, SAME);
  });
}
