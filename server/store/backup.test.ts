/** Backups: what they hold, how they are restored, and what is refused. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp, checkBackup, openBackup } from './backup.ts';
import { hasHead, JOURNAL_FOLDER } from './data-folder.ts';
import { latestHead } from './head-file.ts';
import { encodeLine, linesOf } from './journal-line.ts';
import { openStore } from './open-store.ts';
import { openForReading } from './read-only-store.ts';
import { restore } from './restore.ts';
import { observeDisk } from './simulated-disk.cases.ts';
import { Store } from './store.ts';
import { inspectStore } from './store-inspection.ts';
import { systemDisk } from './system-disk.ts';

let place = '';
let folder = '';
let file = '';
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'armtwin-backup-'));
  folder = join(place, 'data');
  file = join(place, 'arm.backup');
  const store = await openStore(folder);
  await store.change((draft) => {
    draft.put(store.table('users'), 1, { row: { email: 'ada' } });
    draft.put(store.table('settings'), 'name', { row: 'Arm' });
    draft.put(store.table('run-3-tasks'), 0, { row: 'task', body: '"bödy"' });
    draft.put(store.table('run-4-tasks'), 0, { row: 'task' });
    draft.put(store.counters, 'journal_first_segment', { row: 1 });
    draft.nextNumber('item');
  });
  await store.close();
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Rows and bodies of all tables. */
async function contentOf(store: Store): Promise<unknown[]> {
  const content: unknown[] = [];
  for (const [name, table] of store.tables) {
    for (const [key, row] of table.rows()) {
      content.push([name, key, row, await store.readBody(table, key)]);
    }
  }
  await store.close();
  return content;
}

const CONTENT = [
  ['counters', 'item', 1, null],
  ['users', 1, { email: 'ada' }, null],
  ['settings', 'name', 'Arm', null],
  ['run-3-tasks', 0, 'task', '"bödy"'],
  ['run-4-tasks', 0, 'task', null],
];

