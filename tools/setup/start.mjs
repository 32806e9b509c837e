/** `npm start -- <flags>`: installed, built, then the server in the foreground. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

const MAIN = 'dist/server/main.js';

/**
 * One malloc arena instead of one a thread: the collision engine's process keeps a third less
 * memory, and nothing in it allocates from many threads at once.
 */
const MEMORY = { MALLOC_ARENA_MAX: '1' };

/**
 * Serves until the server ends or a signal ends it; returns its exit code, or 128 + the signal's
 * number as a shell would. Signals sent to this process reach the server.
 * @param {string[]} flags
 * @param {string} [main] the program
 * @returns {Promise<number>}
 */
export function serve(flags, main = MAIN) {
  const child = spawn(process.execPath, [main, ...flags], {
    stdio: 'inherit',
    env: { ...MEMORY, ...process.env },
  });
  // A terminal sends Ctrl-C to the whole process group, so the server has it already.
  const forwardInterrupt = process.stdin.isTTY !== true;
  process.on('SIGINT', () => forwardInterrupt && child.kill('SIGINT'));
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** @param {string[]} flags */
export async function start(flags) {
  if (!(await ensureInstalled()) || !(await ensureBuilt())) return 1;
  if (!existsSync(MAIN)) {
    process.stderr.write(`${MAIN} does not exist: server/main.ts is missing from this tree\n`);
    return 1;
  }
  return serve(flags);
}
