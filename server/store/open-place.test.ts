/**
 * A data folder that is moved, replaced or emptied under its writer: nothing is made in another
 * folder, and the fault says what happened.
 */

import {
  existsSync,
  promises as files,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOURNAL_FOLDER } from './data-folder.ts';
import { FolderLock } from './folder-lock.ts';
import { JournalDisk } from './journal-disk.ts';
import { OpenPlace } from './open-place.ts';
import { openStore } from './open-store.ts';
import { observeDisk, withFiles } from './simulated-disk.cases.ts';
import type { Store } from './store.ts';
import { systemDisk } from './system-disk.ts';

let root = '';
let folder = '';
let moved = '';
const open: Store[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'armtwin-open-'));
  folder = join(root, 'data');
  moved = join(root, 'moved');
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(root, { recursive: true, force: true });
});

async function opened(): Promise<Store> {
  const store = await openStore(folder);
  open.push(store);
  return store;
}

const save = (store: Store, name: string) =>
  store.change((draft) => draft.put(store.table('names'), name, { row: name }));
const names = (store: Store) => [...store.table('names').rows()].map(([name]) => name);

/** Opens a store that has data of an earlier start, so that its next change makes a segment. */
async function secondStart(): Promise<Store> {
  const first = await openStore(folder);
  await save(first, 'kept');
  await first.close();
  return opened();
}

/** Moves the folder away when the next file is opened for writing. */
async function saveWhileMoved(store: Store) {
  const stop = observeDisk((step) => {
    if (step === 'open' && !existsSync(moved)) renameSync(folder, moved);
  });
  const refusal = save(store, 'late').then(String, String);
  const text = await refusal.finally(stop);
  expect(existsSync(moved)).toBe(true);
  return text;
}

const GONE = 'the data folder is gone (renamed, deleted or unmounted); start again when it is back';

describe('a folder that is moved away', () => {
  it('while a change is saved is not made again, and can be moved back', async () => {
    const store = await secondStart();
    expect(await saveWhileMoved(store)).toContain(GONE);
    expect(readdirSync(root)).toEqual(['moved']);
    expect(store.fault).toBe(GONE);
    await expect(save(store, 'later')).rejects.toThrow(GONE);
    expect(readdirSync(root)).toEqual(['moved']);
    renameSync(moved, folder);
    await save(store, 'back');
    expect(store.fault).toBeNull();
    await store.close();
    const next = await opened();
    expect(next.report.damages).toEqual([]);
    expect(names(next)).toEqual(['kept', 'back']);
  });

  it('is reported without a change, and its lock is released where it is', {
    tags: ['ci'],
  }, async () => {
    const store = await opened();
    await save(store, 'kept');
    renameSync(folder, moved);
    await expect.poll(() => store.fault, { timeout: 5000 }).toBe(GONE);
    renameSync(moved, folder);
    await expect.poll(() => store.fault, { timeout: 5000 }).toBeNull();
    renameSync(folder, moved);
    await store.close();
    expect(readFileSync(join(moved, 'writer-1.lock'), 'utf8')).toBe('released');
  });
});

