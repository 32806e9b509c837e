/** The machine's own disk: what it does with files and folders, and how its errors read. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  promises as files,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncFolder } from './durable-folder.ts';
import { replaceFile } from './replace-file.ts';
import { observeDisk, withFiles } from './simulated-disk.cases.ts';
import { faultOf, StorageError, saveError } from './storage-error.ts';
import { systemDisk } from './system-disk.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'armtwin-disk-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inside = (...names: string[]) => join(folder, ...names);
const withCode = (code: string) => Object.assign(new Error(`${code}: failed`), { code });

type Read = (
  ...given: readonly [bytes: Uint8Array, at: number, length: number, position: number]
) => Promise<{ bytesRead: number }>;

/** Replaces how files are read; the files count as too large for a single call. */
function withRead<Value>(readWith: (read: Read) => Read, run: () => Promise<Value>) {
  const { open } = files;
  const opened: string[] = [];
  const observed = async (...given: Parameters<typeof open>) => {
    opened.push(String(given[0]));
    const file = await open(...given);
    Reflect.set(file, 'read', readWith(file.read.bind(file) as Read));
    Reflect.set(file, 'readFile', () => Promise.reject(withCode('ERR_FS_FILE_TOO_LARGE')));
    return file;
  };
  return withFiles({ open: observed }, async () => ({ value: await run(), opened }));
}

/** Files and folders of the test that this process has open, where the system shows them. */
function openPaths(): string[] {
  if (!existsSync('/proc/self/fd')) return [];
  const paths = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return '';
    }
  });
  return paths.filter((path) => path.startsWith(folder));
}

describe('an error of a save', () => {
  it('names the file and the reason, and keeps its cause', () => {
    const error = saveError('/data/file', withCode('EIO'));
    expect(error).toMatchObject({
      ...{ name: 'StorageError', message: '/data/file could not be saved: EIO' },
      ...{ isUncertain: false, cause: { code: 'EIO' } },
    });
    const full = 'f could not be saved: ENOSPC, no space is left on the disk';
    expect(saveError('f', withCode('ENOSPC')).message).toBe(full);
    expect(saveError('f', new Error('odd')).message).toBe('f could not be saved: Error: odd');
    expect(saveError('f', withCode('EIO'), true).isUncertain).toBe(true);
  });

  it('that has its text already is kept, and may become uncertain', () => {
    const error = new StorageError('another armtwin has taken over');
    expect(error.isUncertain).toBe(false);
    expect(saveError('/data/file', error)).toBe(error);
    const { message } = error;
    expect(saveError('f', error, true)).toMatchObject({ message, cause: error, isUncertain: true });
  });

  it.each([
    ['ENOSPC', 'the disk of the data folder is full'],
    ['EDQUOT', 'the disk of the data folder is full'],
    ['EROFS', 'the data folder is read-only'],
    ['EACCES', 'the data folder is read-only'],
    ['EPERM', 'the data folder is read-only'],
    ['EIO', 'the data folder fails'],
  ])('%s reads: %s', (code, text) => {
    const first = saveError('/data/file', withCode(code));
    const outer = saveError('/data/file', first, true);
    expect([withCode(code), first, outer].map(faultOf)).toEqual([text, text, text]);
  });

  it('without a code, or without a cause, is a failure of the folder', () => {
    for (const error of [new Error('odd'), new StorageError('odd')]) {
      expect(faultOf(error)).toBe('the data folder fails');
    }
  });
});

