/**
 * Finds or installs Chromium for the end-to-end tests. Tries in order: ARMTWIN_BROWSER, a browser
 * on PATH, Playwright's own, the package manager, Playwright's download. A missing browser is a
 * failure with reasons, never a skip.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runPackage, runToEnd } from './process.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_LIMIT_MS = 300_000;
/** How long to wait for another program that installs packages (s). */
const PACKAGES_WAIT_S = 120;
const ANSWER_LIMIT_MS = 20_000;

/** @typedef {{ path: string } | { reasons: string[] }} BrowserAnswer */

/**
 * The browsers on a search path (the value of PATH), best first.
 * @param {string} search
 */
export function browsersOnPath(search) {
  const folders = search.split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).filter(existsSync);
}

/**
 * Whether a browser works: it must print its version. A snap stub does not.
 * @param {string} path
 */
async function works(path) {
  const options = { label: 'browser --version', timeout_ms: ANSWER_LIMIT_MS };
  return (await runToEnd(path, ['--version'], options)).code === 0;
}

async function playwrightBrowser() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return existsSync(path) ? [path] : [];
}

/** @param {string[]} reasons */
async function firstWorking(reasons) {
  const candidates = [...browsersOnPath(process.env['PATH'] ?? ''), ...(await playwrightBrowser())];
  for (const path of candidates) {
    if (await works(path)) return path;
    reasons.push(`${path} fails with --version`);
  }
  if (candidates.length === 0)
    reasons.push(`no ${NAMES.join(', ')} on PATH, no Playwright browser`);
  return undefined;
}

/** The commands of the package manager that install Chromium, if available. */
function installers() {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  // Another program may be installing packages just now, as a fresh machine does after its start.
  const apt = [...prefix, 'apt-get', '-o', `DPkg::Lock::Timeout=${PACKAGES_WAIT_S}`];
  const packages = ['-y', '--no-install-recommends', 'chromium'];
  return isMissing('apt-get')
    ? []
    : [
        [...apt, 'update'],
        [...apt, 'install', ...packages],
      ];
}

/** @param {string} name */
function isMissing(name) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return !folders.some((folder) => existsSync(join(folder, name)));
}

/** @param {string[]} reasons */
async function install(reasons) {
  for (const [command = '', ...args] of installers()) {
    const label = `${command} ${args.join(' ')}`;
    process.stderr.write(`no browser found: ${label}\n`);
    const done = await runToEnd(command, args, { label, timeout_ms: INSTALL_LIMIT_MS });
    if (done.code !== 0) reasons.push(`${label}: ${lastLine(done)}`);
  }
}

/** @param {import('./process.mjs').Finished} done */
function lastLine({ code, output }) {
  return `exit code ${code}, ${output.trim().split('\n').at(-1)}`;
}

/** @param {string[]} reasons */
async function download(reasons) {
  const label = 'playwright install chromium';
  process.stderr.write(`no browser found: ${label}\n`);
  const args = ['install', 'chromium'];
  const options = { label, timeout_ms: INSTALL_LIMIT_MS };
  const done = await runPackage('@playwright/test/cli.js', args, options);
  if (done.code !== 0) reasons.push(`${label}: ${lastLine(done)}`);
}

/**
 * The path of a working browser, or the reasons why there is none.
 * @returns {Promise<BrowserAnswer>}
 */
export async function ensureBrowser() {
  const given = process.env['ARMTWIN_BROWSER'];
  if (given !== undefined && given !== '') {
    if (await works(given)) return { path: given };
    return { reasons: [`ARMTWIN_BROWSER=${given} fails with --version; set a working browser`] };
  }
  /** @type {string[]} */
  const reasons = [];
  for (const prepare of [async () => {}, install, download]) {
    await prepare(reasons);
    const path = await firstWorking(reasons);
    if (path !== undefined) return { path };
  }
  return { reasons: [...new Set(reasons)] };
}
