/** A signal to the outermost process, npm or npx, ends the program and all between. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Time from the signal until no process is left, on a machine with much other work. */
const LIMIT_MS = 15_000;

/** A folder where `npx --no-install armtwin` finds the built program, as after `npm install`. */
function folderWithPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-npx-'));
  const commands = join(folder, 'node_modules', '.bin');
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const main = JSON.stringify(join(ROOT, 'dist/server/main.js'));
  const program = `#!/usr/bin/env node\nimport(${main});\n`;
  writeFileSync(join(commands, 'armtwin'), program, { mode: 0o755 });
  return folder;
}

/** In the environment of the command started, and so of every process that it starts. */
const MARK = 'SIGNALS_TEST_MARK';

/**
 * The running processes with this mark. A command line would not do: npm replaces its own by a
 * title, and for an instant it has neither.
 */
function running(mark: string): string[] {
  const all = execFileSync('ps', ['axeww', '-o', 'stat=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return all
    .split('\n')
    .filter((line) => line.includes(`${MARK}=${mark}`) && !line.startsWith('Z'))
    .map((line) => line.slice(0, 200));
}

interface Command {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
}

/** Starts a command as a user or a CI step does: in a group of its own, outside of any npm. */
function startAsUser({ command, args, cwd }: Command, mark: string): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|ARMTWIN_)/.test(name));
  return spawn(command, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), [MARK]: mark },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
}

async function untilReady(child: ChildProcess): Promise<void> {
  let output = '';
  for await (const chunk of child.stdout!) {
    output += String(chunk);
    if (output.includes('armtwin ready')) break;
  }
  expect(output).toContain('armtwin ready');
}

/** A command for `armtwin run`; the flags that follow are its arguments. */
const COMMAND = ['--', 'node', '-e', "console.log('armtwin ready'); setInterval(() => {}, 1000)"];
const RUN = ['run', '--driver', 'fast', ...COMMAND, '--'];
const STARTS = {
  'npm start': { command: 'npm', args: ['start', '--'], folder: () => ROOT },
  npx: { command: 'npx', args: ['--no-install', 'armtwin'], folder: folderWithPackage },
  'npx --no-install armtwin run': {
    command: 'npx',
    args: ['--no-install', 'armtwin', ...RUN],
    folder: folderWithPackage,
  },
  'armtwin run': { command: 'node', args: ['dist/server/main.js', ...RUN], folder: () => ROOT },
  'setup.mjs': { command: 'node', args: ['tools/setup.mjs', 'start'], folder: () => ROOT },
};
const MOMENTS = {
  'once it is ready': untilReady,
  'while it starts': (_child: ChildProcess, mark: string) =>
    expect.poll(() => running(mark).length).toBeGreaterThan(1),
  // Below npm and its shell: a SIGINT to npm alone is lost until something watches the shell.
  'while its server starts': (_child: ChildProcess, mark: string) =>
    expect.poll(() => running(mark).length).toBeGreaterThan(3),
};
type Case = [NodeJS.Signals, keyof typeof STARTS, keyof typeof MOMENTS];

/** Each signal, and each moment. */
const CASES: Case[] = [
  ['SIGTERM', 'npm start', 'once it is ready'],
  ['SIGINT', 'npm start', 'while its server starts'],
  ['SIGKILL', 'npx', 'while it starts'],
];
/** Each signal, command and moment, and each signal with each command. */
const CI_CASES: Case[] = [
  ['SIGKILL', 'npm start', 'while it starts'],
  ['SIGKILL', 'npm start', 'while its server starts'],
  ['SIGINT', 'npx', 'once it is ready'],
  ['SIGTERM', 'npx', 'while it starts'],
  ['SIGKILL', 'npx --no-install armtwin run', 'once it is ready'],
  ['SIGKILL', 'armtwin run', 'once it is ready'],
  ['SIGKILL', 'setup.mjs', 'once it is ready'],
];
/** Other combinations of the same: `npm run e2e` runs them too. */
const MORE_CASES: Case[] = [
  ['SIGTERM', 'npm start', 'while it starts'],
  ['SIGTERM', 'npm start', 'while its server starts'],
  ['SIGINT', 'npm start', 'once it is ready'],
  ['SIGKILL', 'npm start', 'once it is ready'],
  ['SIGTERM', 'npx', 'once it is ready'],
  ['SIGKILL', 'npx', 'once it is ready'],
];

const TAGGED = [
  ...CASES.map((one) => ({ one, tag: [] })),
  ...CI_CASES.map((one) => ({ one, tag: ['@ci'] })),
  ...MORE_CASES.map((one) => ({ one, tag: ['@more'] })),
];

for (const { one, tag } of TAGGED) {
  const [signal, start, moment] = one;
  test(`${signal} to ${start} ${moment} leaves no process behind`, { tag }, async () => {
    const { command, args, folder } = STARTS[start];
    const mark = randomUUID();
    const flags = ['--port', '0', '--driver', 'fast'];
    const child = startAsUser({ command, args: [...args, ...flags], cwd: folder() }, mark);
    await MOMENTS[moment](child, mark);
    child.kill(signal);
    await expect.poll(() => running(mark), { timeout: LIMIT_MS }).toEqual([]);
  });
}
