/**
 * `npm run check mutations`: mutates a scratch copy of the committed sources, one mutation at a
 * time, and runs the conformance rules. Prints the survivors. `--count N`, `--seed N`; `--list`
 * only lists; `--only TEXT` selects mutations whose place contains a line of the text; `--goal N`
 * is the number that must be killed.
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

/** The folders of server/ between a request and the joints. */
const FOLDERS = ['http', 'robot', 'sessions', 'stream', 'toolpaths', 'updates', 'simulation'];
/** Tests, and code without an arm, which rules do not cover. */
const NOT_SERVED = /\.(test|cases)\.ts$|^viewer-application\.ts$/;
/** Orders in which the rules must hold without a mutation. */
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

/** A copy of the committed sources that uses the packages of this tree. */
function scratchCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-mutations-'));
  const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** @param {string} folder */
function candidates(folder) {
  return FOLDERS.flatMap((name) => {
    const files = readdirSync(join(folder, 'server', name), { recursive: true }).sort();
    const sources = files
      .map(String)
      .filter((file) => file.endsWith('.ts') && !NOT_SERVED.test(file));
    return sources.flatMap((file) => {
      const path = `server/${name}/${file}`;
      return mutationsOf(path, readFileSync(join(folder, path), 'utf8'));
    });
  });
}

/**
 * The rule that kills the mutation, or null.
 * @param {string} folder
 * @param {readonly string[]} order the mutated file, or other arguments of the trial
 * @param {number} silence_ms timeout without a finished rule
 * @returns {Promise<string | null>}
 */
function trial(folder, order, silence_ms) {
  return new Promise((done) => {
    const args = ['--import', 'tsx', TRIAL, ...order];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      hung.refresh();
    });
    child.stderr.on('data', (chunk) => (errors += chunk));
    const hung = setTimeout(() => child.kill('SIGKILL'), silence_ms);
    child.on('close', (_code, signal) => {
      clearTimeout(hung);
      if (signal === 'SIGKILL') done('timeout: the rules hang');
      else if (!output.trim().startsWith('{'))
        done(`the twin does not start: ${errors.trim().split('\n').at(-1)}`);
      else done(JSON.parse(output).broken);
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

/** The duration of the rules without a mutation, or the rule that breaks. @param {string} folder */
async function baselineTrial(folder) {
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
  const baseline = await baselineTrial(first);
  if (typeof baseline === 'string') {
    console.log(`A rule breaks without a mutation: ${baseline}`);
    return 1;
  }
  const survivors = await runAll(chosen, first, baseline);
  const killed = chosen.length - survivors.length;
  const goal = numberFlag('goal', Math.ceil(chosen.length * 0.95));
  console.log(`\n${survivors.length} survived:\n${survivors.sort().join('\n')}`);
  console.log(`${killed} of ${chosen.length} killed, goal ${goal}`);
  return killed >= goal ? 0 : 1;
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
      const killer = await attempt(folder, mutation, silence_ms);
      const place = placeOf(mutation);
      console.log(`${killer === null ? 'survived' : 'killed  '} ${place}\n        ${killer ?? ''}`);
      if (killer === null) survivors.push(place);
    }
    rmSync(folder, { recursive: true });
  });
  await Promise.all(lanes);
  return survivors;
}

process.exitCode = await main();
