/**
 * `npm run fresh`: follows the README to the letter in an empty folder with an empty npm cache,
 * from the committed sources: both commands, then the package's tarball in a folder of its own.
 * Prints how long each step takes. `--all` runs `npm test` as well.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodeOf, readyUrl } from './setup/start.mjs';

/** @param {string} what @param {() => Promise<unknown>} work */
async function timed(what, work) {
  const start_ms = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - start_ms) / 1000).toFixed(1)} s`);
}

/**
 * Runs a command as a newcomer's shell would: nothing cached, nothing inherited of this tree.
 * @param {string} folder of the newcomer @param {string} place in it @param {string[]} command
 */
function type(folder, place, [command = '', ...args]) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|ARMTWIN_)/.test(name));
  return spawn(command, args, {
    cwd: join(folder, place),
    env: { ...Object.fromEntries(inherited), npm_config_cache: join(folder, 'cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** @param {string} folder @param {string} place @param {string[]} command */
async function startsAndEnds(folder, place, command) {
  const child = type(folder, place, command);
  const ended = exitCodeOf(child);
  try {
    const url = await readyUrl(child);
    const { ok } = await fetch(`${url}/readyz`);
    if (!ok) throw new Error('it says that it is ready, and is not');
  } finally {
    process.kill(-Number(child.pid), 'SIGTERM');
    await ended;
  }
}

/** Runs a command to its end; rejects when it fails, with the last that it said. */
async function runs(/** @type {import('node:child_process').ChildProcess} */ child, show = false) {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      said = (said + chunk).slice(-4000);
    });
  }
  if (show) child.stdout?.pipe(process.stdout);
  const code = await exitCodeOf(child);
  if (code !== 0) throw new Error(`it ended with ${code}\n${said}`);
}

/** @param {string} folder */
async function followsPackage(folder) {
  mkdirSync(join(folder, 'user'));
  writeFileSync(join(folder, 'user', 'package.json'), '{"private":true}');
  const pack = ['npm', 'pack', '--pack-destination', folder];
  await timed('npm pack', () => runs(type(folder, 'armtwin', pack)));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const install = ['npm', 'install', join(folder, String(tarball))];
  await timed('npm install of the tarball', () => runs(type(folder, 'user', install)));
  const start = ['npx', 'armtwin', '--port', '0', '--token', 'fresh'];
  await timed('npx armtwin, until it is ready', () => startsAndEnds(folder, 'user', start));
  const help = ['npx', 'armtwin', '--help'];
  await timed('npx armtwin --help', () => runs(type(folder, 'user', help)));
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-fresh-'));
  const tree = join(folder, 'armtwin');
  const start = ['npm', 'start', '--', '--port', '0', '--token', 'fresh'];
  const first = () => startsAndEnds(folder, 'armtwin', start);
  try {
    mkdirSync(tree);
    const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', tree], { input: archive });
    await timed('npm start, first time, until it is ready', first);
    await timed('npm start, second time', first);
    await followsPackage(folder);
    const test = () => runs(type(folder, 'armtwin', ['npm', 'test']), true);
    if (process.argv.includes('--all')) await timed('npm test', test);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
