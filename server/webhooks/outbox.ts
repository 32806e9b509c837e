/**
 * The durable outbox of webhook deliveries: each is on disk before it is sent, and after a crash
 * every unacknowledged delivery is sent again under the same id (at-least-once, docs/decisions).
 * Memory holds a bounded number; the others wait in the overflow queue until their lane is free.
 */
import { limits } from '../../contract/limits.ts';
import { AppendLog } from '../store/append-log.ts';
import {
  type DeliveryContent,
  type DeliveryPage,
  type DeliveryQuery,
  type DeliveryRecord,
  laneOf,
} from './delivery-record.ts';
import { type DeliveryHeader, OverflowQueue } from './overflow-queue.ts';
import { createMessageId } from './signing.ts';

type OutboxEntry =
  | { readonly kind: 'queued'; readonly delivery: DeliveryRecord }
  | { readonly kind: 'settled'; readonly id: number; readonly delivery: Settlement }
  | { readonly kind: 'forgotten' };

type Settlement = Pick<DeliveryRecord, 'state' | 'attempts'>;

/** Capacity limits of the outbox; the defaults come from contract/limits.ts. */
export interface OutboxSizes {
  /** Settled deliveries that are kept. */
  readonly kept: number;
  /** Pending deliveries in memory, in addition to one per lane. */
  readonly inMemory: number;
  /** Pending deliveries, in memory and on disk. */
  readonly pending: number;
}

const DEFAULT_SIZES: OutboxSizes = {
  kept: limits.finished_deliveries,
  inMemory: limits.queued_deliveries_in_memory,
  pending: limits.pending_deliveries,
};

/** Most deliveries of one lane that are loaded from the overflow queue at a time. */
const BATCH = 50;

/** Reads a log entry; earlier builds stored the delivery under another name than `delivery`. */
function currentEntry(entry: OutboxEntry): OutboxEntry {
  if (entry.kind === 'forgotten' || 'delivery' in entry) return entry;
  const { kind, id, ...rest } = entry as { kind: string; id?: number };
  return { kind, id, delivery: Object.values(rest)[0] } as OutboxEntry;
}

function foldEntries(entries: readonly OutboxEntry[], most: number): OutboxEntry[] {
  const deliveries = new Map<number, DeliveryRecord>();
  for (const entry of entries.map(currentEntry)) {
    if (entry.kind === 'forgotten') deliveries.clear();
    else if (entry.kind === 'queued') deliveries.set(entry.delivery.id, entry.delivery);
    else Object.assign(deliveries.get(entry.id) ?? {}, entry.delivery);
  }
  const list = [...deliveries.values()];
  const settled = list.filter(({ state }) => state !== 'pending').slice(-most);
  const kept = new Set([...settled, ...list.filter(({ state }) => state === 'pending')]);
  return list.filter((one) => kept.has(one)).map((delivery) => ({ kind: 'queued', delivery }));
}

export class Outbox {
  /** Called with each delivery to send now, in order per lane. */
  onReady: (delivery: DeliveryRecord) => void = () => {};
  /** Called when the overflow queue cannot be read; its deliveries are sent after a restart. */
  onReadError: (error: unknown) => void = () => {};
  private readonly deliveries = new Map<number, DeliveryRecord>();
  /** Ids of deliveries that are no longer pending, in the order in which they were settled. */
  private readonly settledIds = new Set<number>();
  /** Number of pending deliveries in memory, by lane. */
  private readonly inMemory = new Map<string, number>();
  private inMemory_count = 0;
  /** Lanes whose next deliveries are being read from disk. */
  private readonly loading = new Set<string>();
  private readonly log: AppendLog<OutboxEntry>;
  private readonly overflow: OverflowQueue;
  private readonly sizes: OutboxSizes;
  private last_id: number;
  /** Number of `clear` calls; reads that started before the latest are ignored. */
  private generation = 0;

  private constructor(log: AppendLog<OutboxEntry>, overflow: OverflowQueue, sizes: OutboxSizes) {
    this.log = log;
    this.overflow = overflow;
    this.sizes = sizes;
    this.last_id = overflow.last_id;
    log.compactFrom(() => this.live());
  }

