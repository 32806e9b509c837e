/**
 * `npm run check demo-site`: builds the static demo, serves it with a plain server of files from a folder of
 * its own, and uses it in Chromium: the recorded run is replayed with its cell and report, a toolpath is planned, edited
 * and planned again, and nothing is asked for that is not there. A folder as an argument is a demo that is built.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser } from './setup/browser.mjs';
import { buildDemo, compressedBytes } from './setup/demo-site.mjs';

const FLAGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader'];
/** The folder below the address at which it is served: a host seldom gives the root. */
const BELOW = '/some/where/';
const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
});
const LIMIT_MB = 1;
/** Software graphics on a busy machine. */
const PATIENCE_MS = 120_000;

/** @typedef {import('@playwright/test').Page} Page */

/** @type {string[]} */
const failures = [];

/** Prints one result and records a failure. @param {boolean} holds @param {string} text */
function expectThat(holds, text) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${text}`);
  if (!holds) failures.push(text);
}

/** A server of files, with nothing but their types; resolves with its address and its end. */
async function serveFiles(/** @type {string} */ folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(String(request.url), 'http://x');
    const path = normalize(pathname.slice(BELOW.length) || 'index.html');
    try {
      if (!pathname.startsWith(BELOW) || path.startsWith('..')) throw new Error('outside');
      const body = readFileSync(join(folder, path));
      response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}${BELOW}`, close: () => server.close() };
}

/** Opens a page; what it complains of is collected. */
async function opened(
  /** @type {import('@playwright/test').Browser} */ browser,
  /** @type {string} */ url,
) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(PATIENCE_MS);
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('response', (reply) => {
    if (!reply.ok()) complaints.push(`${reply.status()} ${reply.url()}`);
  });
  await page.goto(url);
  await page.getByRole('button', { name: 'Play (Space)' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-busy]'));
  return { page, complaints };
}

/** The time of the cursor, and the end of the timeline, as they are read. @param {Page} page */
const clockOf = (page) => page.locator('.timeline').first().textContent();

/** @param {Page} page */
const drawnJoints = (page) =>
  page.evaluate(() => /** @type {any} */ (globalThis).armtwin.joints().join());

/** @param {Page} page @param {string[]} complaints */
async function replay(page, complaints) {
  const verdict = String(await page.locator('.report-verdict').textContent());
  expectThat(verdict.includes('as expected'), `the report: ${verdict}`);
  const events = await page.getByRole('region', { name: 'Events' }).getByRole('button').count();
  expectThat(events > 5, `the recorded run has ${events} events`);
  const cell = await page.evaluate(() => /** @type {any} */ (globalThis).armtwin.cell() !== null);
  expectThat(cell, 'its cell is drawn');
  const before = await drawnJoints(page);
  await page.getByRole('button', { name: 'Play (Space)' }).click();
  const moved = page.waitForFunction(
    (joints) => /** @type {any} */ (globalThis).armtwin.joints().join() !== joints,
    before,
  );
  expectThat(Boolean(await moved), 'replay: the arm moves');
  expectThat(complaints.length === 0, `console of the run: ${complaints.join('; ') || 'empty'}`);
}

/** @param {Page} page @param {string[]} complaints */
async function edit(page, complaints) {
  const looked = page.getByText(/the cell of \d+ bodies/).first();
  await looked.waitFor({ state: 'attached' });
  expectThat(true, `planned in the tab, against ${String(await looked.textContent()).trim()}`);
  const planned = await clockOf(page);
  const steps = page.getByRole('treeitem');
  const count = await steps.count();
  // A motion: without it the loop takes another time.
  await steps.nth(2).click();
  // Read before the press: it may have changed when the press is answered.
  const text = await page.locator('.timeline').first().textContent();
  await page.getByRole('button', { name: 'Remove the step (Delete)' }).click();
  await page.waitForFunction(
    (before) => document.querySelector('.timeline')?.textContent !== before,
    text,
  );
  await page.waitForFunction(() => !document.querySelector('[data-busy]'));
  const changed = await clockOf(page);
  const left = await steps.count();
  expectThat(
    left < count && changed !== planned,
    `edited: ${count} steps, then ${left}, planned again`,
  );
  await page.getByRole('button', { name: 'Undo (Ctrl Z)' }).click();
  await page.waitForFunction(
    (wanted) => document.querySelectorAll('[role=treeitem]').length === wanted,
    count,
  );
  expectThat(true, 'undone');
  await page.getByRole('button', { name: 'What this tab cannot do' }).click();
  const limits = String(await page.getByRole('dialog').textContent());
  expectThat(limits.includes('No arm moves here'), 'it says what the tab cannot do');
  expectThat(complaints.length === 0, `console of the editor: ${complaints.join('; ') || 'empty'}`);
}

async function main() {
  const [given] = process.argv.slice(2);
  const found = await ensureBrowser();
  if ('reasons' in found) {
    console.error(`No browser: ${found.reasons.join('; ')}`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-demo-site-'));
  const browser = await chromium.launch({ executablePath: found.path, args: FLAGS });
  try {
    const site = given ?? folder;
    if (given === undefined && !(await buildDemo(site))) return 1;
    const size_mb = compressedBytes(site) / 2 ** 20;
    expectThat(size_mb <= LIMIT_MB, `the site has ${size_mb.toFixed(2)} MB compressed`);
    const { url, close } = await serveFiles(site);
    const run = await opened(browser, url);
    await replay(run.page, run.complaints);
    const editor = await opened(browser, `${url}edit.html`);
    await edit(editor.page, editor.complaints);
    close();
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return failures.length === 0 ? 0 : 1;
}

process.exitCode = await main();
