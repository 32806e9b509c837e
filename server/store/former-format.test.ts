/** Data folders of version 0.1 open without loss, and once. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importFormerData } from './former-format.ts';
import { openStore } from './open-store.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { openSimulated, seeded } from './store-history.cases.ts';

const HASH = 'ab'.repeat(32);
const INDEX = {
  format: 1,
  name: 'Former',
  software_version: '4.9.0',
  users: [{ id: 1, email: 'ada@b', role: 'admin', password: null }],
  tokens: [
    { id: 2, user_id: 1, name: 't', secret_sha256: 'x', created_at: '', last_used_at: null },
  ],
  toolpaths: [{ id: 3, owner_id: 1, name: 'path', hash: HASH }],
  last_ids: { user: 4, token: 5, toolpath: 6 },
};

const delivery = (id: number, state = 'pending') => ({
  ...{ id, message_id: `m${id}`, owner_id: 1, run_id: '7', sequence: id, hook_type: 'NewPlanHook' },
  ...{ url: 'http://a.test/', headers: {}, body: '{}', state, attempts: [], tries: 0 },
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-former-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

function writeFormerFolder(overflow: string, history: string): void {
  put('index.json', JSON.stringify(INDEX));
  put(`toolpaths/3.${HASH.slice(0, 16)}.json`, '{"a":1}');
  put('workflows/8.json', '{"owner_id":1,"name":"w"}');
  put('workflows/last-id.json', '9');
  put('webhook-secrets/1.json', '{"secret":"s"}');
  const settled = { kind: 'settled', id: 1, parcel: { state: 'delivered', attempts: [1] } };
  put('outbox.jsonl', lines({ kind: 'queued', parcel: delivery(1) }, settled));
  put(overflow, lines(delivery(2), delivery(3), { done: 2 }, delivery(1)));
  const head = { id: 7, workflow_id: 8, name: 'w', state: 'started' };
  const step = (now_s: number, row: string) => ({
    now_s,
    ...{ labware: { length: 0, rows: [] }, moves: { length: 0, rows: [] } },
    tasks: { length: 2, rows: [[1, row]] },
  });
  put(
    'runs.jsonl',
    lines(
      ...[
        { kind: 'run', head, owner_id: 1, hooks: [], events: [] },
        { kind: 'step', head: { ...head, state: 'stopped' }, events: [{ sequence: 1 }] },
      ].map((entry, at) => ({
        ...entry,
        [history]: at === 0 ? { now_s: 0, tasks: ['a', 'b'], plan: { id: 1 } } : step(5, 'c'),
      })),
    ),
  );
}

/** Imports the folder into its own journal, or into a store in memory. */
const open = async (place = folder) => {
  const store = await openStore(place);
  const problems = await importFormerData(store, folder);
  const rows = (name: string) => [...store.table(name).rows()];
  return { store, problems, rows };
};

describe.each([
  ['shelf.jsonl', 'course'],
  ['overflow.jsonl', 'history'],
])('a folder of version 0.1 with %s', (overflow, history) => {
  it('keeps all records, bodies, documents, deliveries and runs', async () => {
    writeFormerFolder(overflow, history);
    for (const start of ['first', 'second']) {
      const { store, problems, rows } = await open();
      expect([start, problems]).toEqual([start, []]);
      expect(rows('users')).toEqual([[1, INDEX.users[0]]]);
      expect(rows('tokens')).toEqual([[2, INDEX.tokens[0]]]);
      expect(rows('toolpaths')).toEqual([[3, INDEX.toolpaths[0]]]);
      const body = await store.readBody(store.table('bodies'), `3.${HASH.slice(0, 16)}`);
      expect(body).toBe('{"a":1}');
      expect(rows('workflows')).toEqual([[8, { owner_id: 1, name: 'w' }]]);
      expect(rows('webhook_secrets')).toEqual([[1, { secret: 's' }]]);
      expect(rows('deliveries')).toMatchObject([
        [1, { state: 'delivered', url: 'http://a.test/' }],
        [3, { state: 'pending', run_id: '7' }],
      ]);
      expect(rows('runs')).toMatchObject([[7, { head: { state: 'stopped' }, now_s: 5 }]]);
      expect(rows('run-7-tasks').map(([, row]) => row)).toEqual(['a', 'c']);
      expect(rows('run-7-events')).toEqual([[1, { sequence: 1 }]]);
      expect(rows('run-7-plan')).toEqual([[0, { id: 1 }]]);
      expect(Object.fromEntries(rows('counters'))).toEqual({
        ...{ user: 4, token: 5, toolpath: 6 },
        ...{ workflows: 9, webhook_secrets: 1, delivery: 3, run: 7 },
      });
      await store.close();
    }
    expect(existsSync(join(folder, 'index.json'))).toBe(false);
    expect(readdirSync(join(folder, 'format-1'))).toContain(overflow);
  });
});

