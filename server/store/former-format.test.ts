/** Data folders of version 0.1 open without loss, and once. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importFormerData } from './former-format.ts';
import { openStore } from './store-open.ts';

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

const open = async () => {
  const store = await openStore(folder);
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
