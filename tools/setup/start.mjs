/** `npm start -- <flags>`: installed, built, then the server in the foreground. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

const MAIN = 'dist/server/main.js';
const READY = /^armtwin ready (\S+)$/m;

/**
 * One malloc arena instead of one a thread: the collision engine's process keeps a third less
 * memory, and nothing in it allocates from many threads at once.
 */
const MEMORY = { MALLOC_ARENA_MAX: '1' };

/**
 * Starts the program; signals sent to this process reach it.
 * @param {string[]} flags
 * @param {import('node:child_process').StdioOptions} stdio
 * @param {string} [main] the program
 */
export function launch(flags, stdio, main = MAIN) {
  const child = spawn(process.execPath, [main, ...flags], {
    stdio,
    env: { ...MEMORY, ...process.env },
  });
  // A terminal sends Ctrl-C to the whole process group, so the server has it already.
  const forwardInterrupt = process.stdin.isTTY !== true;
  process.on('SIGINT', () => forwardInterrupt && child.kill('SIGINT'));
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return child;
}

/**
 * The exit code of the program once it has ended, or 128 + the signal's number as a shell would.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function exitCodeOf(child) {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/**
 * The address, once the program says that it is ready; rejects when it ends before.
 * @param {import('node:child_process').ChildProcess} child launched with its stdout as a pipe
 * @param {RegExp} [ready] the line that says so, with the address in it
 * @returns {Promise<string>}
 */
export function readyUrl(child, ready = READY) {
  let said = '';
  let complained = '';
  child.stderr?.on('data', (chunk) => {
    complained += chunk;
  });
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      said += chunk;
      const url = ready.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.on('exit', (code) => {
      reject(new Error(`the server ended early, exit code ${code}\n${complained}`));
    });
  });
}

/** Brings the program to where it can be launched; false, with the reason shown, if it cannot. */
export async function ensureProgram() {
  if (!(await ensureInstalled()) || !(await ensureBuilt())) return false;
  if (existsSync(MAIN)) return true;
  process.stderr.write(`${MAIN} does not exist: server/main.ts is missing from this tree\n`);
  return false;
}

/** @param {string[]} flags */
export async function start(flags) {
  return (await ensureProgram()) ? exitCodeOf(launch(flags, 'inherit')) : 1;
}
