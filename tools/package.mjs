/**
 * `npm run test:package`: packs the built program, judges the tarball (by our own judge, publint
 * and arethetypeswrong), and uses it from an empty folder as a stranger would, on each line of
 * Node: the command line, the three entrances, and their types.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { runAction } from './package/action.mjs';
import { runExamples } from './package/examples.mjs';
import { judgeTarball } from './package/judge.mjs';
import { LINES, nodeOf } from './package/nodes.mjs';
import { othersSay } from './package/others.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { readyUrl } from './setup/start.mjs';

const ENTRANCES = {
  '.': 'createTwin',
  './client': 'connect',
  './testing': 'openStage',
};

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** @param {string} folder */
function pack(folder) {
  const said = run('npm', ['pack', '--json', '--pack-destination', folder], '.');
  const [made] = JSON.parse(said.slice(said.indexOf('[')));
  return {
    path: join(folder, made.filename),
    files: made.files.map((/** @type {{ path: string }} */ f) => f.path),
  };
}

/**
 * What a stranger's first program does with each entrance.
 * @param {string} node @param {string} folder
 */
function useEntrances(node, folder) {
  for (const [entrance, name] of Object.entries(ENTRANCES)) {
    const from = `armtwin${entrance.slice(1)}`;
    const code = `import { ${name} } from '${from}'; if (typeof ${name} !== 'function') throw 1;`;
    run(node, ['--input-type=module', '-e', code], folder);
  }
  const story = `import { createTwin } from 'armtwin';
    const twin = await createTwin();
    await twin.advance(1);
    if (twin.snapshot().control.state !== 'ready') throw new Error('not ready');
    await twin.close();`;
  run(node, ['--input-type=module', '-e', story], folder);
}

/** Holds the types of each entrance against a strict compiler. @param {string} folder */
function useTypes(folder) {
  const text = `import { createTwin, type Twin } from 'armtwin';
import { connect, type ArmClient } from 'armtwin/client';
import { openStage, type Stage } from 'armtwin/testing';
export const twin: Promise<Twin> = createTwin();
export const arm: ArmClient = connect({ baseUrl: 'http://127.0.0.1:8080', token: 't' });
export const stage: Promise<Stage> = openStage();
// @ts-expect-error a token is text
connect({ baseUrl: 'http://127.0.0.1:8080', token: 5 });
`;
  writeFileSync(join(folder, 'uses.mts'), text);
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'];
  const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
  run(process.execPath, [compiler, ...flags, ...types, 'uses.mts'], folder);
}

/**
 * Starts the installed command and asks whether it is ready; answers the seconds until then.
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
    if (!ok || !/<html/i.test(page)) throw new Error('not ready, or without its page');
    return seconds;
  } finally {
    process.kill(-Number(child.pid), 'SIGTERM');
  }
}

/** Installs the tarball with one line of Node and uses it; answers a line to print, or throws. */
async function live(/** @type {number} */ line, /** @type {string} */ path) {
  const node = nodeOf(line);
  if ('reason' in node) return `skip Node ${line}: ${node.reason}`;
  const folder = mkdtempSync(join(tmpdir(), `armtwin-node-${line}-`));
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', path], folder);
    useEntrances(node.path, folder);
    useTypes(folder);
    const seconds = await serve(node.path, folder);
    const names = Object.keys(ENTRANCES).join(' ');
    const after = `ready ${seconds.toFixed(1)} s after npx`;
    return `ok   Node ${node.version}: entrances ${names}, types, ${after}`;
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
    const problems = judgeTarball(process.cwd(), files);
    const others = othersSay(folder, path);
    for (const { name, skipped, said } of others) {
      console.log(
        skipped ? `skip ${name}: ${skipped}` : `${said ? 'FAIL' : 'ok  '} ${name} ${said}`,
      );
      if (said) problems.push(`${name} finds faults`);
    }
    for (const problem of problems) console.log(`FAIL ${problem}`);
    for (const line of LINES) console.log(await live(line, path));
    await runAction(folder, path);
    console.log('ok   action.yml starts a twin from the tarball');
    await runExamples(folder, path);
    console.log('ok   deploy/ci: both examples start, test, verify and keep their reports');
    return problems.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
