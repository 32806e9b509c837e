/** Child processes: in the background with captured output, or in the foreground. */
import { spawn } from 'node:child_process';
import { endWith } from './ending.mjs';
import { lowerPriority } from './process-priority.mjs';

const PROGRESS_MS = 10_000;

/**
 * @typedef {{
 *   label: string, env?: Record<string, string>, cwd?: string, timeout_ms?: number,
 *   lowPriority?: boolean,
 * }} RunOptions `lowPriority` yields to other processes
 * @typedef {{ code: number, output: string, seconds: number }} Finished
 */

/**
 * Runs a command to its end and returns its exit code and output. Prints a progress line to stderr
 * every 10 s. A command that cannot start returns code 127 and the reason as output.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<Finished>}
 */
export function runToEnd(command, args, options) {
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  const progress = setInterval(() => {
    process.stderr.write(`  … ${options.label}, ${seconds().toFixed(0)} s\n`);
  }, PROGRESS_MS);
  return new Promise((resolve) => {
    let output = '';
    const finish = (/** @type {number} */ code) => {
      clearInterval(progress);
      resolve({ code, output, seconds: seconds() });
    };
    const child = spawn(command, args, {
      env: { ...process.env, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.timeout_ms === undefined ? {} : { timeout: options.timeout_ms }),
    });
    endWith(child);
    if (options.lowPriority) lowerPriority(child);
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => {
      output += `${error.message}\n`;
      finish(127);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}

/**
 * The path of a package's command in node_modules. Running it with Node directly saves the half
 * second that a shell or npx costs.
 * @param {string} path below node_modules
 */
export function packageCommand(path) {
  return `node_modules/${path}`;
}

/**
 * Runs a package's script with this Node.
 * @param {string} path below node_modules
 * @param {string[]} args
 * @param {RunOptions} options
 */
export function runPackage(path, args, options) {
  return runToEnd(process.execPath, [packageCommand(path), ...args], options);
}

/**
 * Runs Node in the foreground and resolves to the exit code.
 * @param {string[]} args
 * @param {Record<string, string>} [env] additional variables
 * @returns {Promise<number>}
 */
export function runInForeground(args, env = {}) {
  const options = { stdio: /** @type {const} */ ('inherit'), env: { ...process.env, ...env } };
  const child = endWith(spawn(process.execPath, args, options));
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