  private *live(): Generator<OutboxEntry> {
    for (const delivery of [...this.deliveries.values()]) yield { kind: 'queued', delivery };
  }

  /** Opens the outbox of a data folder, or one in memory. */
  static async open(dataFolder: string, given: Partial<OutboxSizes> = {}): Promise<Outbox> {
    const sizes = { ...DEFAULT_SIZES, ...given };
    const fold = (entries: readonly OutboxEntry[]) => foldEntries(entries, sizes.kept);
    const { log, entries } = await AppendLog.open(dataFolder, 'outbox.jsonl', fold);
    const deliveries = entries.flatMap((entry) =>
      entry.kind === 'queued' ? [entry.delivery] : [],
    );
    const ended = deliveries.filter(({ state }) => state !== 'pending').map(({ id }) => id);
    const overflow = await OverflowQueue.open(dataFolder, new Set(ended));
    const outbox = new Outbox(log, overflow, sizes);
    for (const delivery of deliveries) outbox.restore(delivery);
    return outbox;
  }

  private restore(delivery: DeliveryRecord): void {
    const { id, state } = delivery;
    this.last_id = Math.max(this.last_id, id);
    if (state === 'pending') {
      // It was pending when the log was compacted; the overflow queue still has its own entries.
      if (!this.overflow.find(id)) this.hold({ ...delivery, tries: 0 });
      return;
    }
    this.deliveries.set(id, delivery);
    this.settledIds.add(id);
  }

  /** Publishes all deliveries that were pending when the process ended, in order. */
  resume(): void {
    for (const delivery of this.pending) this.onReady(delivery);
    for (const lane of this.overflow.lanes) if (!this.inMemory.has(lane)) this.load(lane);
  }

  /** Pending deliveries in memory, in order. */
  get pending(): DeliveryRecord[] {
    return [...this.deliveries.values()].filter(({ state }) => state === 'pending');
  }

  /** Number of stored deliveries by state. */
  figures(): Record<DeliveryRecord['state'], number> {
    const pending = this.inMemory_count + this.overflow.waiting;
    const counts = { pending, delivered: 0, dead: 0, disabled: 0 };
    for (const { state } of this.deliveries.values()) if (state !== 'pending') counts[state] += 1;
    return counts;
  }

  /** Deliveries of an owner, the newest first. */
  async page(owner_id: number, { limit, before, run_id }: DeliveryQuery): Promise<DeliveryPage> {
    const fits = (one: DeliveryHeader) =>
      one.owner_id === owner_id &&
      (before === undefined || one.id < before) &&
      (run_id === undefined || one.run_id === String(run_id));
    const found: DeliveryHeader[] = [...this.deliveries.values()].filter(fits);
    for (const header of this.overflow.headers) {
      if (fits(header) && !this.deliveries.has(header.id)) found.push(header);
    }
    found.sort((a, b) => a.id - b.id);
    const shown = found.slice(-limit).reverse();
    const next = shown.length < found.length ? shown.at(-1)!.id : null;
    const deliveries = await Promise.all(shown.map(({ id }) => this.find(owner_id, id)));
    return { deliveries: deliveries.filter((delivery) => delivery !== null), next };
  }

  /** Returns a delivery of this owner, or null. */
  async find(owner_id: number, id: number): Promise<DeliveryRecord | null> {
    const delivery = this.deliveries.get(id);
    const { owner_id: owner } = delivery ?? this.overflow.find(id) ?? {};
    return owner === owner_id ? (delivery ?? this.overflow.read(id)) : null;
  }

  /** Creates a delivery; `kept` resolves once it is on disk. */
  add(content: DeliveryContent): {
    readonly delivery: DeliveryRecord;
    readonly kept: Promise<void>;
  } {
    const delivery: DeliveryRecord = {
      ...content,
      id: ++this.last_id,
      message_id: createMessageId(),
      state: 'pending',
      attempts: [],
      tries: 0,
    };
    return { delivery, kept: this.store(delivery) };
  }

