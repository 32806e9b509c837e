/**
 * Runs the CI examples (deploy/ci) like a CI server: in the project of a user who has installed the
 * tarball and whose test moves the arm.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { exitCodeOf } from '../setup/start.mjs';
import { endGroup, freePort } from './action.mjs';

/** The port in the examples. */
const PORT = /\b8080\b/g;
const REPORTS = ['contract.html', 'contract.xml', 'twin.log'];

const USERS_TEST = `import { connect } from 'armtwin/client';
const arm = connect({ baseUrl: process.env.ARM_URL, token: process.env.ARM_TOKEN });
await arm.takeLock();
await arm.goTo({ mode: 'automatic', joints: [0.3, 0.5, -1.8, 0, -1.3, 0] });
for (;;) {
  const { control } = (await arm.getSnapshot()).snapshot;
  if (control.state === 'ready') break;
}
await arm.releaseLock();
`;

/** @param {string} path */
const read = (path) => /** @type {any} */ (load(readFileSync(path, 'utf8')));

/**
 * Each example as one bash script with the variables that its CI server sets.
 * @returns {{ name: string, script: string, env: Record<string, string> }[]}
 */
function examples() {
  const { steps } = read('deploy/ci/github-actions.yml').jobs.contract;
  const gitlab = read('deploy/ci/gitlab-ci.yml').contract;
  const typed = steps.filter((/** @type {any} */ step) => step.run !== undefined);
  return [
    {
      name: 'github-actions.yml',
      // One shell per step; it ends at the first failure.
      script: typed.map((/** @type {any} */ { run }) => `(\n${run}\n)`).join('\n'),
      env: Object.assign({}, ...typed.map((/** @type {any} */ { env }) => env)),
    },
    {
      name: 'gitlab-ci.yml',
      script: [...gitlab.before_script, ...gitlab.script].join('\n'),
      env: gitlab.variables,
    },
  ];
}

/** Creates a user project that depends on the tarball. */
function makeProject(/** @type {string} */ folder, /** @type {string} */ tarball) {
  mkdirSync(folder);
  const about = {
    private: true,
    scripts: { test: 'node drive.mjs' },
    dependencies: { armtwin: `file:${tarball}` },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  writeFileSync(join(folder, 'drive.mjs'), USERS_TEST);
  const lock = ['install', '--package-lock-only', '--no-audit', '--no-fund', '--prefer-offline'];
  execFileSync('npm', lock, { cwd: folder, stdio: 'ignore' });
}

/**
 * Runs every example; rejects when one fails or a report is missing.
 * @param {string} folder to work in
 * @param {string} tarball
 */
export async function runExamples(folder, tarball) {
  for (const { name, script, env } of examples()) {
    const project = join(folder, name);
    makeProject(project, tarball);
    const port = String(await freePort());
    const own = Object.entries(env).map(([key, value]) => [key, value.replace(PORT, port)]);
    const child = spawn('bash', ['-e', '-c', script.replace(PORT, port)], {
      cwd: project,
      env: { ...process.env, ...Object.fromEntries(own), ARMTWIN_PORT: port },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => (output += text));
    try {
      const code = await exitCodeOf(child);
      if (code !== 0) {
        // Of a table of rules those that broke; of anything else the end.
        const broken = output.match(/^.* broken .*\n.*$/gm) ?? [output.slice(-2000)];
        throw new Error(`${name} failed with code ${code}:\n${broken.join('\n')}`);
      }
      const missing = REPORTS.filter((report) => !existsSync(join(project, report)));
      if (missing.length > 0) throw new Error(`${name} does not save ${missing.join(', ')}`);
    } finally {
      endGroup(Number(child.pid));
    }
  }
}
