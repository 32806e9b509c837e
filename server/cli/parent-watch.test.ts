import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock/clock.ts';
import { type Ancestor, ancestorsUpToNpm, readProcess, watchParents } from './parent-watch.ts';

/** A table of processes: pid, parent and command. */
function table(...rows: [number, number, string][]) {
  const all = new Map(rows.map(([pid, parent, command]) => [pid, { pid, parent, command }]));
  return (pid: number): Ancestor | null => all.get(pid) ?? null;
}

describe('processes between npm and the server', () => {
  it.each([
    ['npm start', [30, 20]],
    ['npm exec armtwin --port 0', [30, 20]],
    ['node /usr/lib/node_modules/npm/bin/npm-cli.js start', [30, 20]],
    ['/usr/local/bin/npx armtwin', [30, 20]],
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

describe('a watched process', () => {
  it('stops the service when it has ended, and not before', async () => {
    const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const before = readProcess(parent.pid!);
    const stopped = new Promise<number>((resolve) => {
      watchParents([parent.pid!], systemClock, () => resolve(performance.now()));
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

/** Runs a program that guards FAMILY and a folder; returns it, the ids and the folder. */
async function guarded(program = '') {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin guard-'));
  const source = `import { spawn } from 'node:child_process';
    import { ProcessGuard } from ${JSON.stringify(join(import.meta.dirname, 'parent-watch.ts'))};
    const guard = new ProcessGuard();
    guard.addFolder(${JSON.stringify(folder)});
    const child = spawn('sh', ['-c', ${JSON.stringify(FAMILY)}], { stdio: ['ignore', 1, 2] });
    guard.add(child);
    setInterval(() => {}, 1000);
    ${program}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', source];
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of parent.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.split('\n').length > 3) break;
  }
  return { parent, folder, pids: said.trim().split('\n').toSorted().map(Number) };
}

const running = (pids: readonly number[]) => pids.filter((pid) => readProcess(pid)?.command);

describe('what a process has started', () => {
  it('ends when it is killed, with all descendants and its temporary folder', async () => {
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
