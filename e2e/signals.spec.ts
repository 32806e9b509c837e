/** A signal to the outermost process, npm or npx, ends the program and all between. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Time from the signal until no process is left. */
const LIMIT_MS = 3000;

/** A folder where `npx armtwin` finds the built program, as after `npm install`. */
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

/** The command lines of the running processes with this mark. */
function running(mark: string): string[] {
  const all = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' });
  return all.split('\n').filter((line) => line.includes(mark) && !line.startsWith('Z'));
}

/** Starts a command as a user or a CI step does: in a group of its own, outside of any npm. */
function startAsUser(command: string, args: string[], cwd: string): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|ARMTWIN_)/.test(name));
  return spawn(command, args, {
    cwd,
    env: Object.fromEntries(inherited),
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
  'npx armtwin run': {
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
    expect.poll(() => running(mark).some((line) => line.includes('node '))).toBe(true),
};
type Case = [NodeJS.Signals, keyof typeof STARTS, keyof typeof MOMENTS];

const CASES: Case[] = [
  ...(['SIGTERM', 'SIGINT', 'SIGKILL'] as const).flatMap((signal): Case[] => [
    [signal, 'npm start', 'once it is ready'],
    [signal, 'npm start', 'while it starts'],
    [signal, 'npx', 'once it is ready'],
  ]),
  ['SIGTERM', 'npx', 'while it starts'],
  ['SIGKILL', 'npx armtwin run', 'once it is ready'],
  ['SIGKILL', 'armtwin run', 'once it is ready'],
  ['SIGKILL', 'setup.mjs', 'once it is ready'],
];

for (const [signal, start, moment] of CASES) {
  test(`${signal} to ${start} ${moment} leaves no process behind`, async () => {
    const { command, args, folder } = STARTS[start];
    const mark = `mark-${randomUUID()}`;
    const flags = ['--port', '0', '--driver', 'fast', '--name', mark];
    const child = startAsUser(command, [...args, ...flags], folder());
    await MOMENTS[moment](child, mark);
    expect(running(mark).length).toBeGreaterThan(0);
    child.kill(signal);
    await expect.poll(() => running(mark), { timeout: LIMIT_MS }).toEqual([]);
  });
}
