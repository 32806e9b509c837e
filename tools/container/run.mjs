/**
 * Runs a container without an engine: image files read-only in new namespaces; user, environment
 * and command from the config; a folder as the volume.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { exitCodeOf, readyUrl } from '../setup/start.mjs';
import { buildah } from './image.mjs';

/**
 * @typedef {{ root: string, data: string, config: import('./image.mjs').ImageConfig }} Place
 * @typedef {{ ready: boolean, ready_s: number, uid: number, healthy: boolean,
 *   unhealthyWhenStopped: boolean, code: number, end_s: number, stderr: string }} ContainerRun
 */

/** The uid and gid of the base image's user `node`. */
const NODE_USER = 1000;

/** Mounts files read-only, devices, processes and the volume, then runs the command. */
const SCRIPT = `set -e
mount --bind "$ROOT" "$ROOT"
mount -o remount,ro,bind "$ROOT"
mount --rbind /dev "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount --bind "$DATA" "$ROOT/data"
exec chroot --userspec=${NODE_USER}:${NODE_USER} "$ROOT" /usr/bin/env -i -C "$PLACE" "$@"`;

/**
 * Mounts the files of a new container while `work` runs.
 * @param {import('./image.mjs').Store} store @param {(root: string) => Promise<void>} work
 */
export async function withRoot(store, work) {
  const container = buildah(store, ['from', '--pull-never', 'armtwin']);
  try {
    await work(buildah(store, ['mount', container]));
  } finally {
    buildah(store, ['umount', container]);
    buildah(store, ['rm', container]);
  }
}

/** @param {Place} place @param {Record<string, string>} extra @param {readonly string[]} command */
function callOf({ root, data, config }, extra, command) {
  const more = Object.entries(extra).map(([name, value]) => `${name}=${value}`);
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const args = [...namespaces, 'sh', '-c', SCRIPT, 'sh', ...config.Env, ...more, ...command];
  const env = { ...process.env, ROOT: root, DATA: data, PLACE: config.WorkingDir };
  return { args, env };
}

/** @param {Place} place @param {Record<string, string>} extra @param {readonly string[]} command */
function runInside(place, extra, command) {
  const { args, env } = callOf(place, extra, command);
  return spawnSync('unshare', args, { env, encoding: 'utf8', timeout: 30_000 });
}

/** @param {Place} place */
function prepareVolume({ data }) {
  mkdirSync(data, { recursive: true });
  chownSync(data, NODE_USER, NODE_USER);
}

/** Whether writes to the root file system fail and writes to the volume succeed. */
export async function isReadOnly(/** @type {Place} */ place) {
  prepareVolume(place);
  const code = (/** @type {string} */ path) => `require('fs').writeFileSync('${path}', '')`;
  const own = runInside(place, {}, ['node', '-e', code('/app/dist/x')]);
  const volume = runInside(place, {}, ['node', '-e', code('/data/x')]);
  return own.status === 1 && own.stderr.includes('EROFS') && volume.status === 0;
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** The pid of the program, the child of the process that created the namespaces. */
function programPid(/** @type {number} */ pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

/** The exit code of the HEALTHCHECK. @param {Place} place @param {Record<string, string>} extra */
function health(place, extra) {
  const [, ...command] = place.config.Healthcheck.Test;
  return runInside(place, extra, command).status;
}

/**
 * Starts the container, checks it and stops it.
 * @param {Place} place
 * @param {Record<string, string>} extra environment
 * @returns {Promise<ContainerRun>}
 */
export async function runOnce(place, extra) {
  prepareVolume(place);
  const port = String(await freePort());
  const environment = { ...extra, ARMTWIN_PORT: port };
  const unhealthyWhenStopped = health(place, environment) === 1;
  const { args, env } = callOf(place, environment, place.config.Entrypoint);
  const start_ms = performance.now();
  const child = spawn('unshare', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = exitCodeOf(child);
  try {
    await readyUrl(child);
    const ready_s = (performance.now() - start_ms) / 1000;
    const { ok: ready } = await fetch(`http://127.0.0.1:${port}/readyz`);
    const pid = programPid(Number(child.pid));
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
    const healthy = health(place, environment) === 0;
    const signal_ms = performance.now();
    process.kill(pid, 'SIGTERM');
    const code = await Promise.race([ended, wait(10_000, -1, { ref: false })]);
    const end_s = (performance.now() - signal_ms) / 1000;
    return { ready, ready_s, uid, healthy, unhealthyWhenStopped, code, end_s, stderr };
  } finally {
    child.kill('SIGKILL');
  }
}