describe('a folder', () => {
  it('is made with its parents, once, each durable in the folder above', async () => {
    const steps: string[] = [];
    const stop = observeDisk((step, name) => void steps.push(`${step} ${name}`));
    await systemDisk.makeFolder(inside('a', 'b'));
    await systemDisk.makeFolder(inside('a', 'b'));
    stop();
    expect(statSync(inside('a', 'b')).isDirectory()).toBe(true);
    expect(steps).toEqual(
      [folder, inside('a')].map((path) => `sync folder ${path.split('/').at(-1)}`),
    );
    expect(openPaths()).toEqual([]);
  });

  it('may be made by several at once', async () => {
    const made = Array.from({ length: 8 }, () => systemDisk.makeFolder(inside('a', 'b', 'c')));
    await Promise.all(made);
    expect(existsSync(inside('a', 'b', 'c'))).toBe(true);
  });

  it('cannot be made where a file or a circle of links is', async () => {
    writeFileSync(inside('file'), '');
    symlinkSync(inside('circle'), inside('circle'));
    const text = `${inside('file')} is a file, where a folder should be`;
    await expect(systemDisk.makeFolder(inside('file'))).rejects.toThrow(text);
    await expect(systemDisk.makeFolder(inside('circle'))).rejects.toThrow('ELOOP');
    await expect(systemDisk.makeFolder(inside('circle', 'a'))).rejects.toThrow('ELOOP');
  });

  it.skipIf(!existsSync('/proc/self'))('says why the system makes none', async () => {
    const error = { message: 'No folder can be made in /proc', cause: { code: 'ENOENT' } };
    await expect(systemDisk.makeFolder('/proc/arm')).rejects.toMatchObject(error);
  });

  it.skipIf(!existsSync('/sys/kernel'))('keeps other reasons of the system', async () => {
    const making = systemDisk.makeFolder('/sys/kernel/armtwin');
    await expect(making).rejects.toThrow(/^(EPERM|EACCES|EROFS)/);
  });

  it('is synced, or the error is reported', async () => {
    const steps: string[] = [];
    const stop = observeDisk((step) => void steps.push(step));
    await syncFolder(folder);
    await expect(syncFolder(inside('missing'))).rejects.toThrow('ENOENT');
    stop();
    expect([steps, openPaths()]).toEqual([['sync folder'], []]);
  });

  it('is listed; a missing one is empty, and a file is an error', async () => {
    writeFileSync(inside('file'), '');
    mkdirSync(inside('sub'));
    expect((await systemDisk.list(folder)).sort()).toEqual(['file', 'sub']);
    expect(await systemDisk.list(inside('missing'))).toEqual([]);
    await expect(systemDisk.list(inside('file'))).rejects.toThrow('ENOTDIR');
  });
});

