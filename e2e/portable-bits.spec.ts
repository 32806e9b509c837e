/**
 * Bit-equal math in Node and in the browser (D40): both load the built physics and every result is
 * compared as 64 bits. Plans computed in the viewer must equal the plans of the arm.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const ORIGIN = 'http://built.armtwin.test';

interface Digest {
  readonly results: number;
  readonly bits: string;
}

/** Runs in Node and in the browser: hashes the results of 20,000 seeded arguments. */
async function digest(base: string): Promise<Digest> {
  const { sin, cos, atan2, exp } = await import(`${base}physics/math/portable.js`);
  let hash = 0xcbf29ce484222325n;
  let results = 0;
  const cell = new DataView(new ArrayBuffer(8));
  const fold = (value: number) => {
    cell.setFloat64(0, value);
    hash = BigInt.asUintN(64, (hash ^ cell.getBigUint64(0)) * 0x100000001b3n);
    results++;
  };
  let seed = 20260101;
  const next = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 31 - 1;
  };
  for (let i = 0; i < 20_000; i++) {
    const [x, y] = [next() * 40, next() * 40];
    for (const value of [sin(x), cos(x), atan2(y, x), exp(x)]) fold(value);
  }
  return { results, bits: hash.toString(16) };
}

test('portable math has the same bits in Chromium and in Node', { tag: '@ci' }, async ({
  page,
}) => {
  await page.route(`${ORIGIN}/**`, (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    if (path === '') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
    const body = readFileSync(`${DIST}${path}`, 'utf8');
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  await page.goto(`${ORIGIN}/`);
  const browserDigest = await page.evaluate(digest, `${ORIGIN}/`);
  const nodeDigest = await digest(pathToFileURL(DIST).href);
  expect(nodeDigest.results).toBe(80_000);
  expect(browserDigest).toEqual(nodeDigest);
});
