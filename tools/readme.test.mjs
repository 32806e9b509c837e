/**
 * Runs the code blocks of the README and of docs/guide.md against one twin, in one shell, from top to bottom, twice with
 * ARMTWIN_README_ROUNDS=2, with nothing repaired in between; only address, package name, command
 * and file names are replaced. NOT_RUN lists the blocks that cannot run here. Then runs those of
 * docs/tutorial.md against the same twin and compares what they print with what the page shows.
 * Uses dist/ if it is fresh, else the sources.
 * @module-tag ci
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt } from './setup/build.mjs';
import { readyUrl } from './setup/start.mjs';
import { correctedToolpath, tutorialBlocks } from './tutorial-blocks.mjs';

const run = promisify(execFile);
/** README.md, then docs/guide.md. */
const README = ['README.md', 'docs/guide.md'].map((path) => readFileSync(path, 'utf8')).join('\n');
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
  'npm start ': 'npm test and npm run check fresh-clone run the three commands',
  'armtwin ready': 'output',
  'npm run build:wheel': 'npm run check wheel does it in another folder',
  'def test_the_arm_arrives': 'python-plugin.slow.test.mjs and npm run check wheel run it',
  'docker compose': 'needs a container engine and a cluster',
  './armtwin doctor --bus serial': 'needs servos',
};

/** Whether python3 has the arm's SDK; without it, the block that needs it is not run. */
const HAS_SDK = spawnSync('python3', ['-c', 'import evasdk']).status === 0;

/** Blocks that are run, by their first words, with the expected output. */
const RUN = {
  'import sys': [],
  './armtwin run --clock 10 -- python3 arm.py': HAS_SDK ? ['[0, 0.49999', ', -1.7999'] : [],
  'base=': ['"state":"running"'],
  'sim=': ['"trays"', '"at":"A1"'],
  './armtwin plan': ['pick-and-place.json  ok'],
  './armtwin rehearse': ['pick-and-place: as expected'],
  './armtwin doctor --bus memory': ['no problem found'],
  './armtwin data backup': ['restored from', '\nok '],
  'curl -sf': ['<title>', '"openapi"', '\narmtwin_real_time_factor '],
  './armtwin verify': ['held'],
  './armtwin export': ['<robot name="armtwin">'],
  "import { createTwin } from 'armtwin';": ['arrived\n'],
  'import { createRequire }': ['completed after '],
};

const startsWith = (/** @type {string} */ text, /** @type {object} */ table) =>
  Object.keys(table).find((start) => text.startsWith(start));

/** @type {import('node:child_process').ChildProcess} */
let child;
let url = '';

beforeAll(async () => {
  rmSync(SCRATCH, { recursive: true, force: true });
  mkdirSync(SCRATCH, { recursive: true });
  const data = ['--data', join(SCRATCH, 'arm')];
  const quiet = ['--log-level', 'silent', ...data];
  const flags = ['--port', '0', '--token', 'my-token', '--driver', 'fast', ...quiet];
  child = spawn(process.execPath, [...PROGRAM, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  url = await readyUrl(child);
}, 60_000);
afterAll(() => {
  child.kill('SIGTERM');
  rmSync(SCRATCH, { recursive: true, force: true });
});

const COMMAND = [process.execPath, ...PROGRAM].join(' ');

/** @param {string} text of a shell block */
function shellText(text) {
  if (text.startsWith('./armtwin run') && !HAS_SDK) return '';
  return text
    .replaceAll('http://127.0.0.1:8080', url)
    .replaceAll('./armtwin', COMMAND)
    .replaceAll('arm.py', join(SCRATCH, 'arm.py'))
    .replaceAll(/\barm\.(urdf|xml|glb)\b/g, (name) => join(SCRATCH, name))
    .replaceAll(/(?:\.\/)?\b(contract\.html|arm\.backup|restored)\b/g, (_all, name) =>
      join(SCRATCH, name),
    )
    .replaceAll('./arm ', `${join(SCRATCH, 'arm')} `);
}

/** The program with the modules of this tree in place of the installed package. */
function ownImports(/** @type {string} */ text) {
  return text
    .replaceAll("'armtwin/fixtures/", `'${resolve('fixtures')}/`)
    .replace("'armtwin/client'", `'${placed('contract/client')}'`)
    .replace("'armtwin/testing'", `'${placed('testing/index')}'`)
    .replace("from 'armtwin'", `from '${placed('server/index')}'`);
}

/** Writes a TypeScript block to a file; returns the command that runs it. */
function typeScriptCommand(/** @type {string} */ text, /** @type {number} */ index) {
  const program = ownImports(text);
  // The blocks contain no types, so plain Node can run them.
  const path = join(SCRATCH, `block-${index}.${built ? 'mjs' : 'mts'}`);
  writeFileSync(path, program);
  return [process.execPath, ...LOADER, path].join(' ');
}

/** The part of the script for a block. */
function step(
  /** @type {{ language: string | undefined, text: string }} */ { language, text },
  index = 0,
) {
  if (language === 'ts') return typeScriptCommand(text, index);
  if (language !== 'py') return shellText(text);
  writeFileSync(join(SCRATCH, 'arm.py'), text);
  return ':';
}

const MARK = '=== block ';
/** `npm run check fresh-clone -- --all` runs them twice. */
const ROUNDS = Number(process.env['ARMTWIN_README_ROUNDS'] ?? 1);

describe('the README and the guide', () => {
  const chosen = BLOCKS.filter(({ text }) => startsWith(text, RUN));

  it(`runs its blocks in one shell, top to bottom, ${ROUNDS} times`, async () => {
    const steps = chosen.map((block, at) => `echo '\n${MARK}${at}'\n${step(block, at)}\n`);
    const once = steps.join('');
    const shell = run('sh', ['-eu', '-c', once.repeat(ROUNDS)], { timeout: 280_000 });
    // The whole error holds all programs, which vitest would read for source maps.
    const { stdout } = await shell.catch(({ stderr }) => {
      throw new Error(`a block failed: ${String(stderr).slice(-2000)}`);
    });
    const outputs = stdout.split(`\n${MARK}`).slice(1);
    expect(outputs.length).toBe(ROUNDS * chosen.length);
    for (const [at, output] of outputs.entries()) {
      const name = startsWith(String(chosen[at % chosen.length]?.text), RUN);
      expect(output, name).not.toContain('"error_code"');
      for (const words of RUN[/** @type {keyof typeof RUN} */ (name)]) {
        expect(output, name).toContain(words);
      }
    }
  }, 300_000);

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
    for (const [path] of readFileSync('docs/figures.md', 'utf8').matchAll(/bench\/[\w.-]+\.ts/g)) {
      expect(existsSync(path), path).toBe(true);
    }
  });
});

