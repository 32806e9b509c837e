/** The database: durable changes, rollback on failure, detection of damage. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';
import { Database } from './database.ts';
import { StorageError } from './durable-file.ts';
import { emptyRecords } from './records.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'armtwin-store-')), 'data');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const open = () => Database.open(folder, emptyRecords('Fresh', '4.9.0'));
const index = () => join(folder, 'index.json');
const rename = (name: string) => (draft: { name: string }) => {
  draft.name = name;
};

describe('a change', () => {
  it('is present after reopening', async () => {
    const first = await open();
    await first.change(rename('Kept'));
    await first.close();
    const second = await open();
    expect(second.records.name).toBe('Kept');
    await second.close();
  });

  it('is not visible before it is saved', async () => {
    const database = await open();
    let isSaved = false;
    const saving = database.change(rename('New')).then(() => {
      isSaved = true;
    });
    // Long enough for the change to be made and for the write to start.
    while (!existsSync(`${index()}.new`) && !isSaved) {
      expect(database.records.name).toBe('Fresh');
      await new Promise(setImmediate);
    }
    if (!isSaved) expect(database.records.name).toBe('Fresh');
    await saving;
    expect(database.records.name).toBe('New');
    expect(JSON.parse(readFileSync(index(), 'utf8')).name).toBe('New');
    await database.close();
  });

  it('runs after earlier changes', async () => {
    const database = await open();
    const counts = Array.from({ length: 20 }, () =>
      database.change((draft) => ++draft.last_ids.user),
    );
    expect(await Promise.all(counts)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    await database.close();
  });
});

it('keeps the index small regardless of the size of toolpaths', async () => {
  const database = await open();
  const heavy = { ...smallToolpath(), padding: 'x'.repeat(100_000) };
  const rows = Array.from({ length: 20 }, (_, at) => ({
    id: at + 1,
    owner_id: 1,
    name: `Toolpath ${at}`,
    hash: `${at}`.padStart(64, '0'),
  }));
  for (const row of rows) await database.saveBody(row, heavy);
  await database.change((draft) => {
    draft.toolpaths = rows;
  });
  expect(readFileSync(index()).byteLength).toBeLessThan(rows.length * 300);
  await database.close();
});

describe('when the disk fails', () => {
  /** Ways to make a write fail. */
  const failures = [
    ['no space left (ENOSPC)', (path: string) => symlinkSync('/dev/full', path), 'ENOSPC'],
    ['a path that cannot be written', (path: string) => mkdirSync(path), 'EISDIR'],
  ] as const;

  it.each(failures)(
    '%s: the change is rejected and the records stay unchanged',
    async (_n, spoil, code) => {
      const database = await open();
      await database.change(rename('Before'));
      spoil(`${index()}.new`);
      const failing = database.change(rename('Lost'));
      await expect(failing).rejects.toThrow(StorageError);
      await expect(failing).rejects.toThrow(`${index()} could not be saved: ${code}`);
      expect(database.records.name).toBe('Before');
      expect(JSON.parse(readFileSync(index(), 'utf8')).name).toBe('Before');
      rmSync(`${index()}.new`, { recursive: true, force: true });
      await database.change(rename('After'));
      expect(database.records.name).toBe('After');
      await database.close();
    },
  );

  it('leaves no temporary file', async () => {
    const database = await open();
    symlinkSync('/dev/full', `${index()}.new`);
    await database.change(rename('Lost')).catch(() => {});
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
    await database.close();
  });

  it('changes nothing when the edit itself throws', async () => {
    const database = await open();
    const failing = database.change((draft) => {
      draft.name = 'Half';
      throw new Error('a bug');
    });
    await expect(failing).rejects.toThrow('a bug');
    expect(database.records.name).toBe('Fresh');
    await database.close();
  });
});

