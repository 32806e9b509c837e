/**
 * Runs the composite action like a CI server, with the tarball in place of the published package.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { exitCodeOf } from '../setup/start.mjs';

/** A free port. @returns {Promise<number>} */
export function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => done(port));
    });
  });
}

/** The log of the twin. @param {string} folder */
function logOf(folder) {
  return readFileSync(join(folder, 'armtwin.log'), 'utf8').slice(-500);
}

/**
 * Runs the step of action.yml in `folder`; rejects when it fails or its twin is not ready.
 * @param {string} folder
 * @param {string} tarball
 */
export async function runAction(folder, tarball) {
  const { inputs, outputs, runs } = /** @type {any} */ (load(readFileSync('action.yml', 'utf8')));
  const [{ run, env }] = runs.steps;
  /** @type {Record<string, string>} */
  const given = { port: String(await freePort()), package: tarball };
  const value = (/** @type {string} */ text) =>
    text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_all, name) => given[name] ?? inputs[name].default);
  const filled = Object.entries(env).map(([name, text]) => [name, value(String(text))]);
  const child = spawn('bash', ['-e', '-c', run], {
    env: { ...process.env, ...Object.fromEntries(filled), RUNNER_TEMP: folder },
    cwd: folder,
    detached: true,
    stdio: 'ignore',
  });
  try {
    const code = await exitCodeOf(child);
    if (code !== 0) throw new Error(`the action failed with code ${code}: ${logOf(folder)}`);
    const { ok } = await fetch(`${value(outputs.url.value)}/readyz`);
    if (!ok) throw new Error('the action succeeded, but its twin is not ready');
  } finally {
    endGroup(Number(child.pid));
  }
}

/** Ends the process group of a step, like a CI server. @param {number} pid */
export function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // The group has already ended.
  }
}
