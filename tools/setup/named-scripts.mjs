/**
 * `npm run check <name>` and `npm run generate [name]`: slow checks and generators by name. Each
 * runs in a bare clone: packages are installed first, and dist/ is built if the script needs it.
 */
import { spawnSync } from 'node:child_process';
import { ensureInstalled } from './install.mjs';
import { slowTests } from './lint.mjs';
import { runInForeground } from './process.mjs';
import { servoRules } from './servo-rules.mjs';
import { ensureProgram } from './start.mjs';

/**
 * @typedef {{
 *   about: string, node?: string[], built?: boolean, run?: (flags: string[]) => Promise<number>,
 *   git?: boolean,
 * }} Script `node`: arguments of Node; `built`: needs dist/; `git`: needs the committed sources;
 *   `run`: called instead of Node
 */

const TSX = ['--import', 'tsx'];

/** @type {Record<string, Script>} */
export const CHECKS = {
  clients: {
    about: "others' clients in default settings: curl, Java, Go, Python, Node, generated ones",
    node: [...TSX, 'e2e/clients/main.ts'],
    built: true,
  },
  container: {
    about: 'the image of the Dockerfile: read-only, without root, health check, shutdown',
    node: ['tools/container.mjs'],
    git: true,
  },
  'demo-site': {
    about: 'the static demo in Chromium from a plain server of files: replay, plan, edit',
    node: ['tools/demo-site.mjs'],
    built: true,
  },
  'fresh-clone': {
    about: 'the README followed in an empty folder (--all: npm test too)',
    node: ['tools/fresh-clone.mjs'],
    git: true,
  },
  manifests: {
    about: 'the Kubernetes manifests as kustomize renders them, and the compose file',
    node: ['tools/manifests.mjs'],
  },
  mutations: {
    about: 'that tests notice small changes of the named files (StrykerJS)',
    node: ['tools/mutations.mjs'],
  },
  neighbours: {
    about: 'one user takes all of what users share beside another, over HTTP; names choose some',
    node: [...TSX, 'e2e/neighbours/main.ts'],
    built: true,
  },
  package: {
    about: 'the npm package on four Node versions, in the GitHub action and the CI examples',
    node: ['tools/package.mjs'],
    built: true,
  },
  proxy: {
    about: 'nginx with TLS in front of a twin, by deploy/proxy/nginx.conf',
    node: ['tools/proxy.mjs'],
    built: true,
  },
  release: {
    about:
      'what a release publishes, made in the folder release/ and tried (--image: the image, too)',
    node: ['tools/release.mjs'],
    built: true,
  },
  robustness: {
    about: 'faults, load, attacks and soaks with figures; names choose some',
    node: [...TSX, 'e2e/robustness/main.ts'],
    built: true,
  },
  'servo-rules': {
    about: 'the conformance suite over emulated servos behind TCP, in real time',
    run: servoRules,
    built: true,
  },
  soak: {
    about: 'an hour (--minutes N) of mixed load by ten users with kills, and a stepped month',
    node: [...TSX, 'e2e/neighbours/mixed-load.ts'],
    built: true,
  },
  'slow-tests': {
    about: 'long random runs and oracles; names and flags go to vitest',
    run: slowTests,
  },
  wheel: {
    about: 'the Python wheel with the server inside, in an empty virtual environment',
    node: ['tools/wheel.mjs'],
    built: true,
  },
  'worst-hours': {
    about: 'a twin in memory of 512 MiB under the worst of each user (--seconds N)',
    node: [...TSX, 'e2e/neighbours/worst-hours.ts'],
    built: true,
  },
};

/** @type {Record<string, Script>} */
export const GENERATORS = {
  code: {
    about: 'TypeScript from contract/schema (default)',
    node: ['tools/generate.mjs'],
  },
  conformance: {
    about: 'docs/evidence/conformance.md from runs of the conformance suite',
    node: ['tools/conformance.mjs'],
    built: true,
  },
  examples: {
    about: 'the examples of the API documents, from replies of a twin to the conformance suite',
    node: [...TSX, 'tools/examples.mjs'],
  },
  goldens: {
    about: 'compare the builds of fixtures/toolpaths with the record (--write: update it)',
    node: [...TSX, 'tools/goldens.mjs'],
  },
  'kubernetes-schemas': {
    about: 'deploy/kubernetes/schemas.json from published types',
    node: ['tools/kubernetes-schemas.mjs'],
  },
  'inter-subset': {
    about: 'the font of the first script, from the whole Inter',
    node: ['tools/inter-subset.mjs'],
  },
  lockfile: {
    about: 'entries of package-lock.json for optional packages of other platforms',
    node: ['tools/lockfile.mjs'],
  },
  plants: {
    about: 'the tables of docs/plants.md from scenes on both plants (--check: compare)',
    node: [...TSX, 'tools/plants.mjs'],
  },
  'release-cut': {
    about: 'a new version in every file that names it, with its section of CHANGELOG.md',
    node: ['tools/release.mjs', '--cut'],
  },
  screenshots: {
    about: 'docs/images from the built program',
    node: ['tools/screenshots.mjs'],
    built: true,
  },
  'servo-failures': {
    about:
      'the table of failures of docs/evidence/servo-failures.md from emulated servos (--check: compare)',
    node: [...TSX, 'tools/servo-failures.mjs'],
  },
};

/**
 * @param {string} command
 * @param {Record<string, Script>} scripts
 */
function usage(command, scripts) {
  const rows = Object.entries(scripts).map(([name, { about }]) => `  ${name.padEnd(20)}${about}`);
  return `usage: npm run ${command} <name> [-- flags]; names:\n${rows.join('\n')}`;
}

/**
 * @param {Script} script
 * @param {string[]} flags
 */
async function runScript({ node = [], built, git, run }, flags) {
  if (git && spawnSync('git', ['rev-parse', '--verify', 'HEAD']).status !== 0) {
    console.error('This check uses the committed sources; run it in a git clone.');
    return 1;
  }
  const ready = built ? await ensureProgram() : await ensureInstalled();
  if (!ready) return 1;
  return run ? run(flags) : runInForeground([...node, ...flags]);
}

/** @param {string[]} flags the name of a check and its flags */
export async function check([name = '', ...flags]) {
  const script = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  if (script !== undefined) return runScript(script, flags);
  if (name !== '') console.error(`Unknown check ${name}.`);
  console.error(usage('check', CHECKS));
  return 2;
}

/** @param {string[]} given the name of a generator, default `code`, and its flags */
export async function generate(given) {
  const [name = '', ...flags] =
    given[0] === undefined || given[0].startsWith('-') ? ['code', ...given] : given;
  const script = Object.hasOwn(GENERATORS, name) ? GENERATORS[name] : undefined;
  if (script !== undefined) return runScript(script, flags);
  console.error(`Unknown generator ${name}.\n${usage('generate', GENERATORS)}`);
  return 2;
}