describe('damage', () => {
  it.each([
    ['{"format":1', 'not JSON'],
    ['[]', 'format undefined, not 1'],
    ['{"format":2}', 'format 2, not 1'],
    ['{"format":1,"users":[]}', 'parts are missing'],
    ['', 'not JSON'],
  ])('of the index is named, and the file is left alone: %s', async (text, problem) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(index(), text);
    await expect(open()).rejects.toThrow(`${index()} is damaged (${problem})`);
    expect(readFileSync(index(), 'utf8')).toBe(text);
  });

  it('releases the folder lock', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(index(), '{');
    await expect(open()).rejects.toThrow('damaged');
    writeFileSync(index(), JSON.stringify(emptyRecords('Repaired', '4.9.0')));
    const database = await open();
    expect(database.records.name).toBe('Repaired');
    await database.close();
  });

  it('of bodies is reported; unused files are removed', async () => {
    const database = await open();
    const row = (id: number) => ({ id, owner_id: 1, name: `t${id}`, hash: `${id}`.repeat(64) });
    for (const id of [1, 2, 3]) await database.saveBody(row(id), smallToolpath());
    await database.saveBody(row(4), smallToolpath());
    await database.change((draft) => {
      draft.toolpaths = [row(1), row(2), row(3)];
    });
    const path = (id: number) => join(folder, 'toolpaths', `${id}.${`${id}`.repeat(16)}.json`);
    writeFileSync(path(2), '{"metadata"');
    rmSync(path(3));
    expect(await database.inspect()).toEqual([
      `${path(2)} is damaged: its toolpath cannot be opened`,
      `${path(3)} is missing: its toolpath cannot be opened`,
    ]);
    expect(readdirSync(join(folder, 'toolpaths')).sort()).toEqual(
      [path(1), path(2)].map((file) => file.split('/').at(-1)),
    );
    expect(await database.readBody(row(1))).toEqual(smallToolpath());
    await expect(database.readBody(row(2))).rejects.toThrow(path(2));
    expect(await database.readBody(row(3))).toBeNull();
    await database.close();
  });
});

describe('a folder', () => {
  it('is created with its parents', async () => {
    const place = join(folder, 'of', 'the', 'arm');
    await (await Database.open(place, emptyRecords('', ''))).close();
    expect(existsSync(place)).toBe(true);
  });

  it.skipIf(!existsSync('/proc/self'))('that can never be is refused, not tried for ever', () =>
    expect(Database.open('/proc/arm/twin', emptyRecords('', ''))).rejects.toThrow(
      'No folder can be made in /proc',
    ),
  );

  it.each([
    ['is a file itself', (path: string) => path],
    ['lies in a file', (path: string) => join(path, 'data')],
  ])('that %s is refused with its name', async (_why, place) => {
    const file = `${folder}.txt`;
    writeFileSync(file, '');
    const opening = Database.open(place(file), emptyRecords('', ''));
    await expect(opening).rejects.toThrow(file);
  });

  it('is locked by one twin at a time, also within a process', async () => {
    const database = await open();
    await expect(open()).rejects.toThrow(`is in use by process ${process.pid}`);
    await database.close();
    await (await open()).close();
  });

  it('is locked by a live process, and taken over from a dead one', async () => {
    mkdirSync(folder, { recursive: true });
    const other = spawn('sleep', ['60']);
    writeFileSync(join(folder, 'armtwin.pid'), `${other.pid}\n`);
    await expect(open()).rejects.toThrow(`is in use by process ${other.pid}`);
    const gone = new Promise((resolve) => other.once('exit', resolve));
    other.kill('SIGKILL');
    await gone;
    await (await open()).close();
  });

  it('is taken over from an earlier process with the same id', async () => {
    mkdirSync(folder, { recursive: true });
    const other = spawn('sleep', ['60']);
    writeFileSync(join(folder, 'armtwin.pid'), `${other.pid}\nanother boot 1`);
    await (await open()).close();
    writeFileSync(join(folder, 'armtwin.pid'), `${process.pid}\nanother boot 1`);
    await (await open()).close();
    writeFileSync(join(folder, 'armtwin.pid'), '');
    await (await open()).close();
    other.kill('SIGKILL');
  });
});
