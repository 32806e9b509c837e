/**
 * Whether the page's memory grows while it streams: the built twin on its fastest clock runs a
 * toolpath over and over, and the heap is read after a collection at each quarter of the time.
 *
 *   npm run build && npm run bench -- bench/viewer-memory.bench.ts [seconds] [page]
 *
 * `page` is a page's word on the rail, as Bench; the browser ARMTWIN_BROWSER or Playwright's own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.ts';

const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
const PATH = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const TOKEN = 'token-of-the-memory-bench';
const READY = /^armtwin ready (http:\/\/\S+)$/m;
const QUARTERS = 4;
const PATIENCE_MS = 120_000;
const BYTES_PER_MB = 1e6;
const SOFTWARE = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

const seconds = Number(process.argv[2] ?? 60);
const word = process.argv[3];

async function startServer(): Promise<{ url: string; stop: () => void }> {
  const args = [MAIN, '--port', '0', '--driver', 'fast', '--token', TOKEN];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  while (child.exitCode === null) {
    const url = READY.exec(said)?.[1];
    if (url) return { url, stop: () => child.kill('SIGTERM') };
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
  throw new Error(`the server ended: ${said}`);
}

async function startRun(url: string): Promise<void> {
  const arm = connect({ baseUrl: url, token: TOKEN });
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  const saved = await arm.createToolpath({ name: 'Pick and place', toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.toolpath.id });
  await arm.run({ mode: 'automatic', loop: 0 });
  await arm.setClock({ pace: 'max' });
}

/** Bytes in use after a collection. */
async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

async function measure(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const sizes: number[] = [];
  for (let quarter = 0; quarter <= QUARTERS; quarter++) {
    await page.waitForTimeout((seconds / QUARTERS) * 1000);
    sizes.push(await heap(session));
    console.log(`after ${(quarter + 1) * (seconds / QUARTERS)} s  ${mb(sizes.at(-1)!)} MB`);
  }
  // The first reading is after the rings of the plots have filled for a while.
  const growth = sizes.at(-1)! - sizes[0]!;
  console.log(`growth in ${seconds} s: ${mb(growth)} MB, ${mb(growth / seconds)} MB a second`);
}

function mb(bytes: number): string {
  return (bytes / BYTES_PER_MB).toFixed(3);
}

const server = await startServer();
const path = process.env['ARMTWIN_BROWSER'];
const browser = await chromium.launch({ args: SOFTWARE, ...(path && { executablePath: path }) });
try {
  const page = await browser.newPage({ viewport: { width: 800, height: 480 } });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${server.url}/#token=${TOKEN}`);
  await page.getByRole('button', { name: 'Run' }).waitFor();
  if (word) await page.getByRole('button', { name: word }).click();
  await startRun(server.url);
  await measure(page);
} finally {
  await browser.close();
  server.stop();
}
