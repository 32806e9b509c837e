/**
 * The commands of deploy/kubernetes/backup as they stand there: a backup of a twin that runs, and its
 * restore into a fresh folder, from which a twin starts with what was saved. Only the paths of the
 * volumes and the place of the program are replaced.
 * @module-tag ci
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isBuilt } from '../setup/build.mjs';
import { exitCodeOf, readyUrl } from '../setup/start.mjs';
import { documentsOf } from './manifests.mjs';

const FOLDER = 'deploy/kubernetes/backup';
const TOKEN = 'token-of-the-backup';
const PROGRAM = isBuilt()
  ? [resolve('dist/server/main.js')]
  : ['--import', import.meta.resolve('tsx'), resolve('server/main.ts')];

const place = mkdtempSync(join(tmpdir(), 'armtwin-backup-'));
const backups = join(place, 'backups');

/** The shell text of the only container of a manifest. @param {string} file */
function commandsOf(file) {
  const [{ spec }] = /** @type {any} */ (documentsOf(readFileSync(`${FOLDER}/${file}`, 'utf8')));
  const { template } = spec.jobTemplate?.spec ?? spec;
  const [{ command, args }] = template.spec.containers;
  return { command, text: args[0] };
}

/** Runs the commands of a manifest with a folder in the place of the twin's volume. */
function runManifest(/** @type {string} */ file, /** @type {string} */ data) {
  const { command, text } = commandsOf(file);
  const [shell, ...flags] = command;
  const placed = text.replaceAll(/\/data\b/g, data).replaceAll(/\/backups\b/g, backups);
  const env = { ...process.env, PATH: `${join(place, 'bin')}${delimiter}${process.env['PATH']}` };
  return execFileSync(shell, [...flags, placed], { encoding: 'utf8', env });
}

/** Starts a twin on a folder for the time of `work`. */
async function withTwin(
  /** @type {string} */ data,
  /** @type {(call: (method: string, path: string, body?: object) => Promise<any>) => Promise<void>} */ work,
) {
  const flags = ['--port', '0', '--driver', 'fast', '--log-level', 'error', '--data', data];
  const child = spawn(process.execPath, [...PROGRAM, ...flags, '--token', TOKEN], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = exitCodeOf(child);
  try {
    const url = await readyUrl(child);
    let session = '';
    const call = async (
      /** @type {string} */ method,
      /** @type {string} */ path,
      /** @type {object} */ body = {},
    ) => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${session}` };
      const content = method === 'GET' ? {} : { body: JSON.stringify(body) };
      return (await fetch(`${url}/api/v1${path}`, { method, headers, ...content })).json();
    };
    session = (await call('POST', '/auth', { token: TOKEN })).token;
    await work(call);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

beforeAll(() => {
  mkdirSync(join(place, 'bin'));
  mkdirSync(backups);
  const shim = `#!/bin/sh\nexec '${process.execPath}' ${PROGRAM.map((part) => `'${part}'`).join(' ')} "$@"\n`;
  writeFileSync(join(place, 'bin/armtwin'), shim);
  chmodSync(join(place, 'bin/armtwin'), 0o755);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

it('restores into a fresh folder what the CronJob has backed up from a running twin', async () => {
  const data = join(place, 'volume');
  const old = join(backups, 'armtwin-0-2020-01-01.backup');
  writeFileSync(old, 'of long ago');
  utimesSync(old, 1_577_836_800, 1_577_836_800);
  await withTwin(data, async (call) => {
    await call('POST', '/users', { email: 'ada@example.org', password: 'a long password' });
    expect(runManifest('cron-job.yaml', data)).toMatch(/^ok .*: \d+ rows of /);
  });
  const [name, ...others] = readdirSync(backups);
  expect(name).toMatch(/^armtwin-0-\d{4}-\d\d-\d\d\.backup$/);
  expect(others).toEqual([]);

  const fresh = join(place, 'fresh');
  expect(runManifest('restore.yaml', fresh)).toMatch(/restored from [\s\S]*^ok /m);
  await withTwin(fresh, async (call) => {
    const { users } = await call('GET', '/users');
    const addresses = users.map((/** @type {{ email: string }} */ { email }) => email);
    expect(addresses).toContain('ada@example.org');
  });
  // Data that the volume already has is put aside, not lost.
  runManifest('restore.yaml', fresh);
  expect(readdirSync(fresh).join()).toContain('journal.replaced-');
}, 240_000);
