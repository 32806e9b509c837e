// @module-tag ci
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import {
  type Ancestor,
  ancestorsUpToNpm,
  isLeftByNpx,
  readProcess,
  watchParents,
} from './parent-watch.ts';

/** A table of processes: pid, parent and command. */
function table(...rows: [number, number, string][]) {
  const all = new Map(rows.map(([pid, parent, command]) => [pid, { pid, parent, command }]));
  return (pid: number): Ancestor | null => all.get(pid) ?? null;
}

describe('processes between npm and the server', () => {
  it.each([
    ['npm start', [30, 20]],
    ['npm exec --no-install armtwin --port 0', [30, 20]],
    ['node /usr/lib/node_modules/npm/bin/npm-cli.js start', [30, 20]],
    ['/usr/local/bin/npx --no-install armtwin', [30, 20]],
    ['node vitest.mjs', []],
    ['bash', []],
  ])('below %s: %j', (command, expected) => {
    const read = table([10, 1, 'bash'], [20, 10, command], [30, 20, 'sh -c armtwin']);
    expect(ancestorsUpToNpm(30, read)).toEqual(expected);
  });

  it('finds npm as the parent, and no npm far above', () => {
    const near = table([20, 10, 'npm start']);
    expect(ancestorsUpToNpm(20, near)).toEqual([20]);
    const far = table([20, 1, 'npm test'], [30, 20, 'a'], [40, 30, 'b'], [50, 40, 'c']);
    expect(ancestorsUpToNpm(50, far)).toEqual([]);
    expect(ancestorsUpToNpm(99, far)).toEqual([]);
  });

  it('reads this process from the system', () => {
    expect(readProcess(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid });
  });
});

it('looks again where a killed npx has no command line and is still the parent', () => {
  const rows = new Map<number, Ancestor>([
    [7, { pid: 7, parent: 1, command: 'bash' }],
    [40, { pid: 40, parent: 7, command: '' }],
    [50, { pid: 50, parent: 40, command: 'sh -c armtwin' }],
  ]);
  const env = { npm_config_user_agent: 'npm/10.8.2 node', npm_command: 'exec' };
  const waiting: (() => void)[] = [];
  const clock = {
    ...systemClock,
    afterUnreferenced(_delay_ms: number, callback: () => void) {
      waiting.push(callback);
      return () => {};
    },
  };
  let stops = 0;
  const read = (pid: number) => rows.get(pid) ?? null;
  const stop = () => {
    stops++;
  };
  watchParents([], { clock, stop, around: { env, ppid: 50 }, read });
  expect([stops, waiting.length]).toEqual([0, 1]);
  rows.delete(40);
  rows.set(50, { pid: 50, parent: 1, command: 'sh -c armtwin' });
  waiting[0]!();
  expect([stops, waiting.length]).toEqual([1, 1]);
});

describe('a server that npx has left before it looked', () => {
  const read = table(
    [1, 0, 'init'],
    [20, 1, 'sh -c armtwin --port 0'],
    [30, 1, 'pm2 daemon'],
    [40, 1, 'npm exec --no-install armtwin'],
    [50, 40, 'sh -c armtwin'],
  );

  it.each([
    ['was taken over', 1, 'npm/10.8.2 exec', true],
    ['is below a shell that was taken over', 20, 'npm/10.8.2 exec', true],
    ['has a parent that is gone', 99, 'npm/10.8.2 exec', false],
    ['is below a daemon', 30, 'npm/10.8.2 exec', false],
    ['is below npx', 50, 'npm/10.8.2 exec', false],
    ['was left in the background by a script', 1, 'npm/10.8.2 run-script', false],
    ['is below another package manager', 1, 'pnpm/9.1.0 exec', false],
  ] as const)('%s', (...[_name, parent, by, expected]) => {
    const [agent, command] = by.split(' ');
    const env = { npm_config_user_agent: agent, npm_command: command };
    expect(isLeftByNpx(parent, env, read)).toBe(expected);
  });

  it('is not left where npx is the first process, and without npm', () => {
    const env = { npm_config_user_agent: 'npm/10.8.2', npm_command: 'exec' };
    expect(isLeftByNpx(1, env, table([1, 0, 'npm exec --no-install armtwin']))).toBe(false);
    expect(isLeftByNpx(1, {}, read)).toBe(false);
  });
});

describe('a watched process', () => {
  it('stops the service when it has ended, and not before', async () => {
    const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const before = readProcess(parent.pid!);
    const stopped = new Promise<number>((resolve) => {
      const stop = () => resolve(performance.now());
      watchParents([parent.pid!], { clock: systemClock, stop });
    });
    await new Promise((resolve) => setTimeout(resolve, 400));
    const killed_ms = performance.now();
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(before).not.toBeNull();
    expect(await stopped).toBeGreaterThan(killed_ms);
  });
});

/** Processes that print their ids: a command (first 0), its child, and one that ignores SIGTERM. */
const FAMILY = `sh -c '
  (trap "" TERM; sh -c "echo \\$PPID"; while :; do sleep 9; done) & echo $$; wait
' & echo 0$$; wait`;

/** Runs a program that has given FAMILY and a folder to its guard; returns it, ids and folder. */
async function guarded(program = '') {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin guard-'));
  const source = `import { spawn } from 'node:child_process';
    import { ProcessGuard } from ${JSON.stringify(join(import.meta.dirname, 'process-guard.ts'))};
    const guard = new ProcessGuard();
    guard.addFolder(${JSON.stringify(folder)});
    const child = spawn('sh', ['-c', ${JSON.stringify(FAMILY)}], { stdio: ['ignore', 1, 2] });
    guard.add(child);
    console.log('added');
    setInterval(() => {}, 1000);
    ${program}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', source];
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of parent.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.split('\n').length > 4) break;
  }
  const pids = said.match(/^\d+$/gm)!.toSorted().map(Number);
  return { parent, folder, pids };
}

const running = (pids: readonly number[]) => pids.filter((pid) => readProcess(pid)?.command);

describe('what a process has started', () => {
  it('ends when it is killed, with all descendants and its temporary folder', {
    tags: ['slow'],
  }, async () => {
    const { parent, folder, pids } = await guarded();
    expect([pids.length, running(pids)]).toEqual([3, pids]);
    parent.kill('SIGKILL');
    await expect.poll(() => running(pids), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => existsSync(folder)).toBe(false);
  });

  it('is left alone once it has ended', async () => {
    const { parent, folder, pids } = await guarded(`child.once('exit', () => process.exit());`);
    process.kill(pids[0]!, 'SIGKILL');
    await once(parent, 'exit');
    await expect.poll(() => existsSync(folder)).toBe(false);
    expect(running(pids)).toEqual(pids.slice(1));
    for (const pid of pids.slice(1)) process.kill(pid, 'SIGKILL');
  });
});
