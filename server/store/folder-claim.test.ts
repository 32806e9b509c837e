/** Claims of a data folder that another writer or a full disk disturbs. */
import {
  existsSync,
  promises as files,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock, type WallClock } from '../clock/wall-clock.ts';
import { JOURNAL_FOLDER } from './data-folder.ts';
import { FolderLock } from './folder-lock.ts';
import { openStore } from './open-store.ts';
import { withFiles } from './simulated-disk.cases.ts';
import { StorageError } from './storage-error.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-claim-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, content: object | string) =>
  writeFileSync(
    join(folder, name),
    typeof content === 'string' ? content : JSON.stringify(content),
  );

/** A clock whose waits end at once; `during` runs in the first one. */
function clockThat(during: () => void): WallClock {
  let waits = 0;
  const after: WallClock['after'] = (_delay_ms, callback) => {
    waits += 1;
    if (waits === 1) during();
    return systemClock.soon(callback);
  };
  return { ...systemClock, after };
}

/** A clock for what must not wait. */
const hastyClock = clockThat(() => {
  throw new Error('waited');
});

/** The boot and the start time of a process, as the system tells them. */
function bootAndStart(pid: number): readonly [string, string] {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return [boot, text.slice(text.lastIndexOf(')') + 2).split(' ')[19]!];
}

/** The text of the lock of a process of this machine. */
function holderOf(pid: number) {
  const [boot, start] = bootAndStart(pid);
  const { ino } = statSync('/proc/self/ns/pid');
  return { pid, host: hostname(), process: `${boot} ${ino} ${start}` };
}

const putHolder = (pid: number) => put('writer-7.lock', holderOf(pid));

