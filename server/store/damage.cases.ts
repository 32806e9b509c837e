/**
 * Random damage to the files of a data folder, and a journal that has every kind of content: closed
 * segments, moved rows, writes that failed and stayed, and late writes of a writer that lost its
 * lock. Test code.
 */

import type { StoredLine } from './journal-line.ts';
import { loadJournal } from './journal-load.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { StorageError } from './storage-error.ts';
import { Store } from './store.ts';
import { seeded } from './store-history.cases.ts';

const FOLDER = '/data/journal';
const SEGMENT_BYTES = 1500;
const COMPACTION_BYTES = 12_000;

/** Ways in which a file is damaged. */
export const DAMAGES = [
  'bit',
  'byte',
  'cut',
  'zeroes',
  'swapped',
  'doubled',
  'emptied',
  'removed',
  'garbage',
] as const;
export type DamageKind = (typeof DAMAGES)[number];

/** Sizes of blocks that a disk zeroes or swaps (bytes). */
const BLOCKS = [16, 64, 512, 4096];

function swapped(bytes: Buffer, draw: () => number): Buffer {
  const size = BLOCKS[Math.floor(draw() * BLOCKS.length)]!;
  const count = Math.max(1, Math.floor(bytes.length / size));
  const [a, b] = [Math.floor(draw() * count) * size, Math.floor(draw() * count) * size];
  const next = Buffer.from(bytes);
  bytes.copy(next, a, b, b + size);
  bytes.copy(next, b, a, a + size);
  return next;
}

function doubled(bytes: Buffer, draw: () => number): Buffer {
  const lines = bytes.toString('latin1').split(/(?<=\n)/);
  const from = Math.floor(draw() * lines.length);
  const copies = lines.slice(from, from + 1 + Math.floor(draw() * 3));
  const to = draw() < 0.5 ? from + copies.length : Math.floor(draw() * (lines.length + 1));
  return Buffer.from(lines.toSpliced(to, 0, ...copies).join(''), 'latin1');
}

/** The bytes of a file after damage of a kind; a `draw` returns numbers from 0 to 1. */
export function damaged(bytes: Buffer, kind: DamageKind, draw: () => number): Buffer {
  const at = Math.floor(draw() * bytes.length);
  const next = Buffer.from(bytes);
  const random = () => Math.floor(draw() * 256);
  if (kind === 'emptied' || kind === 'removed') return Buffer.alloc(0);
  if (kind === 'cut') return next.subarray(0, at);
  if (kind === 'swapped') return swapped(bytes, draw);
  if (kind === 'doubled') return doubled(bytes, draw);
  const length = BLOCKS[Math.floor(draw() * BLOCKS.length)]!;
  if (kind === 'garbage') return Buffer.concat([next, Buffer.from(Array.from({ length }, random))]);
  if (bytes.length === 0) return next;
  if (kind === 'zeroes') return next.fill(0, at, Math.min(at + length, next.length));
  next[at] = kind === 'byte' ? random() : next[at]! ^ (1 << Math.floor(draw() * 8));
  return next;
}

/** What a journal says: rows and bodies by table and key. */
type Content = Map<string, string>;

async function contentOf(store: Store, names: Iterable<string>): Promise<Content> {
  const content: Content = new Map();
  for (const name of names) {
    const table = store.table(name);
    for (const [key, row] of table.rows()) {
      const body = await store.readBody(table, key);
      content.set(`${name} ${JSON.stringify(key)}`, `${JSON.stringify(row)} ${body}`);
    }
  }
  return content;
}

/** The transactions of an undamaged journal, with the texts of their bodies. */
interface Transaction {
  readonly n: number;
  readonly operations: readonly {
    readonly kind: string;
    readonly table: string;
    readonly key: string;
    readonly value: string;
  }[];
}

/** The content after transactions, as a second implementation applies them. */
function replayed(transactions: readonly Transaction[], lost: ReadonlySet<number>): Content {
  const content: Content = new Map();
  for (const { n, operations } of transactions) {
    for (const { kind, table, key, value } of lost.has(n) ? [] : operations) {
      if (kind === 'p') content.set(`${table} ${key}`, value);
      else if (kind === 'r') content.delete(`${table} ${key}`);
      else {
        for (const one of [...content.keys()]) if (one.startsWith(`${table} `)) content.delete(one);
      }
    }
  }
  return content;
}

function optionsOf(disk: SimulatedDisk, epoch: number, acceptsLoss: boolean) {
  const lock = { epoch, isHeld: async () => disk.lockAnswers.get(epoch)?.shift() ?? true };
  return {
    disk,
    folder: FOLDER,
    lock,
    acceptsLoss,
    segment_bytes: SEGMENT_BYTES,
    compaction_bytes: COMPACTION_BYTES,
  };
}

function open(disk: SimulatedDisk, epoch: number, acceptsLoss = false): Promise<Store> {
  return Store.open(optionsOf(disk, epoch, acceptsLoss));
}

const TABLES = ['users', 'items', 'pairs', 'counters'];

/** One random change. */
function changeOf(store: Store, draw: () => number, value: number): Promise<void> {
  const items = store.table('items');
  return store.change((draft) => {
    const kind = draw();
    const key = Math.floor(draw() * 12);
    if (kind < 0.1) draft.put(store.table('users'), key, { row: { value } });
    else if (kind < 0.2) draft.remove(items, key);
    else if (kind < 0.22) draft.clear(store.table('pairs'));
    else {
      draft.nextNumber('item');
      const body = JSON.stringify({ value, text: 'x'.repeat(draw() * 200) });
      draft.put(items, key, { row: { value }, body });
      draft.put(store.table('pairs'), key, { row: { value } });
    }
  });
}

