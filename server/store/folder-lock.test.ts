/**
 * The lock of a data folder: one writer, whatever happened to the one before.
 * @module-tag ci
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock, type WallClock } from '../clock/wall-clock.ts';
import { FolderLock } from './folder-lock.ts';

/** The machine's clock with delays of a tenth, so that watching another's lock takes 0.4 s. */
const QUICK: WallClock = {
  ...systemClock,
  after: (delay_ms, callback) => systemClock.after(delay_ms / 10, callback),
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Arguments of node for a process that locks the folder and holds the lock until it is killed. */
function holderFlags(): string[] {
  const file = new URL('./folder-lock.ts', import.meta.url).href;
  const script = `import { FolderLock } from ${JSON.stringify(file)};
    await FolderLock.acquire(${JSON.stringify(folder)});
    console.log(process.pid); setInterval(() => {}, 1000);`;
  return ['--import', 'tsx', '--input-type=module', '-e', script];
}

async function otherProcess() {
  const flags = holderFlags();
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    ended.then(() => Promise.reject(new Error('ended'))),
  ]);
  return {
    pid: child.pid,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

it('is held by one twin at a time, also within a process, and released', async () => {
  const lock = await FolderLock.acquire(folder);
  await expect(FolderLock.acquire(folder)).rejects.toThrow(`in use by process ${process.pid}`);
  expect(await lock.isHeld()).toBe(true);
  await lock.release();
  const next = await FolderLock.acquire(folder);
  expect(next.epoch).toBe(lock.epoch + 1);
  await next.release();
});

it('stays with a process that is stopped, and is taken over from a killed one', async () => {
  const other = await otherProcess();
  try {
    await expect(FolderLock.acquire(folder)).rejects.toThrow(`in use by process ${other.pid}`);
    other.kill('SIGSTOP');
    await expect(FolderLock.acquire(folder)).rejects.toThrow(`in use by process ${other.pid}`);
  } finally {
    await other.end();
  }
  const lock = await FolderLock.acquire(folder);
  expect(await lock.isHeld()).toBe(true);
  await lock.release();
}, 60_000);

it.skipIf(!existsSync('/proc/self/stat'))(
  'is taken over from a killed process whose parent has not asked for its result',
  async () => {
    // The shell becomes a program that does not know of the child that it had.
    const command = ['-c', '"$@" & exec sleep 100', 'sh', process.execPath, ...holderFlags()];
    const parent = spawn('sh', command, { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
      await expect(FolderLock.acquire(folder)).rejects.toThrow(`in use by process ${pid}`);
      process.kill(pid, 'SIGKILL');
      // Its other threads may still be ending.
      const state = () => {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
        return `${fields[0]} ${fields[17]}`;
      };
      await expect.poll(state, { timeout: 10_000 }).toMatch(/^Z [01]$/);
      const lock = await FolderLock.acquire(folder);
      expect(lock.epoch).toBe(2);
      await lock.release();
    } finally {
      parent.kill('SIGKILL');
    }
  },
  60_000,
);

it('is lost for good when another writer claims the next number', async () => {
  const lock = await FolderLock.acquire(folder);
  writeFileSync(join(folder, `writer-${lock.epoch + 1}.lock`), '');
  expect(await lock.isHeld()).toBe(false);
  rmSync(join(folder, `writer-${lock.epoch + 1}.lock`));
  expect(await lock.isHeld()).toBe(false);
  await lock.release();
});

it('is lost when its file is removed', async () => {
  const lock = await FolderLock.acquire(folder);
  rmSync(join(folder, `writer-${lock.epoch}.lock`));
  expect(await lock.isHeld()).toBe(false);
  await lock.release();
});

it('of another container counts as held while its file is renewed', async () => {
  const path = join(folder, 'writer-7.lock');
  writeFileSync(path, JSON.stringify({ pid: 1, process: 'boot 1 1', host: 'container' }));
  const renewal = setInterval(() => utimesSync(path, new Date(), new Date()), 50);
  await expect(FolderLock.acquire(folder, QUICK)).rejects.toThrow(
    'in use by process 1 on container',
  );
  clearInterval(renewal);
  const lock = await FolderLock.acquire(folder, QUICK);
  expect(lock.epoch).toBe(8);
  await lock.release();
});

it('of a former process with the same id is taken over', async () => {
  for (const pid of [process.pid, 1]) {
    const { epoch } = await FolderLock.acquire(folder, QUICK).then(async (lock) => {
      await lock.release();
      return lock;
    });
    const holder = { pid, process: 'another boot', host: hostname() };
    writeFileSync(join(folder, `writer-${epoch}.lock`), JSON.stringify(holder));
    await (await FolderLock.acquire(folder, QUICK)).release();
  }
});
