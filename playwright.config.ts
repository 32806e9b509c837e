/**
 * The end-to-end tests: the built product over the wire, in a real Chromium. tools/setup finds or
 * installs the browser and hands its path in as ARMTWIN_BROWSER.
 */
import { defineConfig } from '@playwright/test';

/** Software WebGL, so that a machine without a graphics card draws too, and no calls home. */
const BROWSER_FLAGS = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Files of `npm test`; `npm run e2e` runs the other pages too, which take minutes. */
const QUICK = /\/(start|signals|docs|portable-bits|viewer)\.spec\.ts$/;
/** Tests of these that only `npm test -- --all` runs, as CI does; others only `npm run e2e`. */
const CI = /@ci/;
const MORE = /@more/;

const browser = process.env['ARMTWIN_BROWSER'];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  snapshotPathTemplate: 'e2e/pictures/{arg}{ext}',
  timeout: 60_000,
  forbidOnly: true,
  retries: 0,
  workers: 1,
  reporter: 'list',
  projects: [
    { name: 'quick', testMatch: QUICK, grepInvert: [CI, MORE] },
    { name: 'ci', testMatch: QUICK, grep: CI },
    { name: 'more', testMatch: QUICK, grep: MORE },
    { name: 'pages', testIgnore: QUICK },
  ],
  use: {
    viewport: { width: 960, height: 600 },
    trace: 'retain-on-failure',
    launchOptions: {
      args: BROWSER_FLAGS,
      ...(browser === undefined ? {} : { executablePath: browser }),
    },
  },
});
