/** Data folders: check, back up while a twin runs, restore, and repair. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ApiFixture,
  smallToolpath,
  startApiFixture,
} from '../../service/http/api-fixture.cases.ts';
import { DAMAGES, damaged } from '../../store/damage.cases.ts';
import { openStore } from '../../store/open-store.ts';
import { StorageError } from '../../store/storage-error.ts';
import { seeded } from '../../store/store-history.cases.ts';
import { type DataRequest, runData } from './data.ts';

const place = mkdtempSync(join(tmpdir(), 'armtwin-data-command-'));
const folder = join(place, 'data');
const file = join(place, 'arm.backup');
const copy = join(place, 'copy');
let fixture: ApiFixture;

async function run(action: DataRequest['action'], target: string, replace = false) {
  let text = '';
  const out = { write: (more: string) => (text += more) };
  const code = await runData({ action, folder: target, file, replace }, { out, err: out });
  return { code, text };
}

const save = (name: string) =>
  fixture.send('POST', '/api/v1/toolpaths', {
    as: fixture.ada,
    body: { name, toolpath: smallToolpath() },
  });

/** Tables and rows of a folder. */
async function contentOf(target: string) {
  const store = await openStore(target);
  const rows = [...store.tables].flatMap(([name, table]) =>
    [...table.rows()].map(([key, row]) => `${name} ${key} ${JSON.stringify(row)}`),
  );
  await store.close();
  return rows.sort();
}

beforeAll(async () => {
  fixture = await startApiFixture({ data: folder, token: 'the first token' });
});
afterAll(() => rmSync(place, { recursive: true }));

it('backs up a running twin with all that is acknowledged, and restores it', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `toolpath ${at}`);
  await Promise.all(names.slice(0, 20).map(save));
  const later = Promise.all(names.slice(20).map(save));
  expect(await run('check', folder)).toMatchObject({ code: 0 });
  expect(await run('backup', folder)).toMatchObject({ code: 0 });
  await later;
  expect(await run('check', file)).toMatchObject({ code: 0 });
  await expect(run('restore', folder, true)).rejects.toThrow(`in use by process ${process.pid}`);
  await fixture.close();
  await run('restore', copy);
  const restored = await contentOf(copy);
  const original = await contentOf(folder);
  for (const name of names.slice(0, 20)) {
    expect(restored.some((row) => row.includes(`"${name}"`))).toBe(true);
  }
  const users = (rows: readonly string[]) => rows.filter((row) => /^(users|tokens) /.test(row));
  expect(users(restored)).toEqual(users(original));
  expect(await run('check', copy)).toMatchObject({ code: 0 });
});

it('is exact for a twin at rest, and puts former data aside', async () => {
  await run('backup', folder);
  await expect(run('restore', copy)).rejects.toThrow('use --replace');
  const { text } = await run('restore', copy, true);
  const former = readdirSync(copy).find((name) => name.startsWith('journal.replaced-'));
  expect(text).toContain(join(copy, former!));
  expect(await contentOf(copy)).toEqual(await contentOf(folder));
});

it('replaces no folder and no device by a backup, and leaves nothing behind', async () => {
  const output = { out: { write: () => true }, err: { write: () => true } };
  const target = join(place, 'socket');
  const server = createServer().listen(target);
  await once(server, 'listening');
  for (const taken of [place, target]) {
    const backup = runData({ action: 'backup', folder, file: taken, replace: false }, output);
    await expect(backup).rejects.toThrow(`${taken} is no file; name one`);
  }
  expect(readdirSync(place).filter((name) => name.endsWith('.new'))).toEqual([]);
  server.close();
});

it('refuses every damaged backup with its name', async () => {
  const whole = readFileSync(file);
  const draw = seeded(5);
  let refused = 0;
  for (let round = 0; round < 120; round++) {
    const kind = DAMAGES[round % DAMAGES.length]!;
    const bytes = damaged(whole, kind, draw);
    if (kind === 'removed' || bytes.equals(whole)) continue;
    writeFileSync(file, bytes);
    const outcome = await run('check', file).catch((error: unknown) => error);
    // The space behind a checksum has no meaning.
    if (!(outcome instanceof StorageError)) continue;
    refused += 1;
    expect(outcome.message).toContain(file);
  }
  writeFileSync(file, whole);
  expect(refused).toBeGreaterThan(80);
});

it('keeps the last change where the head file is missing or empty, as a start does', async () => {
  const journal = join(copy, 'journal');
  const heads = readdirSync(journal).filter((name) => name.startsWith('head-'));
  expect(heads.length).toBeGreaterThan(0);
  const whole = await contentOf(copy);
  for (const name of readdirSync(journal).filter((one) => one.startsWith('head-'))) {
    rmSync(join(journal, name));
  }
  const { code, text } = await run('check', copy);
  expect([code, text]).toEqual([0, expect.stringContaining(`${copy} has no head file: nothing`)]);
  const other = join(place, 'without-head');
  expect(await run('backup', copy)).toMatchObject({ code: 0 });
  await run('restore', other);
  expect(await contentOf(other)).toEqual(whole);
});

it('says which content of a toolpath a backup lacks, when it is made and checked', async () => {
  const lacking = join(place, 'lacking');
  await run('restore', lacking);
  const store = await openStore(lacking);
  const bodies = store.table<null>('bodies');
  const [[key]] = [...bodies.rows()] as [[string, null]];
  await store.change((draft) => draft.remove(bodies, key));
  await store.close();
  const lost = `FAIL The content of toolpath ${key.split('.')[0]} is lost`;
  for (const [action, target] of [
    ['check', lacking],
    ['backup', lacking],
    ['check', file],
  ] as const) {
    const { code, text } = await run(action, target);
    expect([action, code]).toEqual([action, 1]);
    expect(text).toContain(lost);
  }
});

it('names damage, and repairs a folder whose users are lost', async () => {
  const [segment] = readdirSync(join(copy, 'journal')).filter((name) => name.endsWith('.log'));
  const path = join(copy, 'journal', segment!);
  writeFileSync(path, readFileSync(path, 'utf8').replace('ada@', 'adb@'));
  const checked = await run('check', copy);
  expect(checked.code).toBe(1);
  expect(checked.text).toContain(`FAIL ${path} is damaged (transactions are missing): change`);
  await expect(openStore(copy)).rejects.toThrow('armtwin data repair');
  await expect(run('backup', copy)).rejects.toThrow(path);
  expect((await run('repair', copy)).text).toContain('1 damages repaired');
  expect(existsSync(`${path}.damaged`)).toBe(true);
  expect(await run('check', copy)).toMatchObject({ code: 0 });
});

it('names a folder that holds no data', async () => {
  await expect(run('check', join(place))).rejects.toThrow(`${place} is not a data folder`);
});
