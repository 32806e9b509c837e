/** The image of the committed Dockerfile: built by buildah, and read as a registry would see it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '../setup/process.mjs';

/**
 * @typedef {{ root: string, runroot: string }} Store where buildah keeps layers
 * @typedef {{ User: string, WorkingDir: string, Env: string[], Entrypoint: string[],
 *   Labels?: Record<string, string>, Healthcheck: { Test: string[] } }} ImageConfig
 */

const ENVIRONMENT = { BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };

/** @param {Store} store @param {readonly string[]} args */
const within = ({ root, runroot }, args) => ['--root', root, '--runroot', runroot, ...args];

/**
 * Runs buildah in the store and answers what it printed; '' for a failure that may be.
 * @param {Store} store @param {readonly string[]} args
 */
export function buildah(store, args, mayFail = false) {
  try {
    const env = { ...process.env, ...ENVIRONMENT };
    const stdio = /** @type {const} */ (['ignore', 'pipe', mayFail ? 'ignore' : 'inherit']);
    return execFileSync('buildah', within(store, args), { encoding: 'utf8', env, stdio }).trim();
  } catch (error) {
    if (mayFail) return '';
    throw error;
  }
}

/**
 * Builds the committed sources; answers how long that took (s).
 * @param {string} work @param {Store} store @param {boolean} pull
 */
export async function buildImage(work, store, pull) {
  const context = join(work, 'context');
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context, { recursive: true });
  const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', context], { input: archive });
  const whence = pull ? '--pull' : '--pull-never';
  const args = ['build', '--format', 'docker', whence, '--tag', 'armtwin', context];
  const env = ENVIRONMENT;
  const done = await runToEnd('buildah', within(store, args), { label: 'building', env });
  if (done.code !== 0) throw new Error(`buildah ended with ${done.code}\n${done.output}`);
  return done.seconds;
}

/** @param {string} path */
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * How many layers the image has over its base and how large they are, compressed; and its config.
 * @param {string} work @param {Store} store
 */
export function readImage(work, store) {
  const layout = join(work, 'layout');
  rmSync(layout, { recursive: true, force: true });
  // The format of Docker keeps the health check, which the open one has no place for.
  buildah(store, ['push', '--quiet', '--format', 'v2s2', 'armtwin', `dir:${layout}`]);
  const manifest = json(join(layout, 'manifest.json'));
  const config = json(join(layout, manifest.config.digest.replace('sha256:', '')));
  const base = JSON.parse(buildah(store, ['inspect', '--type', 'image', baseName()]));
  const below = base.OCIv1.rootfs.diff_ids.length;
  const own = manifest.layers.slice(below);
  const bytes = own.reduce((sum, /** @type {{ size: number }} */ { size }) => sum + size, 0);
  const image = /** @type {ImageConfig} */ (config.config);
  return { own_mb: bytes / 1e6, layers: own.length, config: image };
}

/** The base as the Dockerfile names it last. */
function baseName() {
  const names = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM (\S+)/gm)];
  return String(names.at(-1)?.[1]);
}
