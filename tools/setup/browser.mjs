/**
 * Finds the Chromium the end-to-end tests run in, or installs one: a path in the environment, a
 * browser on PATH, Playwright's own, then the package manager, then Playwright's download. Tests
 * are never skipped for want of a browser: none to be had is a failure with its reasons.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runPackage, runToEnd } from './process.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_LIMIT_MS = 300_000;
const ANSWER_LIMIT_MS = 20_000;

/** @typedef {{ path: string } | { reasons: string[] }} BrowserAnswer */

/**
 * Every file on `search` (the text of PATH) that bears a browser's name, best first.
 * @param {string} search
 */
export function browsersOnPath(search) {
  const folders = search.split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).filter(existsSync);
}

/**
 * A file of the right name may be an empty shell (a snap's stub): it must tell its version.
 * @param {string} path
 */
async function answers(path) {
  const options = { label: 'asking the browser', timeout_ms: ANSWER_LIMIT_MS };
  return (await runToEnd(path, ['--version'], options)).code === 0;
}

async function playwrightsOwn() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return existsSync(path) ? [path] : [];
}

/** @param {string[]} reasons */
async function firstThatAnswers(reasons) {
  const candidates = [...browsersOnPath(process.env['PATH'] ?? ''), ...(await playwrightsOwn())];
  for (const path of candidates) {
    if (await answers(path)) return path;
    reasons.push(`${path} does not answer --version`);
  }
  if (candidates.length === 0) reasons.push(`no ${NAMES.join(', ')} on PATH, none of Playwright's`);
  return undefined;
}

/** The ways to install one that this user has, each as a command. */
function installers() {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = [...prefix, 'apt-get'];
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
    if (done.code !== 0) reasons.push(`${label}: ${lastWord(done)}`);
  }
}

/** @param {import('./process.mjs').Finished} done */
function lastWord({ code, output }) {
  return `exit code ${code}, ${output.trim().split('\n').at(-1)}`;
}

/** @param {string[]} reasons */
async function download(reasons) {
  const label = 'playwright install chromium';
  process.stderr.write(`no browser found: ${label}\n`);
  const args = ['install', 'chromium'];
  const options = { label, timeout_ms: INSTALL_LIMIT_MS };
  const done = await runPackage('@playwright/test/cli.js', args, options);
  if (done.code !== 0) reasons.push(`${label}: ${lastWord(done)}`);
}

/**
 * The path of a browser that runs, found or installed, or every reason why there is none.
 * @returns {Promise<BrowserAnswer>}
 */
export async function ensureBrowser() {
  const given = process.env['ARMTWIN_BROWSER'];
  if (given !== undefined && given !== '') {
    if (await answers(given)) return { path: given };
    return { reasons: [`ARMTWIN_BROWSER=${given} does not answer --version`] };
  }
  /** @type {string[]} */
  const reasons = [];
  for (const prepare of [async () => {}, install, download]) {
    await prepare(reasons);
    const path = await firstThatAnswers(reasons);
    if (path !== undefined) return { path };
  }
  return { reasons: [...new Set(reasons)] };
}