describe('a claim', () => {
  // The lock of another machine is watched for a while, in which anything may happen.
  beforeEach(() => put('writer-7.lock', { pid: 1, process: 'boot', host: 'another' }));

  it('loses against one that creates the same file', async () => {
    const clock = clockThat(() => put('writer-8.lock', 'released'));
    const refused = `${folder} is in use by process 0 on another machine. Stop it, or choose`;
    await expect(FolderLock.acquire(folder, clock)).rejects.toThrow(refused);
    expect(readdirSync(folder).sort()).toEqual(['writer-7.lock', 'writer-8.lock']);
    const { epoch } = await FolderLock.acquire(
      folder,
      clockThat(() => {}),
    );
    expect(epoch).toBe(9);
  });

  it.skipIf(!existsSync('/proc/self/ns/pid'))('names the one that it loses against', async () => {
    const { ppid: pid } = process;
    const clock = clockThat(() => put('writer-8.lock', holderOf(pid)));
    await expect(FolderLock.acquire(folder, clock)).rejects.toThrow(
      `in use by process ${pid}. Stop`,
    );
  });

  it('loses against one with a higher number, and leaves no file', async () => {
    const clock = clockThat(() => put('writer-9.lock', 'released'));
    await expect(FolderLock.acquire(folder, clock)).rejects.toThrow('process 0 on another machine');
    expect(readdirSync(folder).sort()).toEqual(['writer-7.lock', 'writer-9.lock']);
  });

  it('that cannot be written names its file, and leaves none', async () => {
    const path = join(folder, 'writer-8.lock');
    const { writeFile } = files;
    // A full disk creates the file without its content.
    files.writeFile = () => {
      writeFileSync(path, '');
      return Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    };
    syncBuiltinESMExports();
    const refused = FolderLock.acquire(
      folder,
      clockThat(() => {}),
    ).finally(() => {
      Object.assign(files, { writeFile });
      syncBuiltinESMExports();
    });
    await expect(refused).rejects.toThrow(`${path} could not be saved: ENOSPC`);
    await expect(refused).rejects.toBeInstanceOf(StorageError);
    expect(readdirSync(folder)).toEqual(['writer-7.lock']);
    await (
      await FolderLock.acquire(
        folder,
        clockThat(() => {}),
      )
    ).release();
  });

  it.each([
    ['damaged', '{"pid":1', 'process 0 on another machine'],
    ['incomplete', '{"pid":1}', 'process 0 on another machine'],
    ['nothing', 'null', 'process 0 on another machine'],
    ['without a process', '{"pid":3,"host":"other"}', 'process 0 on another machine'],
    ['without an id', '{"process":"","host":"other"}', 'process 0 on another machine'],
    ['without a machine', '{"pid":3,"process":""}', 'process 0 on another machine'],
    ['complete', '{"pid":3,"process":"","host":"other"}', 'process 3 on other'],
  ])('respects a lock that is renewed, though its text is %s', async (_what, text, holder) => {
    put('writer-7.lock', text);
    const clock = clockThat(() => utimesSync(join(folder, 'writer-7.lock'), 1, 1));
    await expect(FolderLock.acquire(folder, clock)).rejects.toThrow(`in use by ${holder}`);
  });

  it('respects a lock that changes hands while it is watched', async () => {
    const clock = clockThat(() => rmSync(join(folder, 'writer-7.lock')));
    const refused = 'in use by process 1 on another';
    await expect(FolderLock.acquire(folder, clock)).rejects.toThrow(refused);
  });

  it('watches the lock of another machine for 4 s', async () => {
    let waited_ms = 0;
    const after: WallClock['after'] = (delay_ms, callback) => {
      waited_ms += delay_ms;
      return systemClock.soon(callback);
    };
    await (await FolderLock.acquire(folder, { ...systemClock, after })).release();
    expect(waited_ms).toBe(4000);
  });

  it('does not wait for a lock that cannot be read', async () => {
    mkdirSync(join(folder, 'writer-8.lock'));
    const lock = await FolderLock.acquire(folder, hastyClock);
    expect(lock.epoch).toBe(9);
    await lock.release();
  });

  it.skipIf(!existsSync('/proc/self/ns/pid'))('knows a process by its start, too', async () => {
    const [boot] = bootAndStart(process.ppid);
    const holder = `${boot} ${statSync('/proc/self/ns/pid').ino} 0`;
    put('writer-8.lock', { pid: process.ppid, process: holder, host: hostname() });
    await (await FolderLock.acquire(folder, hastyClock)).release();
  });

  it('counts only whole names of lock files', async () => {
    for (const name of ['writer-12.lock', 'x-writer-20.lock', 'writer-30.lock.new']) {
      put(name, 'released');
    }
    const lock = await FolderLock.acquire(folder);
    expect(lock.epoch).toBe(13);
    expect(readdirSync(folder).sort()).toEqual([
      ...['writer-13.lock', 'writer-30.lock.new', 'x-writer-20.lock'],
    ]);
    await lock.release();
    expect(readFileSync(join(folder, 'writer-13.lock'), 'utf8')).toBe('released');
    expect(statSync(join(folder, 'writer-13.lock')).mode & 0o77).toBe(0);
  });
});

describe('where the system shows no processes', () => {
  /** Runs while nothing can be read in /proc. */
  async function withoutProcesses<Value>(run: () => Promise<Value>): Promise<Value> {
    const { readFile, stat } = files;
    const unless = (path: unknown, read: () => Promise<unknown>) =>
      String(path).startsWith('/proc/') ? Promise.reject(new Error('no /proc')) : read();
    Object.assign(files, {
      readFile: (...given: Parameters<typeof readFile>) =>
        unless(given[0], () => readFile(...given)),
      stat: (...given: Parameters<typeof stat>) => unless(given[0], () => stat(...given)),
    });
    syncBuiltinESMExports();
    return run().finally(() => {
      Object.assign(files, { readFile, stat });
      syncBuiltinESMExports();
    });
  }

  it('a lock names its process by its id alone', async () => {
    await withoutProcesses(async () => {
      const lock = await FolderLock.acquire(folder);
      const text = readFileSync(join(folder, 'writer-1.lock'), 'utf8');
      expect(JSON.parse(text)).toEqual({ pid: process.pid, process: '', host: hostname() });
      await lock.release();
    });
  });

  it('a process that runs holds its lock', async () => {
    put('writer-7.lock', { pid: process.ppid, process: '', host: hostname() });
    const claim = withoutProcesses(() => FolderLock.acquire(folder, hastyClock));
    await expect(claim).rejects.toThrow(`in use by process ${process.ppid}. Stop`);
  });
});