describe('a backup', () => {
  it('holds every row and body once, and is restored into a new folder', async () => {
    expect(await backUp(folder, file)).toBe(5);
    const { rows, index, journal } = checkBackup(readFileSync(file), file);
    expect([rows, index]).toEqual([5, 2]);
    expect(readFileSync(file).subarray(0, journal.length)).toEqual(journal);
    const end = { n: 5, i: 2, first: 1 };
    expect(linesOf(readFileSync(file)).at(-1)?.head.head).toEqual({ ...end, write: 0, starts: [] });
    const copy = join(place, 'copy');
    expect(await restore(copy, file, { replace: false })).toBeNull();
    const made = { disk: systemDisk, folder: join(copy, JOURNAL_FOLDER) };
    const starts = new Map([[1, { n: 0, i: 0, epoch: 0, previous: 0 }]]);
    expect(await latestHead(made, [])).toEqual({ ...end, write: 1, starts });
    const store = await openStore(copy);
    expect(store.report).toEqual({ damages: [], unfinished_bytes: 0 });
    // The lines are all accounted for, also where the last of them are lost.
    expect(await contentOf(store)).toEqual(CONTENT);
    const path = join(copy, JOURNAL_FOLDER, '00000001.log');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
    expect((await openForReading(copy)).report.damages).toMatchObject([{ lost: [5] }]);
  });

  it('puts the former journal aside, only if that is allowed and no twin uses it', async () => {
    await backUp(folder, file);
    const store = await openStore(folder);
    await store.change((draft) => draft.put(store.table('users'), 2, { row: 'later' }));
    const inUse = restore(folder, file, { replace: true });
    await expect(inUse).rejects.toThrow('is in use by process');
    await store.close();
    const refused = restore(folder, file, { replace: false });
    await expect(refused).rejects.toThrow(
      `${folder} holds data. Restore into another folder, or use --replace`,
    );
    // An attempt that was interrupted has left a part behind.
    mkdirSync(join(folder, `${JOURNAL_FOLDER}.new`));
    writeFileSync(join(folder, `${JOURNAL_FOLDER}.new`, '00000007.log'), 'left over');
    const former = await restore(folder, file, { replace: true });
    expect(former).toMatch(/journal\.replaced-\d+$/);
    expect(readdirSync(former!)).toContain('00000001.log');
    expect(readdirSync(join(folder, JOURNAL_FOLDER)).sort()).toEqual(['00000001.log', 'head-0']);
    expect(await contentOf(await openStore(folder))).toEqual(CONTENT);
  });

  it('is made beside a twin, with what was acknowledged', async () => {
    const store = await openStore(folder);
    await store.change((draft) => draft.put(store.table('users'), 2, { row: 'later' }));
    expect(await backUp(folder, file)).toBe(6);
    await store.close();
  });

  it('is read without a restore', async () => {
    await backUp(folder, file);
    const { store, rows } = await openBackup(file);
    expect([rows, store.report]).toEqual([5, { damages: [], unfinished_bytes: 0 }]);
    expect(await contentOf(store)).toEqual(CONTENT);
    expect(readdirSync(place).sort()).toEqual(['arm.backup', 'data']);
    const missing = join(place, 'missing');
    await expect(openBackup(missing)).rejects.toThrow(`${missing} does not exist`);
  });

  it('has the last change of a folder without a head file, and no count of segments', async () => {
    const store = await openStore(folder);
    const [users, settings] = [store.table('users'), store.table('settings')];
    await store.change((draft) => draft.put(settings, 'journal_first_segment', { row: 'text' }));
    await store.close();
    const again = await openStore(folder);
    await again.change((draft) => draft.put(users, 2, { row: 'later' }));
    await again.close();
    const journal = join(folder, JOURNAL_FOLDER);
    expect(await hasHead(folder)).toBe(true);
    for (const name of readdirSync(journal)) {
      if (name.startsWith('head-')) rmSync(join(journal, name));
    }
    expect(await hasHead(folder)).toBe(false);
    expect(await backUp(folder, file)).toBe(7);
    const copy = join(place, 'copy');
    await restore(copy, file, { replace: false });
    expect((await contentOf(await openStore(copy))).slice(2, 5)).toEqual([
      ['users', 2, 'later', null],
      ['settings', 'name', 'Arm', null],
      ['settings', 'journal_first_segment', 'text', null],
    ]);
  });

  it.each([
    [4, 'is made of what is there then'],
    [5, 'is not made'],
  ])('whose content moves %i times meanwhile %s', async (moves, _what) => {
    const { read } = systemDisk;
    let left = moves;
    systemDisk.read = async (path, range) => {
      const isBody = range !== undefined && range.offset > 0;
      if (isBody) left -= 1;
      return isBody && left >= 0 ? null : read(path, range);
    };
    try {
      const making = backUp(folder, file);
      if (moves < 5) expect(await making).toBe(5);
      else await expect(making).rejects.toThrow('the content of run-3-tasks 0 is lost');
    } finally {
      systemDisk.read = read;
    }
    // What a reader does not find may be in another segment now: it is not called damaged.
    expect(readdirSync(join(folder, JOURNAL_FOLDER)).sort()).toEqual(['00000001.log', 'head-1']);
  });

  it('is not made of damaged data or of another folder', async () => {
    for (const other of [place, join(place, 'missing')]) {
      const text = `${other} is not a data folder: it has no journal`;
      await expect(backUp(other, file)).rejects.toThrow(text);
    }
    const path = join(folder, JOURNAL_FOLDER, '00000001.log');
    writeFileSync(path, readFileSync(path, 'utf8').replace('ada', 'adb'));
    await expect(backUp(folder, file)).rejects.toThrow(/is damaged .* Nothing is backed up\.$/);
    expect(existsSync(file)).toBe(false);
  });

  it('is refused when it is missing, of another kind, of a later format, or damaged', async () => {
    const into = join(place, 'copy');
    const restoring = restore(into, file, { replace: false });
    await expect(restoring).rejects.toThrow(`${file} does not exist`);
    const opening = (format: number) => {
      const segment = { format, number: 1, epoch: 0, after: 0, previous: 0 };
      return encodeLine({ n: 0, d: 0, i: 0, segment }, []).bytes;
    };
    const reason = (bytes: Buffer) => {
      expect(() => checkBackup(bytes, 'f')).toThrow(Error);
      try {
        return checkBackup(bytes, 'f');
      } catch (error) {
        return (error as Error).message;
      }
    };
    const row = encodeLine({ n: 1, d: 0, i: 0 }, []).bytes;
    for (const bytes of [Buffer.from('text\n'), row]) {
      expect(reason(bytes)).toBe('f is not a backup of armtwin');
    }
    expect(reason(opening(3))).toBe(
      'f has format 3, but this version reads format 2. Use the version of armtwin that wrote it.',
    );
    await backUp(folder, file);
    const text = readFileSync(file, 'latin1');
    const lines = text.split(/(?<=\n)/);
    const damaged = [
      ...[`${text}x`, lines.toSpliced(2, 1).join(''), lines.slice(0, -1).join('')],
      ...[text.replace('ada', 'adb'), [lines[0], lines[2], lines[1], ...lines.slice(3)].join('')],
      lines[0]!,
    ];
    for (const one of damaged) {
      const expected = 'f is damaged or not complete. Use another backup.';
      expect(reason(Buffer.from(one, 'latin1'))).toBe(expected);
    }
  });
});

