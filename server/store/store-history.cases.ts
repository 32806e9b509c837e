/**
 * A history checker for the store, on a simulated disk and from a seed: clients change rows while
 * writes fail, the power fails and other writers take over. What was acknowledged must be there,
 * what was refused must not, and no number may be given twice. Test code.
 */

import { SimulatedDisk } from './simulated-disk.cases.ts';
import { StorageError } from './storage-error.ts';
import { Store } from './store.ts';
import type { WriterLock } from './writer-lock.ts';

const FOLDER = '/data/journal';
const KEYS = 6;
const SEGMENT_BYTES = 600;
const COMPACTION_BYTES = 2500;

/** A reproducible source of numbers from 0 to 1. */
export function seeded(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** The writer that has the folder now. */
export interface Epochs {
  current: number;
  /** Turns until a writer acts on what it found when it checked the lock. */
  delay_turns: number;
}

function lockOf(epochs: Epochs): WriterLock {
  epochs.current += 1;
  const epoch = epochs.current;
  const isHeld = async () => {
    const found = epochs.current === epoch;
    await turns(epochs.delay_turns);
    return found;
  };
  return { epoch, isHeld };
}

/** Opens the store of a simulated disk; by default a short history has several segments. */
export function openSimulated(
  disk: SimulatedDisk,
  epochs: Epochs = { current: 0, delay_turns: 0 },
  sizes = { segment_bytes: SEGMENT_BYTES, compaction_bytes: COMPACTION_BYTES },
): Promise<Store> {
  const lock = lockOf(epochs);
  return Store.open({ disk, folder: FOLDER, lock, acceptsLoss: false, ...sizes });
}

/** One value that a client wrote, and what it was answered. */
interface Invocation {
  readonly key: number;
  readonly value: number;
  outcome: 'unknown' | 'ok' | 'fail';
}

/** Everything the clients know. */
class History {
  readonly invocations: Invocation[] = [];
  /** Numbers that were acknowledged. */
  readonly numbers = new Set<number>();
  readonly violations: string[] = [];

  /** Changes a row and takes a number in one transaction. */
  invoke(store: Store, key: number, value: number): void {
    const invocation: Invocation = { key, value, outcome: 'unknown' };
    this.invocations.push(invocation);
    const rows = store.table<number>('rows');
    const pairs = store.table<number>('pairs');
    const changing = store.change((draft) => {
      const number = draft.nextNumber('number');
      draft.put(rows, key, { row: value, body: JSON.stringify(`body ${value}`) });
      draft.put(pairs, key, { row: value });
      return number;
    });
    changing.then(
      (number) => {
        invocation.outcome = 'ok';
        if (this.numbers.has(number)) this.violations.push(`number ${number} was given twice`);
        this.numbers.add(number);
      },
      (error: unknown) => {
        if (!(error instanceof StorageError)) this.violations.push(`not refused: ${String(error)}`);
        else if (!error.isUncertain) invocation.outcome = 'fail';
      },
    );
  }

  /** Compares the store with what the clients were answered. */
  async check(store: Store): Promise<void> {
    const rows = store.table<number>('rows');
    const pairs = store.table<number>('pairs');
    if (store.report.damages.length > 0) {
      this.violations.push(`damage: ${store.report.damages[0]!.text}`);
    }
    for (let key = 0; key < KEYS; key++) {
      const own = this.invocations.filter((one) => one.key === key);
      const value = rows.get(key);
      if (pairs.get(key) !== value) this.violations.push(`half a transaction at ${key}`);
      const found = own.findIndex((one) => one.value === value);
      const lastOk = own.findLastIndex(({ outcome }) => outcome === 'ok');
      if (lastOk >= 0 && found < lastOk) {
        this.violations.push(`${key} is ${value}, after ${own[lastOk]!.value} was acknowledged`);
      }
      if (own[found]?.outcome === 'fail')
        this.violations.push(`${value} was refused, and is there`);
      if (value === undefined) continue;
      const body = await store.readBody(rows, key).catch(String);
      if (body !== JSON.stringify(`body ${value}`)) {
        this.violations.push(`the body of ${key} is ${body}`);
      }
    }
    const last = store.counters.get('number') ?? 0;
    const highest = Math.max(0, ...this.numbers);
    if (last < highest) this.violations.push(`number ${highest} would be given again`);
    // What was unknown is decided now.
    for (const one of this.invocations) {
      if (one.outcome === 'unknown')
        one.outcome = rows.get(one.key) === one.value ? 'ok' : 'unknown';
    }
  }
}

/** Lets other work run for this many turns. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

/** Lets everything run that does not wait for a lost call. */
function settle(): Promise<void> {
  return turns(200);
}

/** Runs one history; returns its violations. */
export async function runHistory(seed: number): Promise<string[]> {
  const draw = seeded(seed);
  const history = new History();
  const epochs: Epochs = { current: 0, delay_turns: 0 };
  let disk = new SimulatedDisk(draw);
  let value = 0;
  for (let start = 0; start < 4; start++) {
    let store = await openSimulated(disk, epochs);
    await history.check(store);
    if (draw() < 0.7) disk.calls_left = 5 + Math.floor(draw() * 120);
    for (let turn = 0; turn < 12; turn++) {
      if (draw() < 0.15) {
        const step = (['write', 'sync', 'create'] as const)[Math.floor(draw() * 3)]!;
        disk.fails = { step, count: draw() < 0.7 ? 1 : 4, alsoTruncate: draw() < 0.4 };
      }
      for (let client = 0; client < 1 + draw() * 4; client++) {
        history.invoke(store, Math.floor(draw() * KEYS), ++value);
      }
      if (draw() < 0.7) await settle();
      if (draw() < 0.12 && disk.calls_left === Number.POSITIVE_INFINITY) {
        // Another process takes over while this one still writes.
        const late = store;
        disk.fails = null;
        epochs.delay_turns = Math.floor(draw() * 30);
        history.invoke(late, 0, ++value);
        await turns(Math.floor(draw() * 20));
        store = await openSimulated(disk, epochs);
        history.invoke(late, 0, ++value);
        await settle();
        epochs.delay_turns = 0;
        await history.check(store);
      }
    }
    await settle();
    disk.fails = null;
    disk = disk.afterPowerLoss();
  }
  await history.check(await openSimulated(disk, epochs));
  return history.violations.map((text) => `seed ${seed}: ${text}`);
}
