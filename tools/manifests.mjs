/**
 * `npm run test:manifests`: renders each folder of deploy/kubernetes as a cluster's client does and
 * judges what comes out by the published schemas; reads the compose file with every profile.
 * Skips with the reason where the tools are absent; the files as they stand are judged by every
 * `npm test`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { documentsOf, judgeOfManifests } from './manifests/manifests.mjs';

const ROOT = 'deploy/kubernetes';
const WAYS = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
];

/** @param {string} folder */
function render(folder) {
  for (const [command, verb] of WAYS) {
    const done = spawnSync(String(command), [String(verb), folder], { encoding: 'utf8' });
    if (done.error === undefined) return done;
  }
  return null;
}

/** The compose file with every profile, where a compose is here to read it. */
function composeFails() {
  const profiles = ['receiver', 'fleet', 'servo'].flatMap((name) => ['--profile', name]);
  const done = spawnSync('docker-compose', [...profiles, 'config', '-q'], { encoding: 'utf8' });
  if (done.error) console.log('skip compose: docker-compose is not here');
  else console.log(done.status === 0 ? 'ok   compose: 4 services' : `FAIL compose: ${done.stderr}`);
  return !done.error && done.status !== 0;
}

function main() {
  const judge = judgeOfManifests();
  let failed = composeFails() ? 1 : 0;
  for (const entry of readdirSync(ROOT, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const done = render(`${ROOT}/${entry.name}`);
    if (done === null) {
      console.log('skipped: neither kubectl nor kustomize is here');
      return failed;
    }
    const made = done.status === 0 ? documentsOf(done.stdout) : [];
    const problems = done.status === 0 ? made.flatMap(judge) : [done.stderr.trim()];
    if (problems.length > 0) failed += 1;
    const words = problems.length > 0 ? problems.join('; ') : `${made.length} objects`;
    console.log(`${problems.length > 0 ? 'FAIL' : 'ok  '} ${entry.name}: ${words}`);
  }
  return failed === 0 ? 0 : 1;
}

process.exitCode = main();
