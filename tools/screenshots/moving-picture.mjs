/**
 * The moving picture of README: frames of the Live page at equal steps of twin time, as an animated
 * WebP. The browser compresses the frames; the container is written here.
 */
import { writeFileSync } from 'node:fs';

/** Size (px) of the picture, frames, and twin time between two of them (s). */
const SIZE = { width: 640, height: 400 };
const FRAMES = 50;
const STEP_S = 0.3;
/** Time for which a frame is shown (ms): the picture runs at three times real time. */
export const SHOWN_MS = 100;
/** Quality of the frames: small type stays readable. */
const QUALITY = 0.6;
/** Time until the page has drawn a step (ms). */
const DRAWN_MS = 400;

/**
 * An unsigned number as little-endian bytes.
 * @param {number} value
 * @param {number} length
 */
const bytesOf = (value, length) => Array.from({ length }, (_, i) => (value >> (8 * i)) & 0xff);

/** @param {string} name of four letters @param {Uint8Array | readonly number[]} content */
function chunk(name, content) {
  const padding = content.length % 2 === 0 ? [] : [0];
  return Buffer.from([...Buffer.from(name), ...bytesOf(content.length, 4), ...content, ...padding]);
}

/**
 * Joins still pictures of one size, opaque and lossy, to an animation that repeats.
 * https://developers.google.com/speed/webp/docs/riff_container
 * @param {readonly Buffer[]} stills WebP files
 * @param {{ width: number, height: number, shown_ms: number }} format
 */
export function animatedWebp(stills, { width, height, shown_ms }) {
  const IS_ANIMATED = 2;
  const NO_BLENDING = 2;
  const size = [...bytesOf(width - 1, 3), ...bytesOf(height - 1, 3)];
  const frames = stills.map((still) => {
    const at = still.indexOf('VP8 ', 12);
    if (at < 0) throw new Error('a frame is not a lossy WebP');
    const place = [...bytesOf(0, 6), ...size, ...bytesOf(shown_ms, 3), NO_BLENDING];
    return chunk('ANMF', [...place, ...still.subarray(at)]);
  });
  const head = chunk('VP8X', [IS_ANIMATED, 0, 0, 0, ...size]);
  const repeats = chunk('ANIM', bytesOf(0, 6));
  const content = Buffer.concat([Buffer.from('WEBP'), head, repeats, ...frames]);
  return chunk('RIFF', content);
}

/**
 * Compresses a picture in the browser, scaled down.
 * @param {import('@playwright/test').Page} page any page without a content-security policy
 * @param {Buffer} png
 */
async function compressed(page, png) {
  const address = `data:image/png;base64,${png.toString('base64')}`;
  const encoded = await page.evaluate(
    async ({ address, width, height, quality }) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      const drawing = canvas.getContext('2d', { alpha: false });
      if (drawing) drawing.imageSmoothingQuality = 'high';
      drawing?.drawImage(image, 0, 0, width, height);
      return canvas.toDataURL('image/webp', quality);
    },
    { address, ...SIZE, quality: QUALITY },
  );
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64');
}

/**
 * Steps the clock of a moving arm, and takes a picture of the page after each step.
 * @param {{
 *   browser: import('@playwright/test').Browser, page: import('@playwright/test').Page,
 *   arm: import('../../contract/client.ts').ArmClient, path: string,
 * }} work the page shows the arm; `path` of the file
 */
export async function takeMovingPicture({ browser, page, arm, path }) {
  const encoder = await browser.newPage();
  const stills = [];
  await arm.setClock({ pace: 'stepped' });
  for (let i = 0; i < FRAMES; i++) {
    await arm.advanceClock({ seconds: STEP_S });
    await page.waitForTimeout(DRAWN_MS);
    stills.push(await compressed(encoder, await page.screenshot()));
    process.stderr.write(`\rframe ${i + 1} of ${FRAMES}`);
  }
  await arm.setClock({ pace: 1 });
  await encoder.close();
  const file = animatedWebp(stills, { ...SIZE, shown_ms: SHOWN_MS });
  writeFileSync(path, file);
  process.stderr.write(`\n${path}: ${Math.round(file.length / 1000)} kB\n`);
}
