/** `npm run e2e -- <flags>`: a fresh build, a browser, then Playwright in the foreground. */
import { spawn } from 'node:child_process';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

/** @param {string[]} flags */
export async function e2e(flags) {
  if (!(await ensureInstalled()) || !(await ensureBuilt())) return 1;
  const browser = await ensureBrowser();
  if ('reasons' in browser) {
    process.stderr.write(`no browser to test with:\n  ${browser.reasons.join('\n  ')}\n`);
    return 1;
  }
  const args = ['node_modules/@playwright/test/cli.js', 'test', ...flags];
  const env = { ...process.env, ARMTWIN_BROWSER: browser.path };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
