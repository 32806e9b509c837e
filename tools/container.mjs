/**
 * `npm run check container`: builds the image from the committed Dockerfile and runs it read-only
 * and without root. Needs no container engine: buildah builds, Linux namespaces run. The base image
 * is a substitute with the same Debian and Node unless `--pull` fetches the real one. `--work
 * FOLDER` keeps layers for the next run. Skips with the reason if tools are missing. See
 * docs/fleets.md.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createBaseImage } from './container/base-image.mjs';
import { buildImage, readImage } from './container/image.mjs';
import { missingTools } from './container/required-tools.mjs';
import { isReadOnly, runOnce, withRoot } from './container/run.mjs';

const GOAL_MB = 120;
const END_LIMIT_S = 5;

/** @type {string[]} */
const failures = [];

/** Prints one result and records a failure. */
function expectThat(/** @type {boolean} */ holds, /** @type {string} */ text) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${text}`);
  if (!holds) failures.push(text);
}

/** @param {string} work @param {boolean} pull */
async function prove(work, pull) {
  const store = { root: join(work, 'store'), runroot: join(work, 'run') };
  if (!pull) await createBaseImage(work, store);
  const build_s = await buildImage(work, store, pull);
  const image = readImage(work, store);
  console.log(
    `     built in ${build_s.toFixed(0)} s on ${pull ? 'the real' : 'a substitute'} base`,
  );
  const { own_mb, layers, config } = image;
  expectThat(
    own_mb <= GOAL_MB,
    `${layers} layers over the base, ${own_mb.toFixed(1)} MB compressed`,
  );
  expectThat(config.User === 'node', `its user is ${config.User || 'root'}`);
  const labels = Object.keys(config.Labels ?? {}).filter((name) => name.startsWith('org.open'));
  expectThat(labels.length >= 4, `labels: ${labels.join(', ')}`);
  await withRoot(store, async (root) => {
    const place = { root, config, data: join(work, 'data') };
    expectThat(await isReadOnly(place), 'the root file system is read-only');
    const first = await runOnce(place, { ARMTWIN_TOKEN: 'token-of-the-container' });
    expectThat(first.ready, `/readyz after ${first.ready_s.toFixed(1)} s, read-only`);
    expectThat(first.uid === 1000, `the process has uid ${first.uid}`);
    expectThat(first.healthy, 'HEALTHCHECK: healthy while running');
    expectThat(first.unhealthyWhenStopped, 'HEALTHCHECK: unhealthy when stopped');
    const clean = first.code === 0 && first.end_s < END_LIMIT_S;
    expectThat(clean, `SIGTERM: exit code ${first.code} after ${first.end_s.toFixed(1)} s`);
    const second = await runOnce(place, {});
    expectThat(
      second.ready && !/^token /m.test(second.stderr),
      'the volume keeps the admin across a restart',
    );
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