/** Changes while writes fail and leave parts behind that cannot be removed. */
async function changeRandomly(disk: SimulatedDisk, store: Store, draw: () => number) {
  for (let value = 0; value < 60; value++) {
    if (draw() < 0.08) {
      const step = draw() < 0.5 ? 'write' : 'sync';
      disk.fails = { step, count: 1, alsoTruncate: true };
    }
    await changeOf(store, draw, value).catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
    });
    disk.fails = null;
  }
}

async function textsOf(disk: SimulatedDisk, line: StoredLine): Promise<(string | null)[]> {
  let { bodies_offset: offset } = line;
  const texts: (string | null)[] = [];
  for (const [, , , , length_bytes] of line.head.o) {
    if (length_bytes === undefined) texts.push(null);
    else {
      const path = `${FOLDER}/${String(line.segment).padStart(8, '0')}.log`;
      texts.push(String(await disk.read(path, { offset, length_bytes })));
      offset += length_bytes + 1;
    }
  }
  return texts;
}

export class DamagedJournal {
  private readonly disk: SimulatedDisk;
  private readonly transactions: readonly Transaction[];

  private constructor(disk: SimulatedDisk, transactions: readonly Transaction[]) {
    this.disk = disk;
    this.transactions = transactions;
  }

  /** A journal of two writers, the first of which writes late. */
  static async make(seed: number): Promise<DamagedJournal> {
    const draw = seeded(seed);
    const disk = new SimulatedDisk(draw);
    const first = await open(disk, 1);
    await changeRandomly(disk, first, draw);
    await first.settle();
    const second = await open(disk, 2);
    // The first writer loses the lock between its checks before and after a write.
    disk.lockAnswers.set(1, [true, ...Array.from({ length: 100 }, () => false)]);
    await changeOf(first, draw, 1000).catch(() => {});
    await changeRandomly(disk, second, draw);
    await second.close();
    const lines: StoredLine[] = [];
    // A reader without the lock gets the transactions whose answers are not known as well.
    const reader = { ...optionsOf(disk.copy(), 3, false), lock: null };
    await loadJournal(reader, (line) => lines.push(line));
    const transactions: Transaction[] = [];
    for (const line of lines) {
      const texts = await textsOf(disk, line);
      const operations = line.head.o.map(([kind, table, key, row], at) => {
        const value = `${JSON.stringify(row)} ${texts[at]}`;
        return { kind, table, key: JSON.stringify(key), value };
      });
      transactions.push({ n: line.head.n, operations });
    }
    return new DamagedJournal(disk, transactions);
  }

  /** Damages one file at random; returns what is wrong with the outcome. */
  async damage(seed: number, given?: 'none'): Promise<string[]> {
    const draw = seeded(seed);
    const disk = this.disk.copy();
    const path = disk.paths[Math.floor(draw() * disk.paths.length)]!;
    const kind = given ?? DAMAGES[Math.floor(draw() * DAMAGES.length)]!;
    if (kind !== 'none') disk.damage(path, (bytes) => damaged(bytes, kind, draw));
    if (kind === 'removed') await disk.remove(path);
    const problems = await this.judge(disk);
    return problems.map((problem) => `seed ${seed}, ${kind} in ${path}: ${problem}`);
  }

  private async judge(disk: SimulatedDisk): Promise<string[]> {
    let store: Store;
    let isRefused = false;
    try {
      store = await open(disk, 3);
    } catch (error) {
      if (!(error instanceof StorageError)) return [`raw: ${(error as Error).stack}`];
      if (!error.message.includes(FOLDER)) return [`refused without a name: ${error.message}`];
      isRefused = true;
      // What is lost must be named even when users are among it.
      store = await open(disk, 3, true);
      if (store.report.damages.length === 0) return [`refused for nothing: ${error.message}`];
    }
    const { damages } = store.report;
    const lost = new Set(damages.flatMap((damage) => [...damage.lost]));
    const isIndexLost = this.transactions.some(({ n, operations }) => {
      return lost.has(n) && operations.some(({ table }) => table === 'users');
    });
    if (isIndexLost && !isRefused) return ['users are lost, and it opens'];
    const expected = replayed(this.transactions, lost);
    const problems = [...differences(expected, await contentOf(store, TABLES))];
    if (lost.size > 0 && !damages.some(({ text }) => text.includes(FOLDER))) {
      problems.push(`no name in ${damages[0]!.text}`);
    }
    // The repair is complete: nothing is reported again, and changes are kept.
    await changeOf(store, () => 0.5, 5000);
    await store.close();
    const again = await open(disk, 4, true);
    const more = again.report.damages.map(({ text }) => `again: ${text}`);
    if (JSON.stringify(again.table('items').get(6)) !== '{"value":5000}') more.push('change lost');
    return [...problems, ...more];
  }
}

function* differences(expected: Content, found: Content): Generator<string> {
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [a, b] = [expected.get(key), found.get(key)];
    if (a !== b) yield `${key} is ${b?.slice(0, 60)}, not ${a?.slice(0, 60)}`;
  }
}

/** Damages of one journal. */
const ROUNDS = 20;

/** Damages files with the seeds from one on; returns what is wrong. */
export async function damageProblems(from: number, count: number): Promise<string[]> {
  const problems: string[] = [];
  for (let seed = from; seed < from + count; ) {
    const journal = await DamagedJournal.make(seed);
    for (let round = 0; round < ROUNDS && seed < from + count; round++, seed++) {
      problems.push(...(await journal.damage(seed)));
    }
  }
  return problems;
}
