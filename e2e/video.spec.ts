/** The video button: the downloaded video plays and shows the moving arm. */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Page } from '@playwright/test';
import { connect } from '../contract/client.ts';
import { test } from './server.ts';

const expect = baseExpect.configure({ timeout: 20_000 });
const RECORDED_MS = 2500;

test.use({ viewport: { width: 760, height: 480 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

/** Plays a video in an empty page; returns its size, length and differences between two frames. */
function playVideo(page: Page, base64: string) {
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const video = document.createElement('video');
    video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }));
    const seeked = async (time_s: number) => {
      const done = new Promise((resolve) =>
        video.addEventListener('seeked', resolve, { once: true }),
      );
      video.currentTime = time_s;
      await done;
    };
    await new Promise((resolve, reject) => {
      video.addEventListener('loadeddata', resolve);
      video.addEventListener('error', () => reject(new Error(video.error?.message)));
    });
    // A recorded stream has no length in its header; seeking to the end reveals it.
    await seeked(1e6);
    const length_s = video.currentTime;
    const canvas = document.createElement('canvas');
    const { videoWidth: width, videoHeight: height } = video;
    Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d')!;
    const frames: number[][] = [];
    for (const time_s of [0, length_s]) {
      await seeked(time_s);
      context.drawImage(video, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, width, height);
      frames.push(Array.from(pixels).filter((_, i) => i % 4 === 1));
    }
    const [first, last] = frames as [number[], number[]];
    const changed = first.filter((green, i) => Math.abs(green - last[i]!) > 40).length;
    const shades = new Set(first.map((green) => green >> 3)).size;
    return { width, height, length_s, changed, shades, corner: first[0]! };
  }, base64);
}

test('records what the scene shows as a video that plays', async ({ page, server, context }) => {
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await page.getByRole('button', { name: 'Record a video' }).click();
  const stop = page.getByRole('button', { name: 'Stop and save the video' });
  await expect(stop).toBeVisible();
  // One pixel per CSS pixel with software rendering; only the sharp frame at rest has more.
  const canvas = await page.locator('.stage-canvas').evaluate((element) => {
    return { width: element.clientWidth, height: element.clientHeight };
  });
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [0.9, 0.2, -0.9, 0, -0.5, 0] });
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.control.state).toBe('ready');
  await arm.releaseLock();
  await page.waitForTimeout(RECORDED_MS);
  const download = page.waitForEvent('download');
  await stop.click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('arm.webm');
  await expect(page.getByRole('button', { name: 'Record a video' })).toBeVisible();
  const bytes = readFileSync(await saved.path());
  const shown = await playVideo(await context.newPage(), bytes.toString('base64'));
  expect(shown).toMatchObject({ width: canvas.width & ~1, height: canvas.height & ~1 });
  expect(shown.length_s).toBeGreaterThan(RECORDED_MS / 1000);
  // The arm has moved at the end, in many shades, on the page's light background.
  expect(shown.changed).toBeGreaterThan(200);
  expect(shown.shades).toBeGreaterThan(10);
  expect(shown.corner).toBeGreaterThan(180);
});

test('keeps the shape of the scene while the window changes its size', async ({ page, server }) => {
  await page.addInitScript(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { drawImage } = prototype;
    const drawn = { sizes: 0, distortion: 0 };
    let size = '';
    Object.assign(window, { drawn });
    prototype.drawImage = function draw(this: CanvasRenderingContext2D, ...given: unknown[]) {
      const [source, , , width, height] = given as [HTMLCanvasElement, ...number[]];
      if (source.className === 'stage-canvas' && width !== undefined && height !== undefined) {
        const stretch = width / source.width / (height / source.height);
        drawn.distortion = Math.max(drawn.distortion, Math.abs(stretch - 1));
        const now = `${source.width} ${source.height}`;
        if (now !== size) drawn.sizes += 1;
        size = now;
      }
      Reflect.apply(drawImage, this, given);
    } as typeof drawImage;
  });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await page.getByRole('button', { name: 'Record a video' }).click();
  const stop = page.getByRole('button', { name: 'Stop and save the video' });
  await expect(stop).toBeVisible();
  type Drawn = { readonly sizes: number; readonly distortion: number };
  const seen = () => page.evaluate(() => (window as unknown as { drawn: Drawn }).drawn);
  for (const viewport of [
    { width: 1280, height: 700 },
    { width: 720, height: 900 },
  ]) {
    const { sizes } = await seen();
    await page.setViewportSize(viewport);
    await expect.poll(async () => (await seen()).sizes).toBeGreaterThan(sizes);
  }
  const { distortion } = await seen();
  expect(distortion).toBeLessThan(1e-9);
});

test('is hidden where the browser cannot record', async ({ page, server }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'MediaRecorder'));
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByRole('button', { name: 'Save a picture' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Record a video' })).toBeHidden();
});
