/**
 * `npm run test:mutations`: plants faults in a scratch copy of the committed sources, one at a
 * time, and asks the rules of the spec whether they notice. What they do not notice is printed.
 * `--count N`, `--seed N`, `--list` shows without running; `--only TEXT` takes those alone whose
 * place has one of the text's lines; `--goal N` is how many must be noticed.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { draw, mutated, mutationsOf } from './mutations/candidates.mjs';
import { withoutEquivalents } from './mutations/equivalents.mjs';

/** The rooms that answer calls: what stands between a request and the joints. */
const ROOMS = ['http', 'robot', 'sessions', 'stream', 'toolpaths', 'updates', 'sim'];
/** Tests, and what answers where there is no arm: rules are about one. */
const NOT_SERVED = /\.(test|cases)\.ts$|^viewer-application\.ts$/;
/** Orders in which the rules must hold without a fault: a trial may run them in any. */
const ORDERS = [[], ['shuffled', '1'], ['shuffled', '2']];
const TRIAL = fileURLToPath(new URL('./mutations/trial.mjs', import.meta.url));

/** @param {string} name @param {number} fallback */
function numberFlag(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
}

/** @param {string} name */
function textFlag(name) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : (process.argv[at + 1] ?? null);
}

/** A copy of the committed sources that finds this tree's packages. */
function scratchCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-mutations-'));
  const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** @param {string} folder */
function candidates(folder) {
  return ROOMS.flatMap((room) => {
    const files = readdirSync(join(folder, 'server', room), { recursive: true }).sort();
    const sources = files
      .map(String)
      .filter((file) => file.endsWith('.ts') && !NOT_SERVED.test(file));
    return sources.flatMap((file) => {
      const path = `server/${room}/${file}`;
      return mutationsOf(path, readFileSync(join(folder, path), 'utf8'));
    });
  });
}

/**
 * The rule that noticed, or null.
 * @param {string} folder
 * @param {readonly string[]} order the changed file, or what the trial takes instead
 * @param {number} silence_ms without the end of a rule: it hangs
 * @returns {Promise<string | null>}
 */
function trial(folder, order, silence_ms) {
  return new Promise((done) => {
    const args = ['--import', 'tsx', TRIAL, ...order];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let complained = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      hung.refresh();
    });
    child.stderr.on('data', (chunk) => (complained += chunk));
    const hung = setTimeout(() => child.kill('SIGKILL'), silence_ms);
    child.on('close', (_code, signal) => {
      clearTimeout(hung);
      if (signal === 'SIGKILL') done('no end: the rules wait for ever');
      else if (!said.trim().startsWith('{'))
        done(`no start: ${complained.trim().split('\n').at(-1)}`);
      else done(JSON.parse(said).broken);
    });
  });
}

/**
 * @param {string} folder
 * @param {import('./mutations/candidates.mjs').Mutation} mutation
 * @param {number} silence_ms
 */
async function attempt(folder, mutation, silence_ms) {
  const path = join(folder, mutation.path);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, mutated(text, mutation));
  try {
    return await trial(folder, [mutation.path], silence_ms);
  } finally {
    writeFileSync(path, text);
  }
}

/** @param {import('./mutations/candidates.mjs').Mutation} mutation */
const placeOf = ({ path, line, kind, source }) => `${path}:${line} ${kind}: ${source}`;

/** How long the rules take without a fault, or the rule that breaks. @param {string} folder */
async function soundTrial(folder) {
  const began_ms = performance.now();
  for (const order of ORDERS) {
    const broken = await trial(folder, order, 600_000);
    if (broken !== null) return broken;
  }
  return (performance.now() - began_ms) / ORDERS.length;
}

async function main() {
  const first = scratchCopy();
  const count = numberFlag('count', 100);
  const matter = withoutEquivalents(candidates(first));
  const drawn = draw(matter, { seed: numberFlag('seed', 1), count });
  const only = textFlag('only')?.split('\n') ?? [''];
  const chosen = drawn.filter((one) => only.some((text) => placeOf(one).includes(text)));
  if (process.argv.includes('--list')) {
    for (const mutation of chosen) console.log(placeOf(mutation));
    rmSync(first, { recursive: true });
    return 0;
  }
  const sound = await soundTrial(first);
  if (typeof sound === 'string') {
    console.log(`without any fault a rule breaks already: ${sound}`);
    return 1;
  }
  // No rule takes as long as all of them together.
  const survivors = await runAll(chosen, first, sound);
  const noticed = chosen.length - survivors.length;
  const goal = numberFlag('goal', Math.ceil(chosen.length * 0.95));
  console.log(`\n${survivors.length} not noticed:\n${survivors.sort().join('\n')}`);
  console.log(`${noticed} of ${chosen.length} noticed, goal ${goal}`);
  return noticed >= goal ? 0 : 1;
}

/**
 * @param {import('./mutations/candidates.mjs').Mutation[]} chosen
 * @param {string} first
 * @param {number} silence_ms
 */
async function runAll(chosen, first, silence_ms) {
  const waiting = [...chosen];
  /** @type {string[]} */
  const survivors = [];
  const count = Math.min(availableParallelism(), numberFlag('lanes', 2));
  const lanes = Array.from({ length: count }, async (_, lane) => {
    const folder = lane === 0 ? first : scratchCopy();
    for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
      const noticed = await attempt(folder, mutation, silence_ms);
      const place = placeOf(mutation);
      console.log(`${noticed === null ? 'MISSED ' : 'noticed'} ${place}\n        ${noticed ?? ''}`);
      if (noticed === null) survivors.push(place);
    }
    rmSync(folder, { recursive: true });
  });
  await Promise.all(lanes);
  return survivors;
}

process.exitCode = await main();
