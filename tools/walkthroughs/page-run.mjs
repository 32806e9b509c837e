/**
 * The path from a click on Run in the page to the pose on the screen. Vite serves the sources of
 * the page, so that Chromium reports coverage by source file; the calls go to a twin in this
 * process.
 */
import { chromium } from '@playwright/test';
import { createServer } from 'vite';
import { ensureBrowser } from '../setup/browser.mjs';
import { filesRun } from './coverage.mjs';
import { fixture, settle, startArm, TOKEN } from './paths.mjs';

/** @typedef {import('./paths.mjs').PathStage} PathStage */

const FLAGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader'];
const LOADED_MS = 40_000;
/** Change of a drawn joint that shows the motion (rad). */
const MOVED_RAD = 0.02;

/** Serves the page from its sources and proxies calls to a twin. @param {string} target */
async function servePage(target) {
  const proxy = Object.fromEntries(
    ['/api', '/sim', '/workflow', '/readyz'].map((path) => [path, { target, ws: true }]),
  );
  const server = await createServer({
    configFile: 'viewer/vite.config.ts',
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1', hmr: false, proxy },
  });
  await server.listen();
  const address = /** @type {import('node:net').AddressInfo} */ (server.httpServer?.address());
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

/** The source file of a script that Vite serves, or null. @param {string} url */
function sourceOf(url) {
  const { pathname } = new URL(url);
  if (pathname.startsWith('/@fs/')) {
    const inside = pathname.slice('/@fs'.length + `${process.cwd()}/`.length);
    return /^(contract|physics)\//.test(inside) ? inside : null;
  }
  return /^\/(@|node_modules)/.test(pathname) || !pathname.endsWith('.ts')
    ? null
    : `viewer${pathname}`;
}

async function openBrowser() {
  const found = await ensureBrowser();
  if ('reasons' in found) throw new Error(`no browser:\n${found.reasons.join('\n')}`);
  return chromium.launch({ executablePath: found.path, args: FLAGS });
}

/** Joint angles of the drawn arm. @param {import('@playwright/test').Page} page */
const drawnJoints = (page) => page.evaluate(() => /** @type {any} */ (globalThis).armtwin.joints());

/**
 * Signs in.
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 */
async function openPage(page, url) {
  await page.goto(`${url}/#token=${TOKEN}`, { timeout: LOADED_MS });
  await page.getByRole('button', { name: 'Run' }).waitFor({ timeout: LOADED_MS });
  await page.waitForFunction(() => /** @type {any} */ (globalThis).armtwin?.state() === 'ready');
}

/** @param {import('./paths.mjs').Trace} trace @returns {Promise<PathStage[]>} */
export async function clickRun({ take }) {
  const arm = await startArm({ allowedOrigins: ['*'] });
  const toolpath = fixture('toolpaths/pick-and-place');
  await arm.arm.takeLock();
  const { toolpath: saved } = await arm.arm.createToolpath({ name: 'Pick and place', toolpath });
  await arm.arm.useToolpath({ toolpath_id: saved.id });
  await arm.arm.releaseLock();
  const served = await servePage(arm.twin.url);
  const browser = await openBrowser();
  const page = await browser.newPage();
  await openPage(page, served.url);
  await settle({ take });
  const before = await drawnJoints(page);
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  await page.getByRole('button', { name: 'Run' }).click();
  for (let moved = 0; moved < MOVED_RAD; ) {
    const joints = await drawnJoints(page);
    moved = Math.max(...joints.map((angle, at) => Math.abs(angle - before[at])));
  }
  const files = await take();
  const scripts = await page.coverage.stopJSCoverage();
  await browser.close();
  await served.close();
  await arm.twin.close();
  const drawn = new Set(filesRun(scripts, sourceOf));
  return [
    { name: 'In the browser', files: drawn },
    { name: 'In the server', files },
  ];
}
