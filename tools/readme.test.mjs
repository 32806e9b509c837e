/**
 * Runs the code blocks of the README against a twin; only address, package name and command are
 * replaced. NOT_RUN lists the blocks that cannot run here. Uses dist/ if it is fresh, else the
 * sources.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt } from './setup/build.mjs';
import { readyUrl } from './setup/start.mjs';

const run = promisify(execFile);
const README = readFileSync('README.md', 'utf8');
const BLOCKS = [...README.matchAll(/```(\w*)\n(.*?)```/gs)].map(([, language, text]) => ({
  language,
  text: String(text),
}));
const SCRATCH = resolve('node_modules/.cache/armtwin/readme');

const built = isBuilt();
const LOADER = built ? [] : ['--import', 'tsx'];
const placed = (/** @type {string} */ path) => resolve(built ? `dist/${path}.js` : `${path}.ts`);
const PROGRAM = [...LOADER, placed('server/main')];

/** Blocks that are not run, by their first words, with the reason. */
const NOT_RUN = {
  'npm start ': 'npm test and npm run check fresh-clone run the two commands',
  'armtwin ready': 'output',
  'from evasdk': 'needs the Python SDK of the arm',
  'docker compose': 'needs a container engine and a cluster',
  'npx armtwin doctor': 'needs servos',
};

/** Blocks that are run, by their first words, with the expected output. */
const RUN = {
  'base=': ['"state":"running"'],
  'npx armtwin plan': ['pick-and-place.json  ok'],
  'curl -sf': ['<title>', '"openapi"', '\narmtwin_real_time_factor '],
  'npx armtwin verify': ['held'],
  "import { createTwin } from 'armtwin';": ['arrived\n'],
  'import { readFile }': ['completed after 64 events\n'],
};

const startsWith = (/** @type {string} */ text, /** @type {object} */ table) =>
  Object.keys(table).find((start) => text.startsWith(start));

/** @type {import('node:child_process').ChildProcess} */
let child;
let url = '';

beforeAll(async () => {
  mkdirSync(SCRATCH, { recursive: true });
  const flags = ['--port', '0', '--token', 'my-token', '--driver', 'fast', '--log-level', 'silent'];
  child = spawn(process.execPath, [...PROGRAM, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  url = await readyUrl(child);
}, 60_000);
afterAll(() => {
  child.kill('SIGTERM');
  rmSync(SCRATCH, { recursive: true, force: true });
});

/** @param {string} text */
async function runShell(text) {
  const command = [process.execPath, ...PROGRAM].join(' ');
  const script = text
    .replaceAll('http://127.0.0.1:8080', url)
    .replaceAll('npx armtwin', command)
    .replaceAll('contract.html', join(SCRATCH, 'contract.html'));
  return run('sh', ['-eu', '-c', script], { timeout: 90_000 });
}

/** @param {string} text @param {number} index */
async function runTypeScript(text, index) {
  const file = join(SCRATCH, `block-${index}.mts`);
  const program = text
    .replace("'armtwin/client'", `'${placed('contract/client')}'`)
    .replace("'armtwin'", `'${placed('server/index')}'`);
  // The blocks contain no types, so plain Node can run them.
  const path = built ? file.replace(/\.mts$/, '.mjs') : file;
  writeFileSync(path, program);
  return run(process.execPath, [...LOADER, path], { timeout: 60_000 });
}

/** Releases the lock that the curl block leaves; the rules need a free lock. */
async function releaseLock() {
  const auth = await fetch(`${url}/api/v1/auth`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"token":"my-token"}',
  });
  const { token } = await auth.json();
  const headers = { Authorization: `Bearer ${token}` };
  await fetch(`${url}/sim/v1/power_cycle`, { method: 'POST', headers });
}

describe('the README', () => {
  const chosen = BLOCKS.filter(({ text }) => startsWith(text, RUN));
  it.each(chosen.map((block, index) => ({ ...block, index, name: startsWith(block.text, RUN) })))(
    'runs the block that starts with $name',
    async ({ language, text, index, name }) => {
      if (name === 'npx armtwin verify') await releaseLock();
      const { stdout } =
        language === 'ts' ? await runTypeScript(text, index) : await runShell(text);
      expect(stdout).not.toContain('"error_code"');
      for (const words of RUN[/** @type {keyof typeof RUN} */ (name)]) {
        expect(stdout).toContain(words);
      }
    },
    120_000,
  );

  it('has only blocks that are run or listed, each once', () => {
    const starts = BLOCKS.map(({ text }) => startsWith(text, RUN) ?? startsWith(text, NOT_RUN));
    const listed = [...Object.keys(RUN), ...Object.keys(NOT_RUN)];
    expect(starts.toSorted()).toEqual(listed.toSorted());
  });

  it('names only existing commands', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const [, name] of README.matchAll(/npm run ([\w:]+)/g)) {
      expect(scripts, name).toHaveProperty([String(name)]);
    }
    for (const [path] of README.matchAll(/bench\/[\w.-]+\.ts/g)) {
      expect(existsSync(path), path).toBe(true);
    }
  });
});

describe('pages', () => {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));

  it.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages.map((name) => `docs/${name}`)])(
    '%s has no broken links',
    (page) => {
      for (const [, path] of readFileSync(page, 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
        const target = normalize(join(dirname(page), String(path)));
        expect(existsSync(target), `${page}: ${path}`).toBe(true);
      }
    },
  );

  it('are all in the index', () => {
    const index = readFileSync('docs/index.md', 'utf8');
    const missing = pages.filter((name) => name !== 'index.md' && !index.includes(`](${name})`));
    expect(missing).toEqual([]);
  });
});