describe('a restore that was broken off', () => {
  /** What a kill between the two renames of a restore leaves. */
  async function breakOff(): Promise<void> {
    await backUp(folder, file);
    const journal = join(folder, JOURNAL_FOLDER);
    const former = await restore(folder, file, { replace: true });
    renameSync(journal, `${journal}.new`);
    expect(existsSync(former!)).toBe(true);
  }

  it('is named by a start and a check, which begin nothing', async () => {
    await breakOff();
    const text = `${folder}: a restore was broken off; repeat it`;
    await expect(openStore(folder)).rejects.toThrow(text);
    await expect(openForReading(folder)).rejects.toThrow(text);
    expect(existsSync(join(folder, JOURNAL_FOLDER))).toBe(false);
  });

  it('is finished by the next one', async () => {
    await breakOff();
    await restore(folder, file, { replace: false });
    expect(await contentOf(await openStore(folder))).toEqual(CONTENT);
  });
});

describe('the file of a backup', () => {
  it('is none of the data folder', async () => {
    const own = readdirSync(join(folder, JOURNAL_FOLDER)).map((name) => join(JOURNAL_FOLDER, name));
    symlinkSync(join(folder, 'first-admin.txt'), join(place, 'link'));
    writeFileSync(join(folder, 'first-admin.txt'), 'secrets');
    const taken = [...own, 'first-admin.txt', 'writer-1.lock', 'journal.new/x', '../link'];
    for (const name of taken) {
      const target = join(folder, name);
      await expect(backUp(folder, target)).rejects.toThrow(
        `${target} is a file of the data folder`,
      );
    }
    expect((await inspectStore(await openForReading(folder))).problems).toEqual([]);
    // The only place that can be written in a container.
    await backUp(folder, join(folder, 'arm.backup'));
  });

  it.each([
    ['a folder', () => place, () => place],
    ['an empty name', () => '', () => 'An empty name'],
  ])('is not %s', async (_what, given, named) => {
    await expect(backUp(folder, given())).rejects.toThrow(`${named()} is no file; name one`);
  });

  it('stays as it was where the disk fails, and nothing stays beside it', async () => {
    writeFileSync(file, 'former');
    const stop = observeDisk((step, name) => {
      if (step === 'sync' && name === 'arm.backup.new') throw new Error('EIO');
    });
    await expect(backUp(folder, file).finally(stop)).rejects.toThrow('EIO');
    expect(readFileSync(file, 'utf8')).toBe('former');
    expect(readdirSync(place).sort()).toEqual(['arm.backup', 'data']);
  });

  it('stays behind a link', async () => {
    writeFileSync(join(place, 'real'), '');
    symlinkSync(join(place, 'real'), file);
    await backUp(folder, file);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(() => checkBackup(readFileSync(join(place, 'real')), 'real')).not.toThrow();
  });
});

it('a folder that is moved away is called gone, and not taken over', async () => {
  const store = await openStore(folder);
  const change = () => store.change((draft) => void draft.nextNumber('item'));
  await change();
  renameSync(folder, `${folder}-moved`);
  await expect(change()).rejects.toThrow('start again when it is back');
  expect(store.fault).toContain('the data folder is gone (renamed, deleted or unmounted)');
  await store.close();
});

it('an inspection counts rows by table, and names lost bodies', async () => {
  const store = await openStore(folder);
  const rows = { counters: 2, users: 1, settings: 1, 'run-tasks': 2 };
  expect(await inspectStore(store)).toEqual({ rows, problems: [] });
  const path = join(folder, JOURNAL_FOLDER, '00000001.log');
  writeFileSync(path, readFileSync(path, 'utf8').replace('bödy', 'bädy'));
  const text = `${path} is damaged: the content of run-3-tasks 0 is lost`;
  expect(await inspectStore(store)).toEqual({ rows, problems: [text] });
  await store.close();
});

describe('an inspection', () => {
  it('counts the rows of all runs as one table, and of others by their names', async () => {
    const store = await Store.open(null);
    await store.change((draft) => {
      for (const name of ['run-12-tasks', 'run-3-tasks', 'dry-run-3-tasks']) {
        draft.put(store.table(name), 0, { row: 'task' });
      }
    });
    const rows = { counters: 0, 'run-tasks': 2, 'dry-run-3-tasks': 1 };
    expect(await inspectStore(store)).toEqual({ rows, problems: [] });
  });

  it('names what was damaged when the store was opened', async () => {
    const path = join(folder, JOURNAL_FOLDER, '00000001.log');
    writeFileSync(path, readFileSync(path, 'utf8').replace('ada', 'adb'));
    const { problems } = await inspectStore(await openForReading(folder));
    expect(problems).toEqual([`${path} is damaged (transactions are missing): change 1 is lost`]);
  });
});
