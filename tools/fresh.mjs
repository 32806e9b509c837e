/**
 * `npm run fresh`: follows the README to the letter in an empty folder with an empty npm cache,
 * from the committed sources, and prints how long each step takes. `--all` runs `npm test` as well.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodeOf, readyUrl } from './setup/start.mjs';

/** @param {string} what @param {() => Promise<unknown>} work */
async function timed(what, work) {
  const start_ms = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - start_ms) / 1000).toFixed(1)} s`);
}

/** Runs npm as a newcomer's shell would. @param {string} folder @param {string[]} args */
function npm(folder, args) {
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  return spawn('npm', args, {
    cwd: join(folder, 'armtwin'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** @param {string} folder */
async function startsAndEnds(folder) {
  const child = npm(folder, ['start', '--', '--port', '0', '--token', 'fresh']);
  try {
    const url = await readyUrl(child);
    const { ok } = await fetch(`${url}/readyz`);
    if (!ok) throw new Error('it says that it is ready, and is not');
  } finally {
    process.kill(-Number(child.pid), 'SIGTERM');
  }
}

/** @param {string} folder */
async function proves(folder) {
  const child = npm(folder, ['test']);
  child.stdout.pipe(process.stdout);
  const code = await exitCodeOf(child);
  if (code !== 0) throw new Error(`npm test ended with ${code}`);
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-fresh-'));
  const tree = join(folder, 'armtwin');
  try {
    mkdirSync(tree);
    const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', tree], { input: archive });
    await timed('npm start, first time, until it is ready', () => startsAndEnds(folder));
    await timed('npm start, second time', () => startsAndEnds(folder));
    if (process.argv.includes('--all')) await timed('npm test', () => proves(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
