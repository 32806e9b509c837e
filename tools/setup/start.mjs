/** `npm start [-- flags]`: installs, builds and runs the server in the foreground. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { ensureBuilt } from './build.mjs';
import { endWith } from './ending.mjs';
import { ensureInstalled } from './install.mjs';

const MAIN = 'dist/server/main.js';
const READY = /^armtwin ready (\S+)$/m;

/**
 * One malloc arena for all threads: the process of the rigid-body engine uses a third less memory.
 */
const MEMORY = { MALLOC_ARENA_MAX: '1' };

/**
 * Starts the program. It ends with this process, however that ends (`--parent`).
 * @param {string[]} flags
 * @param {import('node:child_process').StdioOptions} stdio
 * @param {string} [main] the program
 */
export function launch(flags, stdio, main = MAIN) {
  const env = { ...MEMORY, ...process.env, ARMTWIN_PARENT: String(process.pid) };
  return endWith(spawn(process.execPath, [main, ...flags], { stdio, env }));
}

/**
 * Resolves to the exit code of the program, or 128 + the signal number, as in a shell, once all
 * that it printed is read ('exit' comes before the last data of its pipes).
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function exitCodeOf(child) {
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/**
 * Resolves to the address when the program is ready; rejects when it exits before.
 * @param {import('node:child_process').ChildProcess} child launched with its stdout as a pipe
 * @param {RegExp} [ready] pattern of the ready line; group 1 is the address
 * @returns {Promise<string>}
 */
export function readyUrl(child, ready = READY) {
  let output = '';
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const url = ready.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.on('close', (code) => {
      reject(new Error(`the server exited early with code ${code}\n${errors}`));
    });
  });
}

/**
 * The statements about state and motion that the monitor of a program found violated.
 * @param {string} url
 * @returns {Promise<string[]>}
 */
export async function violationsOf(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = text.matchAll(/^armtwin_invariant_violations_total(\S*) (\S+)$/gm);
  return [...counts].flatMap(([, labels = '', count]) => (Number(count) > 0 ? [labels] : []));
}

/**
 * Installs packages and builds dist/ if needed. Returns false, after printing why, on failure.
 * @param {import('./install.mjs').Extent} [extent] of packages and build
 */
export async function ensureProgram(extent) {
  if (!(await ensureInstalled(extent)) || !(await ensureBuilt(extent))) return false;
  if (existsSync(MAIN)) return true;
  process.stderr.write(`${MAIN} does not exist: this tree has no server/main.ts\n`);
  return false;
}

/** @param {string[]} flags */
export async function start(flags) {
  return (await ensureProgram('start')) ? exitCodeOf(launch(flags, 'inherit')) : 1;
}
