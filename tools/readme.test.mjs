/**
 * The blocks of the README run as they stand, against a twin made of the sources; only the address,
 * the package's name and its command are replaced. Those that cannot run here are listed.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyUrl } from './setup/start.mjs';

const run = promisify(execFile);
const README = readFileSync('README.md', 'utf8');
const BLOCKS = [...README.matchAll(/```(\w*)\n(.*?)```/gs)].map(([, language, text]) => ({
  language,
  text: String(text),
}));
const SCRATCH = 'node_modules/.cache/armtwin/readme';

/** Blocks that are not run, by what they begin with, and why. */
const NOT_RUN = {
  'npm start ': 'the two commands are run by npm test itself and by tools/fresh.mjs',
  'armtwin ready': 'output',
  'docker compose': 'needs a container engine and a cluster',
  'npx armtwin --driver servo': 'needs servos',
};

const reasonOf = (/** @type {string} */ text) =>
  Object.entries(NOT_RUN).find(([start]) => text.startsWith(start))?.[1];

/** @type {import('node:child_process').ChildProcess} */
let child;
let url = '';

beforeAll(async () => {
  const flags = ['--port', '0', '--token', 'my-token', '--driver', 'fast', '--log-level', 'silent'];
  const args = ['--import', 'tsx', 'server/main.ts', ...flags];
  child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  url = await readyUrl(child);
}, 60_000);
afterAll(() => child.kill('SIGTERM'));

/** @param {string} text */
async function runShell(text) {
  const command = `${process.execPath} --import tsx ${resolve('server/main.ts')}`;
  const script = text.replaceAll('http://127.0.0.1:8080', url).replaceAll('npx armtwin', command);
  return run('sh', ['-eu', '-c', script], { timeout: 90_000 });
}

/** @param {string} text */
async function runTypeScript(text) {
  mkdirSync(SCRATCH, { recursive: true });
  const file = `${SCRATCH}/block.mts`;
  const root = resolve('.');
  const placed = text
    .replace("'armtwin/client'", `'${root}/contract/client.ts'`)
    .replace("'armtwin'", `'${root}/server/index.ts'`);
  writeFileSync(file, placed);
  try {
    return await run(process.execPath, ['--import', 'tsx', file], { timeout: 60_000 });
  } finally {
    rmSync(file);
  }
}

const one = (/** @type {string} */ start) => {
  const found = BLOCKS.filter(({ text }) => text.startsWith(start));
  expect(found).toHaveLength(1);
  return String(found[0]?.text);
};

describe('the README', () => {
  it('runs a toolpath with curl', async () => {
    const { stdout } = await runShell(one('base='));
    expect(stdout).not.toContain('"error_code"');
    expect(stdout).toContain('"state":"running"');
  });

  it('uses a twin in a test', async () => {
    const { stdout } = await runTypeScript(one('import { createTwin }'));
    expect(stdout).toBe('arrived\n');
  });

  it('checks toolpaths and arms, and helps', async () => {
    // The curl block left the lock taken; the rules about it begin with a free one.
    const auth = await fetch(`${url}/api/v1/auth`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"token":"my-token"}',
    });
    const { token } = await auth.json();
    const headers = { Authorization: `Bearer ${token}` };
    await fetch(`${url}/sim/v1/power_cycle`, { method: 'POST', headers });
    const { stdout } = await runShell(one('npx armtwin plan'));
    expect(stdout).toContain('Examples:');
  }, 120_000);

  it('has no block that is neither run nor listed with a reason', () => {
    const run = ['base=', 'import { createTwin }', 'npx armtwin plan'];
    const rest = BLOCKS.filter(({ text }) => !run.some((start) => text.startsWith(start)));
    for (const { text } of rest) expect(reasonOf(text), text).toBeTypeOf('string');
    expect(rest).toHaveLength(Object.keys(NOT_RUN).length);
  });

  it('links to pages that exist', () => {
    for (const [, path] of README.matchAll(/\]\(([^)#:]+)\)/g)) {
      expect(existsSync(String(path)), path).toBe(true);
    }
  });
});
