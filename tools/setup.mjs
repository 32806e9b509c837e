/**
 * Runs every script of package.json: `node tools/setup.mjs <command> [flags]`. It works in a bare
 * clone: it runs before `npm ci`, so this file and tools/setup/ must not import packages
 * statically.
 */
import { endCleanly } from './setup/ending.mjs';
import { refuseOldNode } from './setup/node-version.mjs';

/**
 * @typedef {{ about: string, load: () => Promise<(flags: string[]) => Promise<number>> }} Command
 */

/** @type {Record<string, Command>} */
const COMMANDS = {
  'arch-lint': {
    about: 'check imports, clocks, math, routes and citations',
    load: async () => (await import('./setup/lint.mjs')).archLint,
  },
  bench: {
    about: 'run a benchmark by name; without a name, list them',
    load: async () => (await import('./setup/bench.mjs')).bench,
  },
  build: {
    about: 'build dist/ if a source has changed (--force: always)',
    load: async () => (await import('./setup/build.mjs')).build,
  },
  'build:demo': {
    about: 'make the static demo site (a folder, default demo)',
    load: async () => (await import('./setup/demo-site.mjs')).demoSite,
  },
  'build:wheel': {
    about: 'make the wheel of the pytest plugin, with the server inside',
    load: async () => (await import('./setup/wheel.mjs')).wheel,
  },
  changed: {
    about: 'check what a change touches: its format, all types, its tests',
    load: async () => (await import('./setup/changed.mjs')).changed,
  },
  check: {
    about: 'run a slow check by name; without a name, list them',
    load: async () => (await import('./setup/named-scripts.mjs')).check,
  },
  demo: {
    about: 'start a twin and run a client on it (demo workflow: a workflow run)',
    load: async () => (await import('./setup/demo.mjs')).demo,
  },
  e2e: {
    about: 'build, find a browser, run the end-to-end tests; flags go to Playwright',
    load: async () => (await import('./setup/e2e.mjs')).e2e,
  },
  generate: {
    about: 'generate code from the schemas, or a page or record by name',
    load: async () => (await import('./setup/named-scripts.mjs')).generate,
  },
  install: {
    about: 'install the packages of package-lock.json (--start: those of a start)',
    load: async () => (await import('./setup/install.mjs')).install,
  },
  lint: {
    about: 'check types, format, lint rules and dependencies (tsc, biome, knip)',
    load: async () => (await import('./setup/lint.mjs')).lint,
  },
  prepack: {
    about: 'build before npm pack, which calls it',
    load: async () => (await import('./setup/build.mjs')).build,
  },
  rules: {
    about: 'run the conformance suite against the built program (--lower: lower the list)',
    load: async () => (await import('./setup/rules.mjs')).rules,
  },
  start: {
    about: 'install, build and start the server; flags go to the server',
    load: async () => (await import('./setup/start.mjs')).start,
  },
  test: {
    about: 'run all checks of a change; the last line is the sum (--all: as CI does)',
    load: async () => (await import('./setup/test.mjs')).test,
  },
  'test:clients': {
    about: 'run the clients of others in their default settings (the same as check clients)',
    load: async () => {
      const { check } = await import('./setup/named-scripts.mjs');
      return (flags) => check(['clients', ...flags]);
    },
  },
  unit: {
    about: 'run the unit tests; names and flags go to vitest',
    load: async () => (await import('./setup/lint.mjs')).unit,
  },
};

function usage() {
  const rows = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(13)}${about}`);
  return `usage: node tools/setup.mjs <command> [flags]\n${rows.join('\n')}`;
}

const [name = '', ...flags] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined) {
  console.error(usage());
  process.exit(2);
}
process.chdir(new URL('..', import.meta.url).pathname);
refuseOldNode();
endCleanly();
const run = await command.load();
process.exitCode = await run(flags);
