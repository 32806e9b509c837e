/**
 * `npm run check fresh-clone`: follows the README in an empty folder with an empty npm cache, from
 * the committed sources: both start commands, then the tarball in another folder. Prints the
 * duration of each step. `--all` also runs `npm test`, with the
 * blocks of the README twice.
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
 * Runs a command with an empty npm cache and without the variables of this tree.
 * @param {string} folder of the user @param {string} place in it @param {string[]} command
 */
function runAsUser(folder, place, [command = '', ...args]) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|ARMTWIN_)/.test(name));
  return spawn(command, args, {
    cwd: join(folder, place),
    env: {
      ...Object.fromEntries(inherited),
      npm_config_cache: join(folder, 'cache'),
      ARMTWIN_README_ROUNDS: '2',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** @param {string} folder @param {string} place @param {string[]} command */
async function startAndStop(folder, place, command) {
  const child = runAsUser(folder, place, command);
  const ended = exitCodeOf(child);
  try {
    const url = await readyUrl(child);
    const { ok } = await fetch(`${url}/readyz`);
    if (!ok) throw new Error('the server reports ready, but /readyz fails');
  } finally {
    process.kill(-Number(child.pid), 'SIGTERM');
    await ended;
  }
}

/** Runs a command to its end; rejects with the end of its output when it fails. */
async function runToSuccess(
  /** @type {import('node:child_process').ChildProcess} */ child,
  show = false,
) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-4000);
    });
  }
  if (show) child.stdout?.pipe(process.stdout);
  const code = await exitCodeOf(child);
  if (code !== 0) throw new Error(`the command failed with code ${code}\n${output}`);
}

/** @param {string} folder */
async function usePackage(folder) {
  mkdirSync(join(folder, 'user'));
  writeFileSync(join(folder, 'user', 'package.json'), '{"private":true}');
  const pack = ['npm', 'pack', '--pack-destination', folder];
  await timed('npm pack', () => runToSuccess(runAsUser(folder, 'armtwin', pack)));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const install = ['npm', 'install', join(folder, String(tarball))];
  await timed('npm install of the tarball', () => runToSuccess(runAsUser(folder, 'user', install)));
  const start = ['npx', '--no-install', 'armtwin', '--port', '0', '--token', 'fresh-clone'];
  await timed('npx --no-install armtwin, until it is ready', () =>
    startAndStop(folder, 'user', start),
  );
  const help = ['npx', '--no-install', 'armtwin', '--help'];
  await timed('npx --no-install armtwin --help', () =>
    runToSuccess(runAsUser(folder, 'user', help)),
  );
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-fresh-clone-'));
  const tree = join(folder, 'armtwin');
  const start = ['npm', 'start', '--', '--port', '0', '--token', 'fresh-clone'];
  const first = () => startAndStop(folder, 'armtwin', start);
  try {
    mkdirSync(tree);
    const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', tree], { input: archive });
    await timed('npm start, first time, until it is ready', first);
    await timed('npm start, second time', first);
    const run = ['./armtwin', 'run', '--', 'true'];
    await timed('./armtwin run -- true', () => runToSuccess(runAsUser(folder, 'armtwin', run)));
    await usePackage(folder);
    const test = () => runToSuccess(runAsUser(folder, 'armtwin', ['npm', 'test']), true);
    if (process.argv.includes('--all')) await timed('npm test', test);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
