/**
 * `npm run check manifests`: renders each folder of deploy/kubernetes with kustomize and validates
 * the result by the published schemas; validates the compose file with every profile. Skips with
 * the reason if the tools are missing. `npm test` validates the unrendered files.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createManifestValidator, documentsOf } from './manifests/manifests.mjs';

const ROOT = 'deploy/kubernetes';
const RENDERERS = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
];

/** @param {string} folder */
function render(folder) {
  for (const [command, subcommand] of RENDERERS) {
    const done = spawnSync(String(command), [String(subcommand), folder], { encoding: 'utf8' });
    if (done.error === undefined) return done;
  }
  return null;
}

/** Validates the compose file with every profile if docker-compose is installed. */
function composeFails() {
  const profiles = ['receiver', 'fleet', 'servo'].flatMap((name) => ['--profile', name]);
  const done = spawnSync('docker-compose', [...profiles, 'config', '-q'], { encoding: 'utf8' });
  if (done.error) console.log('skip compose: docker-compose is not installed');
  else console.log(done.status === 0 ? 'ok   compose: 4 services' : `FAIL compose: ${done.stderr}`);
  return !done.error && done.status !== 0;
}

function main() {
  const validate = createManifestValidator();
  let failed = composeFails() ? 1 : 0;
  for (const entry of readdirSync(ROOT, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const done = render(`${ROOT}/${entry.name}`);
    if (done === null) {
      console.log('skipped: install kubectl or kustomize');
      return failed;
    }
    const made = done.status === 0 ? documentsOf(done.stdout) : [];
    const problems = done.status === 0 ? made.flatMap(validate) : [done.stderr.trim()];
    if (problems.length > 0) failed += 1;
    const words = problems.length > 0 ? problems.join('; ') : `${made.length} objects`;
    console.log(`${problems.length > 0 ? 'FAIL' : 'ok  '} ${entry.name}: ${words}`);
  }
  return failed === 0 ? 0 : 1;
}

process.exitCode = main();
