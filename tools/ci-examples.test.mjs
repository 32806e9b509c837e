/**
 * The CI examples contain valid shell scripts with the right steps. `npm run check package` runs
 * them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';

const read = (/** @type {string} */ path) => /** @type {any} */ (load(readFileSync(path, 'utf8')));

it('the composite action starts a tarball, refuses a name, and waits', () => {
  const { inputs, outputs, runs } = read('action.yml');
  const [{ run, env }] = runs.steps;
  execFileSync('bash', ['-n', '-c', run]);
  const used = JSON.stringify({ env, outputs }).matchAll(/inputs\.(\w+)/g);
  expect(new Set([...used].map(([, name]) => name))).toEqual(new Set(Object.keys(inputs)));
  for (const name of Object.keys(env)) expect(`${name} ${run}`).toMatch(/ARMTWIN_|\$PACKAGE/);
});

it('the examples start, wait, verify and save the page', () => {
  const github = read('deploy/ci/github-actions.yml').jobs.contract.steps;
  const gitlab = read('deploy/ci/gitlab-ci.yml').contract;
  const scripts = [
    github.map((/** @type {any} */ { run = '' }) => run).join('\n'),
    [...gitlab.before_script, ...gitlab.script].join('\n'),
  ];
  for (const script of scripts) {
    expect(script).toMatch(/npx --no-install armtwin --driver fast --clock 10 --token ci/);
    expect(script).toContain('/readyz');
    expect(script).toMatch(
      /npx --no-install armtwin verify .* --html contract\.html --junit contract\.xml/,
    );
    execFileSync('bash', ['-n', '-c', script]);
  }
  expect(github.at(-1).with.path).toContain('contract.html');
  expect(gitlab.artifacts).toMatchObject({ when: 'always', reports: { junit: 'contract.xml' } });
  expect(gitlab.artifacts.paths).toContain('contract.html');
});

it('the example for pytest installs the plugin, starts it and keeps the runs of failed tests', () => {
  const { steps } = read('deploy/ci/pytest.yml').jobs.arm;
  const script = steps.map((/** @type {any} */ { run = '' }) => run).join('\n');
  execFileSync('bash', ['-n', '-c', script]);
  const clone = steps.find((/** @type {any} */ { with: given }) => given?.repository)?.with.path;
  expect(script).toContain(`pip install pytest ./${clone}/python`);
  // A folder is named: pytest would also collect the tests of the clone.
  expect(script).toContain(`pytest tests --armtwin ${clone}`);
  expect(steps.at(-1)).toMatchObject({ if: 'failure()', with: { path: '.armtwin' } });
});