  /** Keeps a delivery in memory if there is capacity and its lane is empty on disk. */
  private store(delivery: DeliveryRecord): Promise<void> {
    const lane = laneOf(delivery);
    if (this.inMemory_count + this.overflow.waiting >= this.sizes.pending) {
      delivery.state = 'dead';
      this.remember(delivery);
      this.settledIds.add(delivery.id);
      return this.log.append({ kind: 'queued', delivery });
    }
    const isFull = this.inMemory_count >= this.sizes.inMemory && this.inMemory.has(lane);
    const mustWait = this.overflow.hasWaiting(lane) || this.loading.has(lane);
    if (isFull || mustWait) return this.overflow.append(delivery);
    return this.send(delivery);
  }

  private send(delivery: DeliveryRecord): Promise<void> {
    this.hold(delivery);
    const kept = this.log.append({ kind: 'queued', delivery });
    const go = () => {
      if (this.deliveries.get(delivery.id) === delivery) this.onReady(delivery);
    };
    // A delivery that cannot be stored is sent anyway; otherwise it would be lost.
    kept.then(go, go);
    return kept;
  }

  private remember(delivery: DeliveryRecord): void {
    this.deliveries.set(delivery.id, delivery);
    this.removeOldestSettled();
  }

  private hold(delivery: DeliveryRecord): void {
    const lane = laneOf(delivery);
    this.inMemory.set(lane, (this.inMemory.get(lane) ?? 0) + 1);
    this.inMemory_count += 1;
    this.remember(delivery);
  }

  /** Queues a settled delivery again. */
  requeue(delivery: DeliveryRecord): Promise<void> {
    delivery.state = 'pending';
    delivery.tries = 0;
    this.settledIds.delete(delivery.id);
    return this.send(delivery);
  }

  /** Stores the final state of a delivery and publishes the next of its lane. */
  settle(delivery: DeliveryRecord): Promise<void> {
    const { id, state, attempts } = delivery;
    if (this.deliveries.get(id) !== delivery) return Promise.resolve();
    this.settledIds.add(id);
    const kept = this.overflow.find(id)
      ? this.log.append({ kind: 'queued', delivery })
      : this.log.append({ kind: 'settled', id, delivery: { state, attempts } });
    this.releaseLane(laneOf(delivery));
    return kept.then(() => this.overflow.done(id));
  }

  private releaseLane(lane: string): void {
    const left = this.inMemory.get(lane)! - 1;
    this.inMemory_count -= 1;
    if (left > 0) {
      this.inMemory.set(lane, left);
      return;
    }
    this.inMemory.delete(lane);
    if (this.overflow.hasWaiting(lane) && !this.loading.has(lane)) this.load(lane);
  }

  /** Loads the next deliveries of a lane into memory; they count as in memory at once. */
  private load(lane: string): void {
    const free = this.sizes.inMemory - this.inMemory_count;
    const taken = this.overflow.take(lane, Math.max(1, Math.min(BATCH, free)));
    this.inMemory.set(lane, taken.length);
    this.inMemory_count += taken.length;
    this.loading.add(lane);
    const { generation } = this;
    Promise.all(taken).then((deliveries) => {
      if (generation === this.generation) this.publishLoaded(lane, deliveries);
    }, this.onReadError);
  }

  private publishLoaded(lane: string, deliveries: readonly DeliveryRecord[]): void {
    this.loading.delete(lane);
    for (const delivery of deliveries) this.remember(delivery);
    for (const delivery of deliveries) this.onReady(delivery);
  }

  /** Removes all deliveries; ids start at 1 again. */
  async clear(): Promise<void> {
    this.generation += 1;
    for (const one of [this.deliveries, this.settledIds, this.inMemory, this.loading]) one.clear();
    this.inMemory_count = 0;
    this.last_id = 0;
    await Promise.all([this.log.append({ kind: 'forgotten' }), this.overflow.clear()]);
  }

  /** Removes the oldest settled delivery above the limit; pending ones are bounded elsewhere. */
  private removeOldestSettled(): void {
    if (this.deliveries.size <= this.sizes.kept) return;
    for (const id of this.settledIds) {
      this.deliveries.delete(id);
      this.settledIds.delete(id);
      return;
    }
  }

  async close(): Promise<void> {
    await this.log.close();
    await this.overflow.close();
  }
}
