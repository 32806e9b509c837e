/** Builds the image of the committed Dockerfile with buildah and reads its manifest. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '../setup/process.mjs';

/**
 * @typedef {{ root: string, runroot: string }} Store the layer store of buildah
 * @typedef {{ User: string, WorkingDir: string, Env: string[], Entrypoint: string[],
 *   Labels?: Record<string, string>, Healthcheck: { Test: string[] } }} ImageConfig
 */

const ENVIRONMENT = { BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };

/** @param {Store} store @param {readonly string[]} args */
const within = ({ root, runroot }, args) => ['--root', root, '--runroot', runroot, ...args];

/**
 * Runs buildah in the store and returns its output; '' for an accepted failure.
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
 * Builds the committed sources; returns the duration (s).
 * @param {string} work @param {Store} store @param {boolean} pull
 */
export async function buildImage(work, store, pull) {
  const context = join(work, 'context');
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context, { recursive: true });
  const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', context], { input: archive });
  const pullFlag = pull ? '--pull' : '--pull-never';
  const args = ['build', '--format', 'docker', pullFlag, '--tag', 'armtwin', context];
  const env = ENVIRONMENT;
  const done = await runToEnd('buildah', within(store, args), { label: 'building', env });
  if (done.code !== 0) throw new Error(`buildah failed with code ${done.code}\n${done.output}`);
  return done.seconds;
}

/** @param {string} path */
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * The number and the compressed size of the layers over the base, and the config of the image.
 * @param {string} work @param {Store} store
 */
export function readImage(work, store) {
  const layout = join(work, 'layout');
  rmSync(layout, { recursive: true, force: true });
  // Only the Docker format contains the health check; OCI does not.
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

/** The last base image of the Dockerfile. */
function baseName() {
  const names = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM (\S+)/gm)];
  return String(names.at(-1)?.[1]);
}
