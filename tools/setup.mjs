/**
 * The one door for people and machines: `node tools/setup.mjs <verb> [flags]`. It runs before
 * `npm ci` has run, so nothing here may import a package; every verb is a row of the table below.
 */
import { refuseOldNode } from './setup/node-version.mjs';

/** @typedef {{ about: string, load: () => Promise<(flags: string[]) => Promise<number>> }} Verb */

/** @type {Record<string, Verb>} */
const VERBS = {
  install: {
    about: 'bring node_modules to what package-lock.json says',
    load: async () => (await import('./setup/install.mjs')).install,
  },
  start: {
    about: 'install what is missing, build what is stale, serve; flags go to the server',
    load: async () => (await import('./setup/start.mjs')).start,
  },
  demo: {
    about: 'serve, and tell the whole story of a client step by step; flags go to the server',
    load: async () => (await import('./setup/demo.mjs')).demo,
  },
  test: {
    about: 'tidy, types, lint, unit, build, rules and e2e; the last line is the sum',
    load: async () => (await import('./setup/test.mjs')).test,
  },
  build: {
    about: 'build dist/ when a source has changed (--force: always)',
    load: async () => (await import('./setup/build.mjs')).build,
  },
  rules: {
    about: 'hold the built program to the rules of the spec, over the wire (--lower: write down)',
    load: async () => (await import('./setup/rules.mjs')).rules,
  },
  'servo-rules': {
    about: 'the same over emulated servos behind TCP, in real time',
    load: async () => (await import('./setup/servo-rules.mjs')).servoRules,
  },
  hard: {
    about: 'build, then faults, load and attacks against it, each with a figure; names choose some',
    load: async () => (await import('./setup/hard.mjs')).hard,
  },
  e2e: {
    about: 'build, find a browser, run the end-to-end tests; flags go to playwright',
    load: async () => (await import('./setup/e2e.mjs')).e2e,
  },
};

function usage() {
  const rows = Object.entries(VERBS).map(([verb, { about }]) => `  ${verb.padEnd(12)}${about}`);
  return `usage: node tools/setup.mjs <verb> [flags]\n${rows.join('\n')}`;
}

const [verb = '', ...flags] = process.argv.slice(2);
const row = VERBS[verb];
if (row === undefined) {
  console.error(usage());
  process.exit(2);
}
process.chdir(new URL('..', import.meta.url).pathname);
refuseOldNode();
const run = await row.load();
process.exitCode = await run(flags);
