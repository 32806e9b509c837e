/**
 * A run of StrykerJS in the copy of the sources, and the results of all runs: each mutant has a
 * line as soon as it is tested, so that a run which is cut off loses nothing.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mutantId } from './score.mjs';
import { configureRun, SCRATCH } from './scratch.mjs';

/** @typedef {import('./score.mjs').Mutant} Mutant */

const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';
const POLL_MS = 5_000;
/** Share of the covering tests that a survivor meets at least. */
const MOST_TESTS = 0.75;

/**
 * The results of a file: `left` has the ids of the mutants without one.
 * @typedef {{ mutants: Mutant[], left: string[] }} FileResults
 */

/** Identifies a source with its text. @param {{ path: string, text: string }} source */
export const keyOf = ({ path, text }) => `${path} ${text}`;

/**
 * The results per source from the lines of the reporter. Throws when the measurement is wrong:
 * coverage is of one test file alone though many ran, files of the copy are gone, or a survivor met
 * few of the tests that cover it. One or the other test may be missing: a mutant can change the
 * table that tests are made of, and a run may limit the time.
 * @param {string} lines
 * @returns {Map<string, FileResults>} by `keyOf`
 */
export function resultsOf(lines) {
  // The last piece is empty, or a line that is still being written.
  const rows = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  if (rows.some(({ covering, testFiles }) => covering < 2 && testFiles > 5)) {
    throw new Error('StrykerJS has coverage of one test file alone; its results mean nothing');
  }
  const isGone = (/** @type {any} */ { mutant }) =>
    /ENOENT[^']*'[^']*armtwin-mutations-/.test(mutant?.statusReason ?? '');
  if (rows.some(isGone)) throw new Error('files of the copy of the sources are gone');
  const isUntested = (/** @type {any} */ { mutant, testsCompleted, covered, isLimited }) =>
    mutant?.status === 'Survived' && !isLimited && testsCompleted < MOST_TESTS * covered;
  const untested = rows.find(isUntested);
  if (untested) {
    const { path, mutant, testsCompleted, covered } = untested;
    const at = `${path}:${mutant.location.start.line}`;
    throw new Error(`only ${testsCompleted} of ${covered} tests ran the mutant of ${at}`);
  }
  /** @type {Map<string, { planned: Set<string>, tested: Map<string, Mutant> }>} */
  const sources = new Map();
  for (const row of rows.filter(({ path }) => path)) {
    const source = sources.get(keyOf(row)) ?? { planned: new Set(), tested: new Map() };
    sources.set(keyOf(row), source);
    for (const id of row.planned ?? []) source.planned.add(id);
    if (row.mutant) source.tested.set(mutantId(row.mutant), row.mutant);
  }
  return new Map(
    [...sources].map(([key, { planned, tested }]) => {
      const left = [...planned].filter((id) => !tested.has(id));
      return [key, { mutants: [...tested.values()], left }];
    }),
  );
}

/** The results that a file has, of all runs or none. @param {string} file */
export const resultsIn = (file) =>
  existsSync(file) ? resultsOf(readFileSync(file, 'utf8')) : new Map();

/**
 * Runs the mutants of the places and reports the results since the last report; after `minutes` it
 * stops. A mutant meets the tests that start within `seconds`. The lines of the reporter come to
 * `file`.
 * @param {{
 *   node: string, mutate: readonly string[], tests: readonly string[], concurrency: number,
 *   minutes: number, seconds: string | null, file: string,
 *   onResults: (results: Map<string, FileResults>) => void,
 * }} options
 * @returns {Promise<void>}
 */
export async function runStryker({ node, minutes, seconds, file, onResults, ...run }) {
  configureRun({ ...run, isQuick: seconds !== null });
  mkdirSync(dirname(file), { recursive: true });
  const times = join(SCRATCH, 'times.json');
  rmSync(times, { force: true });
  const limit_s = seconds === null ? {} : { MUTATION_SECONDS: seconds };
  const env = { ...process.env, MUTATION_LINES: file, MUTATION_TIMES: times, ...limit_s };
  const stdio = /** @type {const} */ (['ignore', 'inherit', 'inherit']);
  // A group of its own: the test processes of StrykerJS outlive it when it is interrupted.
  const options = { cwd: SCRATCH, env, stdio, detached: true };
  const child = spawn(node, [STRYKER, 'run', 'stryker.json'], options);
  let isStopping = false;
  /** @type {unknown} */
  let problem = null;
  const stop = () => {
    isStopping = true;
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const limit = Number.isFinite(minutes) ? setTimeout(stop, minutes * 60_000) : undefined;
  const timer = setInterval(() => {
    try {
      onResults(resultsIn(file));
    } catch (error) {
      problem ??= error;
      stop();
    }
  }, POLL_MS);
  const code = await new Promise((done) => child.once('exit', done));
  clearInterval(timer);
  clearTimeout(limit);
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  if (problem !== null) throw problem;
  onResults(resultsIn(file));
  if (code !== 0 && !isStopping) throw new Error(`StrykerJS ended with code ${code}`);
}
