/**
 * Reads data folders of format 1 (version 0.1: an index, a file for each document, logs as JSON
 * lines) into the store, once. The former files move to a folder beside the journal.
 */
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Draft } from './draft.ts';
import { syncFolder } from './durable-folder.ts';
import { recordsProblem } from './record-check.ts';
import type { Records } from './records.ts';
import { JOURNAL_FORMAT } from './segment.ts';
import { StorageError } from './storage-error.ts';
import type { Store } from './store.ts';

/** Files and folders of format 1. The overflow of deliveries had two names. */
const INDEX = 'index.json';
const OVERFLOWS = ['shelf.jsonl', 'overflow.jsonl'] as const;
const FORMER = [INDEX, 'toolpaths', 'workflows', 'webhook-secrets', 'outbox.jsonl', 'runs.jsonl'];
const MOVED_TO = 'format-1';

type Json = Record<string, unknown>;

async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON lines of a log; a torn line was never acknowledged. */
async function linesOf(path: string): Promise<Json[]> {
  const text = (await textOf(path)) ?? '';
  const entries = text.split('\n').map((line) => parsed(line) as Json | undefined);
  return entries.filter((entry) => entry !== undefined);
}

async function readIndex(path: string): Promise<Records | null> {
  const text = await textOf(path);
  if (text === null) return null;
  const records = parsed(text);
  const problem = recordsProblem(records);
  if (problem === null) return records as Records;
  throw new StorageError(
    `${path} is damaged (${problem}). Fix it, or move it away to start with an empty database.`,
  );
}

/** Writes one transaction for each item, so that none is too large. */
async function importAll<Item>(
  store: Store,
  items: Iterable<Item>,
  put: (draft: Draft, item: Item) => void,
): Promise<void> {
  const writes: Promise<void>[] = [];
  for (const item of items) {
    writes.push(store.change((draft) => put(draft, item)));
    if (writes.length >= 256) await Promise.all(writes.splice(0));
  }
  await Promise.all(writes);
}

/** Raises the last number of a sequence, so that ids that were given are not given again. */
function raise(draft: Draft, sequence: string, last: number): void {
  const known = draft.lastNumber(sequence);
  if (last > known) draft.setLastNumber(sequence, last);
}

async function importRecords(store: Store, folder: string, records: Records): Promise<string[]> {
  const problems: string[] = [];
  const { users, tokens, toolpaths, last_ids, name, software_version } = records;
  await store.change((draft) => {
    for (const row of users) draft.put(store.table('users'), row.id, { row });
    for (const row of tokens) draft.put(store.table('tokens'), row.id, { row });
    for (const [key, row] of Object.entries({ name, software_version })) {
      draft.put(store.table('settings'), key, { row });
    }
    for (const [key, last] of Object.entries(last_ids)) raise(draft, key, last);
  });
  const bodies: { row: (typeof toolpaths)[number]; name: string; body: unknown }[] = [];
  for (const row of toolpaths) {
    const file = `${row.id}.${row.hash.slice(0, 16)}`;
    const path = join(folder, 'toolpaths', `${file}.json`);
    const text = await textOf(path);
    const body = text === null ? undefined : parsed(text);
    if (body === undefined) problems.push(`${path} is ${text === null ? 'missing' : 'damaged'}`);
    bodies.push({ row, name: file, body });
  }
  await importAll(store, bodies, (draft, one) => {
    draft.put(store.table('toolpaths'), one.row.id, { row: one.row });
    if (one.body === undefined) return;
    draft.put(store.table('bodies'), one.name, { row: null, body: JSON.stringify(one.body) });
  });
  return problems;
}

async function importDocuments(store: Store, folder: string, table: string): Promise<string[]> {
  const problems: string[] = [];
  const names = await readdir(folder).catch(() => [] as string[]);
  const last = Number((await textOf(join(folder, 'last-id.json'))) ?? 0);
  await store.change((draft) => raise(draft, table, last));
  for (const name of names) {
    const id = Number(/^(\d+)\.json$/.exec(name)?.[1] ?? 0);
    if (id === 0) continue;
    const row = parsed((await textOf(join(folder, name))) ?? '');
    if (row === undefined) problems.push(`${join(folder, name)} is damaged`);
    else {
      await store.change((draft) => {
        draft.put(store.table(table), id, { row });
        raise(draft, table, id);
      });
    }
  }
  return problems;
}

/** The deliveries of the log, and those of the overflow that it does not know. */
async function formerDeliveries(folder: string): Promise<Json[]> {
  const deliveries = new Map<unknown, Json>();
  for (const { kind, id, ...rest } of await linesOf(join(folder, 'outbox.jsonl'))) {
    // The delivery had different names in different builds.
    const content = Object.values(rest)[0] as Json | undefined;
    if (kind === 'forgotten') deliveries.clear();
    else if (kind === 'queued' && content) deliveries.set(content['id'], content);
    else Object.assign(deliveries.get(id) ?? {}, content);
  }
  for (const name of OVERFLOWS) {
    const waiting = new Map<unknown, Json>();
    for (const line of await linesOf(join(folder, name))) {
      if ('done' in line) waiting.delete(line['done']);
      else waiting.set(line['id'], line);
    }
    for (const [id, delivery] of waiting) {
      if (!deliveries.has(id)) deliveries.set(id, delivery);
    }
  }
  return [...deliveries.values()].sort((a, b) => Number(a['id']) - Number(b['id']));
}

