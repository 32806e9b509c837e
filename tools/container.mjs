/**
 * `npm run test:container`: builds the image from the committed Dockerfile and starts it as a
 * careful host would, read-only and not as root, on a machine without a container engine: buildah
 * builds, namespaces run. The base image is a stand-in (the same Debian and Node, other layers)
 * unless `--pull` allows to fetch the real one. `--work FOLDER` keeps bases and layers for the next
 * run. Skips with the reason where the tools are absent. Further notes: docs/fleets.md.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildImage, readImage } from './container/image.mjs';
import { liveOnce, refusesToWrite, withRoot } from './container/life.mjs';
import { makeBase } from './container/stand-in.mjs';
import { missingTools } from './container/tools.mjs';

const GOAL_MB = 120;
const END_LIMIT_S = 5;

/** @type {string[]} */
const failures = [];

/** Prints one figure and remembers when it is not as it must be. */
function hold(/** @type {boolean} */ holds, /** @type {string} */ text) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${text}`);
  if (!holds) failures.push(text);
}

/** @param {string} work @param {boolean} pull */
async function prove(work, pull) {
  const store = { root: join(work, 'store'), runroot: join(work, 'run') };
  if (!pull) await makeBase(work, store);
  const build_s = await buildImage(work, store, pull);
  const image = readImage(work, store);
  console.log(`     built in ${build_s.toFixed(0)} s on ${pull ? 'the real' : 'a stand-in'} base`);
  const { own_mb, layers, config } = image;
  hold(own_mb <= GOAL_MB, `${layers} layers over the base, ${own_mb.toFixed(1)} MB compressed`);
  hold(config.User === 'node', `its user is ${config.User || 'root'}`);
  const labels = Object.keys(config.Labels ?? {}).filter((name) => name.startsWith('org.open'));
  hold(labels.length >= 4, `labels: ${labels.join(', ')}`);
  await withRoot(store, async (root) => {
    const place = { root, config, data: join(work, 'data') };
    hold(await refusesToWrite(place), 'its own files cannot be written');
    const first = await liveOnce(place, { ARMTWIN_TOKEN: 'token-of-the-container' });
    hold(first.ready, `/readyz answers ${first.ready_s.toFixed(1)} s after the start, read-only`);
    hold(first.uid === 1000, `the process has uid ${first.uid}`);
    hold(first.healthy, 'HEALTHCHECK: healthy while it runs');
    hold(first.sick, 'HEALTHCHECK: unhealthy where nothing runs');
    const clean = first.code === 0 && first.end_s < END_LIMIT_S;
    hold(clean, `SIGTERM: exit code ${first.code} after ${first.end_s.toFixed(1)} s`);
    const second = await liveOnce(place, {});
    hold(second.ready && !/^token /m.test(second.words), 'its admin is in the volume at a restart');
  });
}

async function main() {
  const flags = process.argv.slice(2);
  const missing = missingTools();
  if (missing.length > 0) {
    console.log(`skipped: ${missing.join('; ')}`);
    return 0;
  }
  const at = flags.indexOf('--work');
  const kept = at < 0 ? null : resolve(String(flags[at + 1]));
  const work = kept ?? mkdtempSync(join(tmpdir(), 'armtwin-container-'));
  try {
    await prove(work, flags.includes('--pull'));
  } finally {
    if (!kept && existsSync(work)) rmSync(work, { recursive: true, force: true });
  }
  return failures.length === 0 ? 0 : 1;
}

process.exitCode = await main();