it('names damaged documents and imports the others', async () => {
  writeFormerFolder('overflow.jsonl', 'history');
  put('workflows/4.json', '{"own');
  const { store, problems, rows } = await open();
  expect(problems).toEqual([`${join(folder, 'workflows', '4.json')} is damaged`]);
  expect(rows('workflows').length).toBe(1);
  await store.close();
});

it.each([
  ['{"format":1', 'not JSON'],
  ['[]', 'format undefined, not 1'],
  ['{"format":2}', 'format 2, not 1'],
  ['{"format":1,"users":[]}', 'tokens are missing'],
  ['{"format":1,"users":[null]}', 'entry 0 of users is not one of users'],
  ['{"format":1,"users":[{"id":1,"email":"a@b","role":"king"}]}', 'entry 0 of users is not one'],
])('leaves a damaged index alone and names it: %s', async (text, problem) => {
  put('index.json', text);
  const store = await openStore(folder);
  const path = join(folder, 'index.json');
  await expect(importFormerData(store, folder)).rejects.toThrow(`${path} is damaged (${problem}`);
  expect(existsSync(path)).toBe(true);
  await store.close();
});

describe('of a folder of version 0.1', () => {
  it('nothing is imported or moved where there is nothing', async () => {
    put('notes.txt', 'mine');
    const { problems, rows } = await open(':memory:');
    expect([problems, rows('settings')]).toEqual([[], [['format', 2]]]);
    expect(readdirSync(folder)).toEqual(['notes.txt']);
    const memory = await openStore(':memory:');
    expect(await importFormerData(memory, ':memory:')).toEqual([]);
    expect(memory.table('settings').size).toBe(0);
  });

  it('an index alone is imported with name and version, and reports lost toolpaths', async () => {
    const toolpaths = [3, 4, 5].map((id) => ({ ...INDEX.toolpaths[0], id }));
    put('index.json', JSON.stringify({ ...INDEX, toolpaths }));
    put('format-1/older.txt', '');
    const path = (id: number) => join(folder, 'toolpaths', `${id}.${HASH.slice(0, 16)}.json`);
    put(`toolpaths/4.${HASH.slice(0, 16)}.json`, '{"torn');
    put(`toolpaths/5.${HASH.slice(0, 16)}.json`, '[5]');
    const { problems, rows } = await open(':memory:');
    expect(problems).toEqual([`${path(3)} is missing`, `${path(4)} is damaged`]);
    expect(rows('settings')).toEqual([
      ['name', 'Former'],
      ['software_version', '4.9.0'],
      ['format', 2],
    ]);
    expect(rows('toolpaths').map(([id]) => id)).toEqual([3, 4, 5]);
    expect(rows('bodies')).toEqual([[`5.${HASH.slice(0, 16)}`, null]]);
    expect(readdirSync(join(folder, 'format-1')).sort()).toEqual([
      ...['index.json', 'older.txt', 'toolpaths'],
    ]);
  });

  it('documents are those whose whole name is an id', async () => {
    put('index.json', JSON.stringify(INDEX));
    for (const name of ['12', 'copy-5', 'last-id']) put(`workflows/${name}.json`, '12');
    for (const name of ['6.json.new', '0.json']) put(`workflows/${name}`, '1');
    const { rows } = await open(':memory:');
    expect(rows('workflows')).toEqual([[12, 12]]);
  });

  it('is imported once, although its files come back', async () => {
    put('index.json', JSON.stringify(INDEX));
    const { store } = await open(':memory:');
    put('index.json', JSON.stringify({ ...INDEX, name: 'Copied back' }));
    expect(await importFormerData(store, folder)).toEqual([]);
    expect(store.table('settings').get('name')).toBe('Former');
  });

  it('what cannot be read or moved is an error', async () => {
    put('index.json/file', '');
    await expect(open(':memory:')).rejects.toThrow('EISDIR');
    rmSync(join(folder, 'index.json'), { recursive: true });
    put('index.json', JSON.stringify(INDEX));
    put('format-1/index.json/file', '');
    await expect(open(':memory:')).rejects.toThrow(/EISDIR|ENOTEMPTY/);
  });
});