describe('a file', () => {
  it('is read whole or in part; a missing one is null, and a folder is an error', async () => {
    writeFileSync(inside('file'), 'content');
    const part = (offset: number, length_bytes: number) =>
      systemDisk.read(inside('file'), { offset, length_bytes });
    expect(String(await systemDisk.read(inside('file')))).toBe('content');
    expect([String(await part(3, 2)), String(await part(5, 9))]).toEqual(['te', 'nt']);
    expect(openPaths()).toEqual([]);
    expect(await systemDisk.read(inside('missing'))).toBeNull();
    expect(await systemDisk.read(inside('missing'), { offset: 0, length_bytes: 1 })).toBeNull();
    await expect(systemDisk.read(folder)).rejects.toThrow('EISDIR');
  });

  it('is opened once for parts that are read at the same time, again for later ones', async () => {
    const part = (name: string, offset: number) =>
      systemDisk.read(inside(name), { offset, length_bytes: 2 });
    const { open } = files;
    let opened = 0;
    files.open = (...given) => {
      opened += 1;
      return open(...given);
    };
    syncBuiltinESMExports();
    try {
      writeFileSync(inside('file'), 'abcdef');
      const reading = [part('file', 0), part('file', 2), part('file', 4), part('file', 6)];
      expect((await Promise.all(reading)).map(String)).toEqual(['ab', 'cd', 'ef', '']);
      expect(opened).toBe(1);
    } finally {
      Object.assign(files, { open });
      syncBuiltinESMExports();
    }
    const missing = [part('missing', 0), part('missing', 2)];
    expect(await Promise.all(missing)).toEqual([null, null]);
    expect(openPaths()).toEqual([]);

    await replaceFile(systemDisk, inside('file'), Buffer.from('uvwxyz'));
    expect(String(await part('file', 2))).toBe('wx');
    writeFileSync(inside('missing'), 'here');
    expect(String(await part('missing', 0))).toBe('he');
    expect(openPaths()).toEqual([]);
  });

  it('stays open for a part that takes longer, and for later ones meanwhile', async () => {
    writeFileSync(inside('file'), 'abcdef');
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const late =
      (read: Read): Read =>
      async (...given) => {
        if (given[3] === 2) await held;
        return read(...given);
      };
    const part = (offset: number) =>
      systemDisk.read(inside('file'), { offset, length_bytes: 2 }).then(String);
    const { value, opened } = await withRead(late, async () => {
      const second = part(2);
      const others = [await part(0), await part(4)];
      goOn();
      return [...others, await second];
    });
    expect([value, opened]).toEqual([['ab', 'ef', 'cd'], [inside('file')]]);
    expect(openPaths()).toEqual([]);
  });

  it('is read whole in parts, and up to its end where it is shortened meanwhile', async () => {
    writeFileSync(inside('file'), '0123456789');
    let calls = 0;
    const inParts =
      (shorten: () => void) =>
      (read: Read): Read =>
      async (...given) => {
        const [bytes, at, length, position] = given;
        calls += 1;
        if (calls > 9) throw new Error('read on and on');
        const found = await read(bytes, at, Math.min(length, 3), position);
        shorten();
        return found;
      };
    const readFrom = async (shorten: () => void) => {
      calls = 0;
      return String(
        (await withRead(inParts(shorten), () => systemDisk.read(inside('file')))).value,
      );
    };
    expect(await readFrom(() => {})).toBe('0123456789');
    expect(await readFrom(() => truncateSync(inside('file'), 5))).toBe('01234');
  });

  it.skipIf(process.platform === 'win32')('that is a pipe is read to its end', async () => {
    execFileSync('mkfifo', [inside('pipe')]);
    // The writer waits for a reader, and fails where that one leaves early.
    const writing = files.writeFile(inside('pipe'), 'content').catch(() => {});
    expect(String(await systemDisk.read(inside('pipe')))).toBe('content');
    await writing;
  });

  it('is opened with its content, or made for its owner alone', async () => {
    writeFileSync(inside('old'), 'abcdef');
    for (const name of ['old', 'new']) {
      const file = await systemDisk.open(inside(name));
      await file.write(Buffer.from('xy'), 2);
      if (name === 'old') await file.truncate(5);
      await file.close();
    }
    expect(readFileSync(inside('old'), 'utf8')).toBe('abxye');
    expect(readFileSync(inside('new'), 'latin1')).toBe('\0\0xy');
    expect(statSync(inside('new')).mode & 0o77).toBe(0);
    await expect(systemDisk.open(folder)).rejects.toThrow('EISDIR');
    expect(openPaths()).toEqual([]);
  });

  it('is created once, for its owner alone, and only in a folder', async () => {
    const file = await systemDisk.create(inside('file'));
    await file!.close();
    expect(statSync(inside('file')).mode & 0o77).toBe(0);
    expect(await systemDisk.create(inside('file'))).toBeNull();
    await expect(systemDisk.create(inside('missing', 'file'))).rejects.toThrow('ENOENT');
  });

  it('is written whole, although the system writes it in parts', async () => {
    const { open } = files;
    files.open = async (...given) => {
      const file = await open(...given);
      const write = file.write.bind(file) as (
        ...given: readonly [Uint8Array, number, number, number]
      ) => Promise<{ bytesWritten: number }>;
      Reflect.set(file, 'write', (...given: Parameters<typeof write>) => {
        const [bytes, from, length, position] = given;
        return write(bytes, from, Math.min(length, 3), position);
      });
      return file;
    };
    syncBuiltinESMExports();
    const file = await systemDisk.open(inside('file'));
    Object.assign(files, { open });
    syncBuiltinESMExports();
    await file.write(Buffer.from('0123456789'), 4);
    await file.close();
    expect(readFileSync(inside('file'), 'latin1')).toBe(`${'\0'.repeat(4)}0123456789`);
  });

  it('is removed; a missing one is no error, and a folder is one', async () => {
    writeFileSync(inside('file'), '');
    for (let round = 0; round < 2; round++) await systemDisk.remove(inside('file'));
    expect(readdirSync(folder)).toEqual([]);
    await expect(systemDisk.remove(folder)).rejects.toThrow(/EISDIR|EPERM/);
  });

  it('is replaced as a whole, whatever an earlier attempt left', async () => {
    writeFileSync(inside('file'), 'old');
    writeFileSync(inside('file.new'), 'left over and longer');
    const steps: string[] = [];
    const stop = observeDisk((step) => void steps.push(step));
    await replaceFile(systemDisk, inside('file'), Buffer.from('new'));
    stop();
    expect(steps).toEqual(['open', 'write', 'sync', 'sync folder']);
    expect(readdirSync(folder)).toEqual(['file']);
    expect(readFileSync(inside('file'), 'utf8')).toBe('new');
    expect(openPaths()).toEqual([]);
  });
});
