/** The examples for build servers: the steps that they hold work as they stand, on this twin. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-ci-'));
/** @type {import('node:child_process').ChildProcess[]} */
const started = [];
afterAll(() => {
  for (const child of started) if (child.pid) process.kill(-child.pid, 'SIGTERM');
  rmSync(folder, { recursive: true });
});

const read = (/** @type {string} */ path) => /** @type {any} */ (load(readFileSync(path, 'utf8')));

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => done(port));
    });
  });
}

it('the composite action starts a twin and ends when it is ready', async () => {
  const { inputs, outputs, runs } = read('action.yml');
  const [{ run, env }] = runs.steps;
  const port = String(await freePort());
  /** @type {Record<string, string>} */
  const given = { port, package: 'armtwin' };
  const value = (/** @type {string} */ text) =>
    text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_all, name) => given[name] ?? inputs[name].default);
  const filled = Object.entries(env).map(([name, text]) => [name, value(String(text))]);
  const npx = join(folder, 'npx');
  const main = resolve('server/main.ts');
  // Stands for the published command.
  writeFileSync(npx, `#!/bin/sh\nexec '${process.execPath}' --import tsx '${main}'\n`);
  chmodSync(npx, 0o755);
  const path = `${folder}:${process.env.PATH}`;
  const variables = { ...process.env, ...Object.fromEntries(filled), PATH: path };
  const child = spawn('bash', ['-e', '-c', run], {
    env: { ...variables, RUNNER_TEMP: folder },
    detached: true,
    stdio: 'ignore',
  });
  started.push(child);
  const code = await new Promise((done) => child.on('exit', done));
  expect(code).toBe(0);
  expect((await fetch(`${value(outputs.url.value)}/readyz`)).ok).toBe(true);
  expect(readFileSync(join(folder, 'armtwin.log'), 'utf8')).toContain('armtwin ready');
}, 60_000);

it('the examples start, wait, verify and keep the page', () => {
  const github = read('deploy/ci/github-actions.yml').jobs.contract.steps;
  const gitlab = read('deploy/ci/gitlab-ci.yml').contract;
  const told = [
    github.map((/** @type {any} */ { run = '' }) => run).join('\n'),
    [...gitlab.before_script, ...gitlab.script].join('\n'),
  ];
  for (const script of told) {
    expect(script).toMatch(/npx armtwin --driver fast --clock 10 --token ci/);
    expect(script).toContain('/readyz');
    expect(script).toMatch(/npx armtwin verify .* --html contract\.html --junit contract\.xml/);
    execFileSync('bash', ['-n', '-c', script]);
  }
  expect(github.at(-1).with.path).toContain('contract.html');
  expect(gitlab.artifacts).toMatchObject({ when: 'always', reports: { junit: 'contract.xml' } });
  expect(gitlab.artifacts.paths).toContain('contract.html');
});
