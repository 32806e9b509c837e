/**
 * `npm run check package`: packs the built program, checks the tarball (own checks, publint,
 * arethetypeswrong), and uses it in an empty folder on each Node version: the command line, the
 * three entry points, their types, the fixtures, and the examples for Vitest and Jest.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { runAction } from './package/action.mjs';
import { runExamples } from './package/examples.mjs';
import { NODE_VERSIONS, nodeOf } from './package/node-versions.mjs';
import { runLinters } from './package/package-linters.mjs';
import { tarballProblems } from './package/tarball.mjs';
import { runTestRunners } from './package/test-runners.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { readyUrl } from './setup/start.mjs';

const ENTRY_POINTS = {
  '.': 'createTwin',
  './client': 'connect',
  './testing': 'openTwinFixture',
  './webhooks': 'verifyWebhook',
};

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** @param {string} folder */
function pack(folder) {
  const output = run('npm', ['pack', '--json', '--pack-destination', folder], '.');
  const [made] = JSON.parse(output.slice(output.indexOf('[')));
  return {
    path: join(folder, made.filename),
    files: made.files.map((/** @type {{ path: string }} */ f) => f.path),
  };
}

/**
 * Imports each entry point and runs a first program.
 * @param {string} node @param {string} folder
 */
function useEntryPoints(node, folder) {
  run(node, ['-e', "require('armtwin/fixtures/toolpaths/pick-and-place.json')"], folder);
  for (const [path, name] of Object.entries(ENTRY_POINTS)) {
    const from = `armtwin${path.slice(1)}`;
    const code = `import { ${name} } from '${from}'; if (typeof ${name} !== 'function') throw 1;`;
    run(node, ['--input-type=module', '-e', code], folder);
  }
  const program = `import { createTwin } from 'armtwin';
    const twin = await createTwin();
    await twin.advance(1);
    if (twin.snapshot().control.state !== 'ready') throw new Error('not ready');
    await twin.close();`;
  run(node, ['--input-type=module', '-e', program], folder);
}

/** Compiles a program that uses the types of each entry point. @param {string} folder */
function useTypes(folder) {
  const text = `import { createTwin, type Twin } from 'armtwin';
import { connect, type ArmClient } from 'armtwin/client';
import { openTwinFixture, type TwinFixture } from 'armtwin/testing';
export const twin: Promise<Twin> = createTwin();
export const arm: ArmClient = connect({ baseUrl: 'http://127.0.0.1:8080', token: 't' });
export const fixture: Promise<TwinFixture> = openTwinFixture();
// @ts-expect-error a token is a string
connect({ baseUrl: 'http://127.0.0.1:8080', token: 5 });
`;
  writeFileSync(join(folder, 'uses.mts'), text);
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'];
  const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
  run(process.execPath, [compiler, ...flags, ...types, 'uses.mts'], folder);
}

/**
 * Starts the installed command; returns the seconds until it is ready.
 * @param {string} node @param {string} folder
 */
async function serve(node, folder) {
  const start_ms = performance.now();
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const flags = ['--no-install', 'armtwin', '--port', '0', '--token', 'package'];
  const child = spawn('npx', flags, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  try {
    const url = await readyUrl(child);
    const seconds = (performance.now() - start_ms) / 1000;
    const { ok } = await fetch(`${url}/readyz`);
    const page = await (await fetch(url)).text();
    if (!ok || !/<html/i.test(page))
      throw new Error('the installed server is not ready or has no page');
    return seconds;
  } finally {
    process.kill(-Number(child.pid), 'SIGTERM');
  }
}

/** Installs and uses the tarball with one Node version; returns a line to print, or throws. */
async function tryVersion(/** @type {number} */ major, /** @type {string} */ path) {
  const node = nodeOf(major);
  if ('reason' in node) return `skip Node ${major}: ${node.reason}`;
  const folder = mkdtempSync(join(tmpdir(), `armtwin-node-${major}-`));
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', path], folder);
    useEntryPoints(node.path, folder);
    useTypes(folder);
    const seconds = await serve(node.path, folder);
    const names = Object.keys(ENTRY_POINTS).join(' ');
    const after = `ready ${seconds.toFixed(1)} s after npx`;
    return `ok   Node ${node.version}: entry points ${names}, types, ${after}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  if (!(await ensureBuilt())) return 1;
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-package-'));
  try {
    const { path, files } = pack(folder);
    const size_mb = statSync(path).size / 2 ** 20;
    console.log(`packed ${files.length} files, ${size_mb.toFixed(2)} MB`);
    const problems = tarballProblems(process.cwd(), files);
    const reports = runLinters(folder, path);
    for (const { name, skipped, problems: found } of reports) {
      console.log(
        skipped ? `skip ${name}: ${skipped}` : `${found ? 'FAIL' : 'ok  '} ${name} ${found}`,
      );
      if (found) problems.push(`${name} reports problems`);
    }
    for (const problem of problems) console.log(`FAIL ${problem}`);
    for (const major of NODE_VERSIONS) console.log(await tryVersion(major, path));
    await runAction(folder, path);
    console.log('ok   action.yml starts a twin from the tarball');
    problems.push(...runTestRunners(folder, path));
    await runExamples(folder, path);
    console.log('ok   deploy/ci: both examples start, test, verify and save their reports');
    return problems.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