it('a lock whose file was removed is not made again', async () => {
  const lock = await FolderLock.acquire(folder);
  rmSync(join(folder, 'writer-1.lock'));
  await lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

it('a lock that was lost is not released in the name of its successor', async () => {
  const lock = await FolderLock.acquire(folder);
  put('writer-2.lock', 'another');
  expect(await lock.isHeld()).toBe(false);
  await lock.release();
  expect(readFileSync(join(folder, 'writer-1.lock'), 'utf8')).toContain(hostname());
  expect(readFileSync(join(folder, 'writer-2.lock'), 'utf8')).toBe('another');
});

it('a lock is renewed by its clock until it is released', async () => {
  const renewals: (() => void)[] = [];
  const delays_ms: number[] = [];
  let epoch_ms = 1_000_000_000_000;
  const clock: WallClock = {
    ...systemClock,
    epoch_ms: () => epoch_ms,
    afterUnreferenced: (delay_ms, callback) => {
      delays_ms.push(delay_ms);
      renewals.push(callback);
      return () => void renewals.splice(0);
    },
  };
  const lock = await FolderLock.acquire(folder, clock);
  const time_ms = () => statSync(join(folder, 'writer-1.lock')).mtimeMs;
  await expect.poll(time_ms, { interval: 1 }).toBe(epoch_ms);
  epoch_ms += 1000;
  renewals.pop()!();
  await expect.poll(time_ms, { interval: 1 }).toBe(epoch_ms);
  expect([delays_ms, renewals.length]).toEqual([[1000, 1000], 1]);
  await lock.release();
  expect(renewals).toEqual([]);
});

describe('a lock that is held', () => {
  const failed = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
  const ownPath = () => join(folder, 'writer-1.lock');
  const isNext = (path: unknown) => path === join(folder, 'writer-2.lock');
  let renewals: (() => void)[] = [];
  /** Renews when a test says so. */
  const clock: WallClock = {
    ...systemClock,
    afterUnreferenced: (_delay_ms, callback) => {
      renewals.push(callback);
      return () => {};
    },
  };
  let lock: FolderLock;
  beforeEach(async () => {
    renewals = [];
    lock = await FolderLock.acquire(folder, clock);
  });
  afterEach(() => lock.release());

  it.each([
    ['ENOENT', true],
    ['ENOTDIR', true],
    ['ESTALE', true],
    ['EIO', false],
  ])('has no successor where %s is said of its file: %s', async (code, isKnown) => {
    const { stat } = files;
    const without = (...given: Parameters<typeof stat>) =>
      isNext(given[0]) ? failed(code) : stat(...given);
    const asking = withFiles({ stat: without }, () => lock.isHeld());
    if (isKnown) expect(await asking).toBe(true);
    else await expect(asking).rejects.toThrow(code);
    expect(lock.loss).toBeNull();
  });

  it('reports its loss once', async () => {
    const losses: unknown[] = [];
    lock.onLoss = (loss) => losses.push(loss);
    rmSync(ownPath());
    renewals.pop()!();
    await expect.poll(() => losses, { interval: 1 }).toEqual(['emptied']);
    renewals.pop()!();
    await new Promise(setImmediate);
    expect(losses).toEqual(['emptied']);
  });

  it('is lost for good without its file, also when the file is back', async () => {
    renameSync(ownPath(), join(folder, 'away'));
    expect(await lock.isHeld()).toBe(false);
    renameSync(join(folder, 'away'), ownPath());
    expect([await lock.isHeld(), lock.loss]).toEqual([false, 'emptied']);
  });

  it('stays lost when an earlier look at its folder ends late', async () => {
    const { stat } = files;
    let [noteLook, answer] = [() => {}, () => {}];
    const looked = new Promise<void>((resolve) => {
      noteLook = resolve;
    });
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow = async (...given: Parameters<typeof stat>) => {
      const found = await stat(...given).catch((error: unknown) => ({ error }));
      if (isNext(given[0])) {
        noteLook();
        await answered;
      }
      if ('error' in found) throw found.error;
      return found;
    };
    const asked = await withFiles({ stat: slow }, async () => {
      const late = lock.isHeld();
      await looked;
      return { late };
    });
    put('writer-2.lock', 'another');
    expect(await lock.isHeld()).toBe(false);
    answer();
    expect([await asked.late, lock.loss]).toEqual([false, 'taken over']);
  });
});

it('a lock whose file is not opened again is held, though it is not renewed', async () => {
  const { open } = files;
  const refusing = (...given: Parameters<typeof open>) => {
    const error = Object.assign(new Error('EPERM'), { code: 'EPERM' });
    return String(given[0]).endsWith('.lock') ? Promise.reject(error) : open(...given);
  };
  const lock = await withFiles({ open: refusing }, () => FolderLock.acquire(folder));
  expect(await lock.isHeld()).toBe(true);
  await lock.release();
  const next = await FolderLock.acquire(folder, hastyClock);
  expect(next.epoch).toBe(2);
  await next.release();
});

it.skipIf(!existsSync('/proc/self/ns/pid')).each([
  ['Z', 1, false],
  ['X', 1, false],
  ['Z', 2, true],
  ['S', 1, true],
])('a process in state %s with %i threads holds its folder: %s', async (state, threads, holds) => {
  const [, start] = bootAndStart(process.ppid);
  putHolder(process.ppid);
  const { readFile } = files;
  const fields = [state, ...Array.from({ length: 16 }, () => 0), threads, 0, start];
  const read = async (...given: Parameters<typeof readFile>) => {
    const isProcess = given[0] === `/proc/${process.ppid}/stat`;
    return isProcess ? `${process.ppid} (a (b) c) ${fields.join(' ')}` : readFile(...given);
  };
  const claim = withFiles({ readFile: read }, () => FolderLock.acquire(folder, hastyClock));
  if (holds) await expect(claim).rejects.toThrow(`in use by process ${process.ppid}. Stop`);
  else await (await claim).release();
});

it.skipIf(!existsSync('/proc/self/ns/pid')).each([
  ['EPERM', true],
  ['ESRCH', false],
])('a process that cannot be asked (%s) holds its folder: %s', async (code, isRefused) => {
  putHolder(process.ppid);
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  const claim = FolderLock.acquire(folder, hastyClock).finally(() => kill.mockRestore());
  if (isRefused) await expect(claim).rejects.toThrow(`in use by process ${process.ppid}. Stop`);
  else await (await claim).release();
});

describe('a folder that cannot be written', () => {
  /** Opens the store while no lock file can be written. */
  async function openWith(code: string) {
    const { writeFile } = files;
    files.writeFile = () => Promise.reject(Object.assign(new Error(code), { code }));
    syncBuiltinESMExports();
    return openStore(folder).finally(() => {
      Object.assign(files, { writeFile });
      syncBuiltinESMExports();
    });
  }

  it.each(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EIO'])('(%s) is read', async (code) => {
    const first = await openStore(folder);
    const change = (draft: Parameters<Parameters<typeof first.change>[0]>[0]) =>
      draft.put(first.table('rows'), 1, { row: 'kept' });
    await first.change(change);
    await first.close();
    const store = await openWith(code);
    expect(store.table('rows').get(1)).toBe('kept');
    const refused = store.change(change);
    await expect(refused).rejects.toThrow(`writer-2.lock could not be saved: ${code}`);
    await expect(refused).rejects.toMatchObject({ cause: { code } });
    expect(store.fault).not.toBeNull();
    await store.close();
    await (await openStore(folder)).close();
  });

  it('is refused where its changes of users are damaged', async () => {
    const store = await openStore(folder);
    await store.change((draft) => draft.put(store.table('users'), 1, { row: 'ada' }));
    await store.close();
    const path = join(folder, JOURNAL_FOLDER, '00000001.log');
    writeFileSync(path, readFileSync(path, 'utf8').replace('ada', 'adb'));
    await expect(openWith('EROFS')).rejects.toThrow(`${path} is damaged: changes of users`);
  });

  it('is refused where nothing was written before, or for another reason', async () => {
    await expect(openWith('EROFS')).rejects.toThrow('could not be saved: EROFS');
    mkdirSync(join(folder, JOURNAL_FOLDER));
    await expect(openWith('EROFS')).rejects.toThrow('could not be saved: EROFS');
    const store = await openStore(folder);
    await store.change((draft) => draft.put(store.table('rows'), 1, { row: 1 }));
    await store.close();
    await expect(openWith('ENOTDIR')).rejects.toThrow('could not be saved: ENOTDIR');
  });
});
