/** `npm run e2e [-- flags]`: builds, finds a browser and runs Playwright in the foreground. */
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runInForeground } from './process.mjs';

/** @param {string[]} flags */
export async function e2e(flags) {
  if (!(await ensureInstalled()) || !(await ensureBuilt())) return 1;
  const browser = await ensureBrowser();
  if ('reasons' in browser) {
    process.stderr.write(
      `No browser for the end-to-end tests:\n  ${browser.reasons.join('\n  ')}\n`,
    );
    return 1;
  }
  const args = ['node_modules/@playwright/test/cli.js', 'test', ...flags];
  return runInForeground(args, { ARMTWIN_BROWSER: browser.path });
}