async function importDeliveries(store: Store, folder: string): Promise<void> {
  await importAll(store, await formerDeliveries(folder), (draft, delivery) => {
    const { id, owner_id, run_id, url, state, tries: _, ...rest } = delivery;
    const row = { owner_id, run_id, url, state };
    draft.put(store.table('deliveries'), Number(id), { row, body: JSON.stringify(rest) });
    raise(draft, 'delivery', Number(id));
  });
}

/** Rows of a list of the history, as the log changes them. */
interface FormerChanges {
  readonly length: number;
  readonly rows: readonly (readonly [number, unknown])[];
}

const LISTS = ['tasks', 'labware', 'moves'] as const;

/** A run of the log. Lists hold rows by index. */
class FormerRun {
  readonly lists = new Map<string, unknown[]>();
  readonly events = new Map<number, Json>();
  plan: unknown = null;
  now_s = 0;
  head: Json;
  readonly owner_id: unknown;
  readonly hooks: unknown;

  constructor(entry: Json) {
    this.head = entry['head'] as Json;
    this.owner_id = entry['owner_id'];
    this.hooks = entry['hooks'];
    const history = (entry['history'] ?? entry['course']) as Json;
    for (const name of LISTS) this.lists.set(name, [...((history[name] as unknown[]) ?? [])]);
    this.plan = history['plan'] ?? null;
    this.now_s = Number(history['now_s'] ?? 0);
    this.addEvents(entry);
  }

  addEvents(entry: Json): void {
    const events = (entry['events'] as Json[] | undefined) ?? [];
    for (const event of events) this.events.set(Number(event['sequence']), event);
  }

  step(entry: Json): void {
    this.addEvents(entry);
    this.head = entry['head'] as Json;
    const history = (entry['history'] ?? entry['course']) as Json;
    this.now_s = Number(history['now_s']);
    if ('plan' in history) this.plan = history['plan'];
    for (const name of LISTS) {
      const { length, rows } = history[name] as FormerChanges;
      const list = this.lists.get(name)!.slice(0, length);
      for (const [at, row] of rows) list[at] = row;
      this.lists.set(name, list);
    }
  }

  put(store: Store, draft: Draft): void {
    const { head, owner_id, hooks, now_s, plan } = this;
    const id = Number(head['id']);
    draft.put(store.table('runs'), id, { row: { head, owner_id, hooks, now_s } });
    const put = (list: string, key: number, row: unknown) =>
      draft.put(store.table(`run-${id}-${list}`), key, { row });
    for (const name of LISTS) this.lists.get(name)!.forEach((row, at) => void put(name, at, row));
    for (const [sequence, event] of this.events) put('events', sequence, event);
    if (plan) put('plan', 0, plan);
    raise(draft, 'run', id);
  }
}

async function importRuns(store: Store, folder: string): Promise<void> {
  const runs = new Map<unknown, FormerRun>();
  for (const entry of await linesOf(join(folder, 'runs.jsonl'))) {
    const { kind, id = (entry['head'] as Json | undefined)?.['id'] } = entry;
    if (kind === 'forgotten') runs.clear();
    else if (kind === 'run') runs.set(id, new FormerRun(entry));
    else if (kind === 'events') runs.get(id)?.addEvents(entry);
    else runs.get(id)?.step(entry);
  }
  await importAll(store, runs.values(), (draft, run) => run.put(store, draft));
}

/**
 * Reads the files of format 1 into a store that has none of its own data yet; returns what is
 * damaged. An import that was interrupted starts again.
 */
export async function importFormerData(store: Store, folder: string): Promise<string[]> {
  const settings = store.table('settings');
  if (folder === ':memory:' || settings.get('format') !== undefined) return [];
  const records = await readIndex(join(folder, INDEX));
  const problems: string[] = [];
  if (records) {
    problems.push(...(await importRecords(store, folder, records)));
    problems.push(...(await importDocuments(store, join(folder, 'workflows'), 'workflows')));
    const secrets = join(folder, 'webhook-secrets');
    problems.push(...(await importDocuments(store, secrets, 'webhook_secrets')));
    await importDeliveries(store, folder);
    await importRuns(store, folder);
  }
  await store.change((draft) => draft.put(settings, 'format', { row: JOURNAL_FORMAT }));
  if (records) await moveFormerFiles(folder);
  return problems;
}

async function moveFormerFiles(folder: string): Promise<void> {
  await mkdir(join(folder, MOVED_TO), { recursive: true });
  for (const name of [...FORMER, ...OVERFLOWS]) {
    await rename(join(folder, name), join(folder, MOVED_TO, name)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    });
  }
  await syncFolder(folder);
}