/** A call of the twin as its admin. */
async function control(
  /** @type {string} */ method,
  /** @type {string} */ path,
  /** @type {object} */ body,
) {
  const headers = { 'Content-Type': 'application/json' };
  const logIn = { method: 'POST', headers, body: '{"token":"my-token"}' };
  const { token } = await (await fetch(`${url}/api/v1/auth`, logIn)).json();
  const authorized = { ...headers, Authorization: `Bearer ${token}` };
  const reply = await fetch(`${url}${path}`, {
    ...{ method, headers: authorized, body: JSON.stringify(body) },
  });
  expect(reply.ok, path).toBe(true);
}

describe('docs/tutorial.md', () => {
  const { files, commands } = tutorialBlocks();
  const first = join(SCRATCH, 'first');
  const clone = join(SCRATCH, 'clone');
  /**
   * `npm start` is the twin of this file. Client and package are those of this tree: `npm run check wheel` and
   * `npm run check package` install them. Both tests of the page run elsewhere.
   */
  const NOT_STEPS = /^(npm |\(cd \.\.\/first && (venv\/bin\/python -m pytest|node --test))/;
  const steps = commands.filter(({ text }) => !NOT_STEPS.test(text));

  beforeAll(() => {
    for (const folder of [clone, first]) mkdirSync(folder, { recursive: true });
    for (const { name, text } of files)
      writeFileSync(join(first, name), ownImports(text).replaceAll('http://127.0.0.1:8080', url));
  });

  it('prints what it shows', async () => {
    expect(commands.length - steps.length).toBe(5);
    await control('POST', '/sim/v1/reset', {});
    // No waiting for the motions.
    await control('PUT', '/sim/v1/clock', { pace: 50 });
    const script = steps.map(({ text }, at) => {
      const own = shellText(text)
        .replace('venv/bin/python', `PYTHONPATH='${resolve('python')}' python3`)
        .replace('node pick', `${[process.execPath, ...LOADER].join(' ')} pick`);
      return `echo '${MARK}${at}'\n${own}`;
    });
    // A toolpath with an error and a rehearsal that is not as expected exit with 1.
    const shell = ['-u', '-c', `${script.join('')}\ntrue`];
    const { stdout, stderr } = await run('sh', shell, { cwd: clone, timeout: 170_000 });
    expect(stderr).toBe('');
    const printed = stdout.split(new RegExp(`^${MARK}\\d+\n`, 'm')).slice(1);
    expect(printed).toEqual(steps.map(({ output }) => output ?? ''));
  }, 180_000);

  it('has a test for node:test that passes', async () => {
    writeFileSync(join(first, 'pick.json'), correctedToolpath());
    const args = [...LOADER, '--test', 'pick.test.mjs'];
    const { stdout } = await run(process.execPath, args, { cwd: first, timeout: 170_000 });
    expect(stdout).toMatch(/^# pass 1$|pass 1\b/m);
  }, 180_000);
});

describe('docs/index.md', () => {
  it('lists every page', () => {
    const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
    const index = readFileSync('docs/index.md', 'utf8');
    const missing = pages.filter((name) => name !== 'index.md' && !index.includes(`](${name})`));
    expect(missing).toEqual([]);
  });
});
