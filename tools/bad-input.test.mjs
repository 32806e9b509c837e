/**
 * What the program answers to bad input: a sentence that names the cause, and an exit code. Uses
 * dist/ if it is fresh, else the sources.
 * @module-tag ci
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isBuilt } from './setup/build.mjs';
import { exitCodeOf } from './setup/start.mjs';

const PROGRAM = isBuilt() ? ['dist/server/main.js'] : ['--import', 'tsx', 'server/main.ts'];
const folder = mkdtempSync(join(tmpdir(), 'armtwin-input-'));
/** @param {string} name @param {string} content */
function file(name, content) {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
const absent = join(folder, 'absent', 'file');
const occupied = createServer();
const port = await new Promise((ready) => {
  occupied.listen(0, '127.0.0.1', () => {
    const address = occupied.address();
    ready(String(typeof address === 'object' && address !== null ? address.port : 0));
  });
});
afterAll(() => {
  occupied.close();
  rmSync(folder, { recursive: true });
});

/** @param {string[]} args @param {NodeJS.ProcessEnv} env */
async function answer(args, env) {
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  return { code: await exitCodeOf(child), text };
}

/** A module that makes the program crash on SIGUSR2. */
const CRASH = `process.on('SIGUSR2', () => setImmediate(() => { throw new Error('a bug'); }));`;
const BUG = `data:text/javascript,${encodeURIComponent(CRASH)}`;
const TRAYS = 'fixtures/cells/trays.json';
const FAST = ['--driver', 'fast', '--log-level', 'silent'];

/** @type {[string, string[], number, string, NodeJS.ProcessEnv?][]} */
const INPUTS = [
  [
    'a Python that is missing',
    ['run', ...FAST, '--', 'python3', 'arm.py'],
    127,
    'python3 was not found as a command; check its name and PATH.',
    { PATH: folder },
  ],
  [
    'a twin that dies under the command',
    ['run', ...FAST, '--', 'sh', '-c', 'kill -USR2 $PPID; exec sleep 60'],
    1,
    'The twin ended while the command was running; the command is stopped too.',
    { NODE_OPTIONS: `--import ${BUG}` },
  ],
  ['an occupied port', ['--port', port, ...FAST], 1, `Port ${port} on 127.0.0.1 is already in use`],
  [
    'an occupied port of npm start',
    ['--port', port, ...FAST],
    1,
    'For a free port: npm start -- --port 0',
    { npm_lifecycle_event: 'start', npm_package_name: 'armtwin' },
  ],
  [
    'an occupied port of Foxglove',
    ['--port', '0', '--foxglove', port, ...FAST],
    1,
    `Port ${port} is already in use; choose another with --foxglove`,
  ],
  ['a command that does not exist', ['runn', '--', 'true'], 2, 'Did you mean run?'],
  [
    'a report that cannot be written',
    ['run', '--html', absent, '--', 'true'],
    2,
    `--html cannot be written: The folder ${dirname(absent)} does not exist (ENOENT).`,
  ],
  ['an export without a format', ['export'], 2, 'add --urdf, --mjcf or --gltf'],
  ['an export that cannot be written', ['export', '--urdf', absent], 2, `Cannot write ${absent}`],
  [
    'an export of a damaged cell',
    ['export', '--mjcf', '--cell', file('half.json', '{"name": "x"')],
    2,
    'half.json: it is not JSON',
  ],
  [
    'an export of a cell that cannot be',
    ['export', '--mjcf', '--cell', 'package.json'],
    2,
    'is not a valid cell',
  ],
  [
    'a recording of something else',
    ['replay', file('run.jsonl', '{"recording":')],
    2,
    'this file is not a recording of a twin',
  ],
  ['a backup of something else', ['data', 'check', TRAYS], 1, 'is not a backup of armtwin'],
  ['a damaged cell', ['--cell', file('cell.json', '{"name": "x"'), ...FAST], 2, 'it is not JSON'],
  ['a cell of something else', ['--cell', 'package.json', ...FAST], 2, 'is not a valid cell'],
  [
    'a calibration that is a folder',
    ['--driver', 'servo', '--calibration', folder, '--port', '0'],
    2,
    `--calibration ${folder} cannot be read (EISDIR)`,
  ],
  [
    'a bus without servos',
    ['--bus', 'tcp://127.0.0.1:1', '--port', '0', ...FAST],
    2,
    'The driver fast simulates the arm; --bus tcp://127.0.0.1:1 needs --driver servo',
  ],
  ['a data folder in a file', ['--data', 'package.json/data', '--port', '0'], 1, 'package.json'],
  [
    'a service that is not there',
    ['verify', 'http://127.0.0.1:2', '--token', 'x'],
    2,
    '127.0.0.1:2',
  ],
];
const CASES = INPUTS.map(([name, args, code, sentence, env = {}]) => ({
  name,
  args,
  code,
  sentence,
  env,
}));

describe('bad input gets a sentence and an exit code', () => {
  it.concurrent.each(CASES)(
    '$name',
    async ({ args, code, sentence, env }) => {
      const got = await answer(args, env);
      expect(got.text).toContain(sentence);
      // No stack: the sentence is for those who use the program.
      expect(got.text).not.toMatch(/^ {4}at /m);
      expect(got.code).toBe(code);
    },
    60_000,
  );
});
