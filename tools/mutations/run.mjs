/** A run of StrykerJS in the copy of the sources, with the results of each file as it ends. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configureRun, SCRATCH } from './scratch.mjs';

/** @typedef {import('./score.mjs').Mutant} Mutant */

const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';
const POLL_MS = 2_000;

/**
 * The results of the files that are complete, from the lines that the reporter wrote. Throws when
 * coverage is of one test file alone though many ran: the measurement is wrong.
 * @param {string} lines
 * @returns {{ complete: Map<string, Mutant[]>, isBetweenFiles: boolean }} `isBetweenFiles`: no file
 *   has results for a part of its mutants that had to run
 */
export function completeFiles(lines) {
  // The last piece is empty, or a line that is still being written.
  const rows = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  if (rows.some(({ covering, testFiles }) => covering < 2 && testFiles > 5)) {
    throw new Error('StrykerJS has coverage of one test file alone; its results mean nothing');
  }
  /** @type {Record<string, number>} */
  const planned = rows.find((row) => 'planned' in row)?.planned ?? {};
  /** @type {Map<string, Mutant[]>} */
  const tested = new Map();
  for (const { path, mutant } of rows) {
    if (path) tested.set(path, [...(tested.get(path) ?? []), mutant]);
  }
  const isComplete = (/** @type {string} */ path) => tested.get(path)?.length === planned[path];
  const hasRun = ({ status }) => status !== 'Ignored' && status !== 'NoCoverage';
  const partial = [...tested].filter(([path, list]) => !isComplete(path) && list.some(hasRun));
  return {
    complete: new Map([...tested].filter(([path]) => isComplete(path))),
    isBetweenFiles: partial.length === 0,
  };
}

/**
 * Runs the mutants of the places and reports each file as it ends; after `minutes` it stops with
 * the file at hand.
 * @param {{
 *   node: string, mutate: readonly string[], tests: readonly string[], concurrency: number,
 *   minutes: number, onFile: (path: string, mutants: Mutant[]) => void,
 * }} options
 * @returns {Promise<void>}
 */
export async function runStryker({ node, minutes, onFile, ...run }) {
  configureRun(run);
  const file = join(SCRATCH, 'lines.jsonl');
  writeFileSync(file, '');
  const env = { ...process.env, MUTATION_LINES: file };
  const stdio = /** @type {const} */ (['ignore', 'inherit', 'inherit']);
  // A group of its own: the test processes of StrykerJS outlive it when it is interrupted.
  const options = { cwd: SCRATCH, env, stdio, detached: true };
  const child = spawn(node, [STRYKER, 'run', 'stryker.json'], options);
  const deadline = Date.now() + minutes * 60_000;
  const seen = new Set();
  let isStopping = false;
  /** @type {unknown} */
  let problem = null;
  const stop = () => {
    isStopping = true;
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const poll = () => {
    const { complete, isBetweenFiles } = completeFiles(readFileSync(file, 'utf8'));
    for (const [path, mutants] of complete) {
      if (!seen.has(path)) onFile(path, mutants);
      seen.add(path);
    }
    if (!isStopping && Date.now() >= deadline && isBetweenFiles) stop();
  };
  const timer = setInterval(() => {
    try {
      poll();
    } catch (error) {
      problem ??= error;
      stop();
    }
  }, POLL_MS);
  const code = await new Promise((done) => child.once('exit', done));
  clearInterval(timer);
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  if (problem !== null) throw problem;
  poll();
  if (code !== 0 && !isStopping) throw new Error(`StrykerJS ended with code ${code}`);
}
