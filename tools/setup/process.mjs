/** Child processes: one that keeps its output for a report, with a sign of life while it runs. */
import { spawn } from 'node:child_process';
import { putLast } from './urgency.mjs';

const SIGN_OF_LIFE_MS = 10_000;

/**
 * @typedef {{
 *   label: string, env?: Record<string, string>, timeout_ms?: number, patient?: boolean,
 * }} RunOptions `patient` lets others go first
 * @typedef {{ code: number, output: string, seconds: number }} Finished
 */

/**
 * Runs a command to its end and returns its exit code and everything it printed. Every ten
 * seconds a line on stderr says that it still runs. A command that cannot be started ends with
 * code 127 and the reason as its output.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<Finished>}
 */
export function runToEnd(command, args, options) {
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  const sign = setInterval(() => {
    process.stderr.write(`  … ${options.label}, ${seconds().toFixed(0)} s\n`);
  }, SIGN_OF_LIFE_MS);
  return new Promise((resolve) => {
    let output = '';
    const finish = (/** @type {number} */ code) => {
      clearInterval(sign);
      resolve({ code, output, seconds: seconds() });
    };
    const child = spawn(command, args, {
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.timeout_ms === undefined ? {} : { timeout: options.timeout_ms }),
    });
    if (options.patient) putLast(child);
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
 * The path of a package's command inside node_modules, run by this very Node: no shell and no npx,
 * which cost half a second each.
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