describe('another folder in its place', () => {
  it('is not written, whatever it holds', async () => {
    const store = await secondStart();
    renameSync(folder, moved);
    mkdirSync(folder);
    const fault =
      'another folder is in place of the data folder (moved or unmounted); ' +
      'start again when it is back';
    await expect(save(store, 'lost')).rejects.toThrow(fault);
    expect(store.fault).toBe(fault);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('with a twin of its own stays with that twin', async () => {
    const store = await opened();
    await save(store, 'kept');
    renameSync(folder, moved);
    const lock = await FolderLock.acquire(join(root, 'other'));
    renameSync(join(root, 'other'), folder);
    const path = join(folder, 'writer-1.lock');
    await expect(save(store, 'lost')).rejects.toThrow('another folder is in place');
    await store.close();
    expect(readFileSync(path, 'utf8')).not.toBe('released');
    expect(readdirSync(folder)).toEqual(['writer-1.lock']);
    await lock.release();
  });
});

describe('a folder that stays', () => {
  it('without its files is called emptied, and not taken over', async () => {
    const store = await secondStart();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    await expect(save(store, 'lost')).rejects.toThrow('files of the data folder are gone');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('without its journal gets no new one', async () => {
    const store = await opened();
    await save(store, 'kept');
    renameSync(join(folder, JOURNAL_FOLDER), join(folder, 'elsewhere'));
    await expect(save(store, 'lost')).rejects.toThrow('files of the data folder are gone');
    expect(readdirSync(folder)).not.toContain(JOURNAL_FOLDER);
  });

  it('is called taken over when another writer has claimed it, also after several', async () => {
    const store = await opened();
    await save(store, 'kept');
    rmSync(join(folder, 'writer-1.lock'));
    writeFileSync(join(folder, 'writer-3.lock'), '{}');
    await expect(save(store, 'lost')).rejects.toThrow('another armtwin has taken over');
  });
});

describe('the disk of a journal, where an open folder has no path of its own', () => {
  async function journalDisk() {
    mkdirSync(join(folder, JOURNAL_FOLDER), { recursive: true });
    const place = await OpenPlace.open(folder);
    const path = join(folder, JOURNAL_FOLDER);
    const disk = new JournalDisk(systemDisk, place, path);
    Reflect.set(place, 'ownPath', folder);
    await disk.prepare();
    Reflect.set(Reflect.get(disk, 'opened') as object, 'ownPath', path);
    return { disk, path, place };
  }

  it('writes only while the folder is in its place', async () => {
    const { disk, path, place } = await journalDisk();
    await (await disk.create(join(path, 'one')))!.close();
    renameSync(folder, moved);
    mkdirSync(path, { recursive: true });
    await disk.makeFolder(path);
    const made = disk.create(join(path, 'two'));
    await expect(made).rejects.toThrow(`${path} is not the folder that was opened`);
    expect(readdirSync(path)).toEqual([]);
    expect(readdirSync(join(moved, JOURNAL_FOLDER))).toEqual(['one']);
    await disk.close();
    await place.close();
  });

  it('makes no folder where the data folder is another', async () => {
    mkdirSync(folder);
    const place = await OpenPlace.open(folder);
    const path = join(folder, JOURNAL_FOLDER);
    const disk = new JournalDisk(systemDisk, place, path);
    await disk.prepare();
    renameSync(folder, moved);
    mkdirSync(folder);
    await expect(disk.makeFolder(path)).rejects.toThrow('is not the folder that was opened');
    expect([readdirSync(folder), readdirSync(moved)]).toEqual([[], []]);
    await place.close();
  });
});

describe('the disk of a journal', () => {
  it('makes, syncs and closes the folder of the journal, and leaves other paths', async () => {
    mkdirSync(folder);
    const place = await OpenPlace.open(folder);
    const path = join(folder, JOURNAL_FOLDER);
    const synced: string[] = [];
    const syncFolder = async (one: string) => void synced.push(realpathSync(one));
    const disk = new JournalDisk({ ...systemDisk, syncFolder }, place, path);
    await disk.prepare();
    await disk.makeFolder(join(folder, 'other'));
    expect(readdirSync(folder)).toEqual([]);
    const handles: files.FileHandle[] = [];
    const { open } = files;
    const observed = async (...given: Parameters<typeof open>) => {
      const handle = await open(...given);
      handles.push(handle);
      return handle;
    };
    await withFiles({ open: observed }, () => disk.makeFolder(path));
    await disk.syncFolder(path);
    expect(synced).toEqual([realpathSync(path)]);
    expect(await disk.list(folder)).toEqual([JOURNAL_FOLDER]);
    const openHandles = () => handles.filter(({ fd }) => fd >= 0).length;
    expect(openHandles()).toBe(1);
    await disk.close();
    expect(openHandles()).toBe(0);
    await place.close();
    expect(place.handle?.fd).toBe(-1);
  });
});

describe('a folder that the system does not open', () => {
  const refused = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
  const openWith = (code: string) =>
    withFiles({ open: () => refused(code) }, () => OpenPlace.open(folder));
  beforeEach(() => mkdirSync(folder));

  it.each(['EISDIR', 'EPERM'])('(%s) is known, as on Windows', async (code) => {
    const place = await openWith(code);
    expect([place.handle, place.ownPath, await place.state()]).toEqual([null, folder, 'same']);
    renameSync(folder, moved);
    mkdirSync(folder);
    expect(await place.state()).toBe('replaced');
    await place.close();
  });

  it('for another reason is an error', async () => {
    await expect(openWith('EACCES')).rejects.toThrow('EACCES');
  });

  it('is known by all digits of its number', async () => {
    let ino = 2n ** 53n;
    const stat = async (path: string, { bigint = false } = {}) => {
      if (path !== folder) return refused('ENOENT');
      return bigint ? { dev: 1n, ino } : { dev: 1, ino: Number(ino) };
    };
    const states = await withFiles({ stat }, async () => {
      const place = await openWith('EISDIR');
      const same = await place.state();
      ino += 1n;
      return [same, await place.state()];
    });
    expect(states).toEqual(['same', 'replaced']);
  });
});

it('a place that is a file is known, and what cannot be looked at is an error', async () => {
  mkdirSync(folder);
  const path = join(folder, 'file');
  writeFileSync(path, '');
  const place = await OpenPlace.open(path, 'r+');
  expect(await place.state()).toBe('same');
  rmSync(path);
  expect(await place.state()).toBe('gone');
  writeFileSync(path, '');
  expect(await place.state()).toBe('replaced');
  expect(statSync(path).isFile()).toBe(true);
  const long = Object.assign(Object.create(place) as OpenPlace, {
    path: join(root, 'x'.repeat(300)),
  });
  await expect(long.state()).rejects.toThrow('ENAMETOOLONG');
  await place.close();
  await expect(OpenPlace.open(join(root, 'none'))).rejects.toThrow('ENOENT');
});