describe('the logs of version 0.1', () => {
  beforeEach(() => put('index.json', JSON.stringify(INDEX)));

  it('hold deliveries in any order, until they are forgotten', async () => {
    put(
      'outbox.jsonl',
      lines(
        { kind: 'queued', parcel: delivery(9) },
        { kind: 'forgotten' },
        { kind: 'settled', id: 9, parcel: { state: 'delivered' } },
        { kind: 'queued', parcel: delivery(5) },
        { kind: 'settled', id: 5 },
        { kind: 'queued', parcel: delivery(11) },
      ),
    );
    put('shelf.jsonl', lines(delivery(2), delivery(7)));
    const { store, rows } = await open(':memory:');
    const deliveries = rows('deliveries');
    expect(deliveries.map(([id]) => id)).toEqual([2, 5, 7, 11]);
    expect(deliveries[1]).toEqual([
      5,
      { owner_id: 1, run_id: '7', url: 'http://a.test/', state: 'pending' },
    ]);
    const body = JSON.parse((await store.readBody(store.table('deliveries'), 5))!);
    const rest = { message_id: 'm5', sequence: 5, hook_type: 'NewPlanHook' };
    expect(body).toEqual({ ...rest, headers: {}, body: '{}', attempts: [] });
  });

  it('hold many deliveries, whose import shares writes', async () => {
    const ids = Array.from({ length: 700 }, (_, at) => at + 1);
    put('shelf.jsonl', lines(...ids.map((id) => delivery(id))));
    const disk = new SimulatedDisk(seeded(1));
    let calls = 0;
    disk.latency = async () => {
      calls += 1;
    };
    const store = await openSimulated(disk, undefined, {
      ...{ segment_bytes: 1e6, compaction_bytes: 1e9 },
    });
    await importFormerData(store, folder);
    expect(store.table('deliveries').size).toBe(700);
    expect(calls).toBeLessThan(60);
  });

  it('hold runs with all that changed them, until they are forgotten', async () => {
    const head = (id: number, state = 'started') => ({ id, workflow_id: 8, state });
    const start = { owner_id: 3, hooks: ['hook'] };
    const same = { length: 0, rows: [] };
    put(
      'runs.jsonl',
      lines(
        { kind: 'run', head: head(5), ...start, history: {} },
        { kind: 'forgotten' },
        { kind: 'events', id: 5, events: [{ sequence: 1 }] },
        { kind: 'step', head: head(5), history: {} },
        { kind: 'run', head: head(7), ...start, history: { now_s: 2, labware: ['l'] } },
        { kind: 'run', head: head(8), ...start, history: {}, events: [{ sequence: 3 }] },
        { kind: 'events', id: 8, events: [{ sequence: 4 }] },
        {
          ...{ kind: 'step', head: head(8, 'stopped') },
          history: {
            ...{ now_s: 6, plan: { id: 2 }, labware: same, moves: same },
            tasks: {
              length: 2,
              rows: [
                [0, 'a'],
                [1, 'b'],
              ],
            },
          },
        },
        {
          ...{ kind: 'step', head: head(8, 'stopped') },
          history: { now_s: 7, labware: same, moves: same, tasks: { length: 1, rows: [] } },
        },
      ),
    );
    const { rows } = await open(':memory:');
    expect(rows('runs')).toEqual([
      [7, { head: head(7), ...start, now_s: 2 }],
      [8, { head: head(8, 'stopped'), ...start, now_s: 7 }],
    ]);
    const lists = ['tasks', 'labware', 'moves', 'events', 'plan'];
    const of = (id: number) => lists.map((name) => rows(`run-${id}-${name}`));
    expect(of(7)).toEqual([[], [[0, 'l']], [], [], []]);
    const events = [3, 4].map((sequence) => [sequence, { sequence }]);
    expect(of(8)).toEqual([[[0, 'a']], [], [], events, [[0, { id: 2 }]]]);
  });
});
