/**
 * The durable outbox of webhook deliveries: each is stored before it is sent, and after a crash
 * every unacknowledged delivery is sent again under the same id (at-least-once, docs/decisions).
 * Memory holds a short row of each delivery and a bounded number of bodies; the others are read
 * when their lane is free.
 */

import { randomBytes } from 'node:crypto';
import { hookKind } from '../../contract/hooks/hook-types.ts';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { type ShareRow, shares } from '../../contract/shares.ts';
import type { Delivery } from '../../contract/types.generated.ts';
import { Slices } from '../clock/turns.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { Share } from '../shares/share.ts';
import type { Draft } from '../store/draft.ts';
import type { Guard, LateError } from '../store/guard.ts';
import type { Store } from '../store/store.ts';
import type { Table } from '../store/table.ts';
import {
  type DeliveryContent,
  type DeliveryRecord,
  laneOf,
  ownerOfLane,
} from './delivery-record.ts';
import { LaneQueues } from './lane-queues.ts';

/** The part of a delivery that is kept in memory. */
interface DeliveryRow extends Pick<DeliveryRecord, 'owner_id' | 'run_id' | 'url' | 'state'> {
  /** Absent for one that is sent in the order of its lane. */
  readonly isAlone?: true;
}
/** The part that is read from disk. */
type DeliveryBody = Omit<DeliveryRecord, keyof DeliveryRow | 'id'>;

/** Capacity limits of the outbox; the defaults come from contract/limits.ts and shares.ts. */
export interface OutboxSizes {
  /** Settled deliveries that are kept. */
  readonly kept: ShareRow<'share_used_up'>;
  /** Pending deliveries in memory, in addition to one per lane. */
  readonly inMemory: number;
  /** Pending deliveries, in memory and on disk. */
  readonly pending: ShareRow<'share_used_up'>;
}

const DEFAULT_SIZES: OutboxSizes = {
  kept: shares.finished_deliveries,
  inMemory: limits.queued_deliveries_in_memory,
  pending: shares.pending_deliveries,
};

/** Most deliveries of one lane that are loaded at a time. */
const BATCH = 50;
/** Rows that are looked at between two looks at the time. */
const ROWS_AT_A_TIME = 256;

function rowOf({ owner_id, run_id, url, state, isAlone }: DeliveryRecord): DeliveryRow {
  return { owner_id, run_id, url, state, ...(isAlone ? { isAlone } : {}) };
}

/** The lane of a stored delivery. */
function laneOfRow(id: number, row: DeliveryRow): string {
  return laneOf({ ...row, id, isAlone: row.isAlone ?? false });
}

function bodyOf(delivery: DeliveryRecord): string {
  const { message_id, sequence, hook_type, headers, body, attempts } = delivery;
  const stored: DeliveryBody = { message_id, sequence, hook_type, headers, body, attempts };
  return JSON.stringify(stored);
}

/** What stands in the list of attempts of a delivery that was never sent. */
function notAttempted(error: string): DeliveryRecord['attempts'][number] {
  const at = new Date(systemClock.epoch_ms()).toISOString();
  return { at, status: null, error: `not sent: ${error}`, duration_ms: 0 };
}

/** Whether a delivery waits behind no other from the beginning. */
function isUrgent({ hook_type }: Pick<DeliveryRecord, 'hook_type'>): boolean {
  return hookKind(hook_type).isUrgent ?? false;
}

/** A new random message id. */
function createMessageId(): string {
  return `msg_${randomBytes(18).toString('base64url')}`;
}

export class Outbox {
  /** Called with each delivery to send now, in order per lane. */
  onReady: (delivery: DeliveryRecord) => void = () => {};
  /** Called when a delivery cannot be read; the others of its lane are sent. */
  onReadError: (error: unknown) => void = () => {};
  private readonly store: Store;
  private readonly table: Table<DeliveryRow>;
  /** Pending deliveries whose bodies are in memory. */
  private readonly loaded = new Map<number, DeliveryRecord>();
  /** Ids of settled deliveries by owner, in the order in which they were settled. */
  private readonly settled = new Map<number, Set<number>>();
  private readonly queues: LaneQueues;
  /** Pending and settled deliveries by owner. */
  readonly waiting: Share;
  readonly kept: Share;
  /** Number of `clear` calls; reads that started before the latest are ignored. */
  private generation = 0;
  /** Deliveries in transactions that a `clear` does not remove. */
  private added = new WeakSet<DeliveryRecord>();

  constructor(store: Store, given: Partial<OutboxSizes> = {}) {
    this.store = store;
    this.table = store.table('deliveries');
    const sizes = { ...DEFAULT_SIZES, ...given };
    this.waiting = new Share(sizes.pending);
    this.kept = new Share(sizes.kept);
    this.queues = new LaneQueues(sizes.inMemory);
    for (const id of Float64Array.from(this.table.entries.keys(), Number).sort()) {
      const row = this.table.get(id)!;
      if (row.state === 'pending') {
        this.waiting.add(row.owner_id);
        this.queues.add(laneOfRow(id, row), id);
      } else this.keep(row.owner_id, id);
    }
  }

  /** Lists a delivery as settled. */
  private keep(owner_id: number, id: number): void {
    const own = this.settled.get(owner_id) ?? new Set();
    this.settled.set(owner_id, own.add(id));
    this.kept.add(owner_id);
  }

  /** Lists a settled delivery no longer; returns whether it was one. */
  private unkeep(owner_id: number, id: number): boolean {
    const own = this.settled.get(owner_id);
    if (!own?.delete(id)) return false;
    if (own.size === 0) this.settled.delete(owner_id);
    this.kept.add(owner_id, -1);
    return true;
  }

  /** Publishes all deliveries that were pending when the process ended, in order. */
  resume(): void {
    for (const lane of this.queues.lanes) this.load(lane);
  }

  /** Pending deliveries in memory, in order. */
  get pending(): DeliveryRecord[] {
    return [...this.loaded.values()];
  }

  /** Number of stored deliveries by state. */
  figures(): Record<DeliveryRecord['state'], number> {
    const counts = { pending: this.queues.count, delivered: 0, dead: 0, disabled: 0 };
    for (const own of this.settled.values()) {
      for (const id of own) {
        const state = this.table.get(id)?.state;
        if (state && state !== 'pending') counts[state] += 1;
      }
    }
    return counts;
  }

  /** Ids of the deliveries that match a query, ascending; ticks go between slices of the table. */
  async ids(owner_id: number, query: Omit<DeliveryQuery, 'limit'>): Promise<number[]> {
    const { before, run_id, state, url } = query;
    const found: number[] = [];
    const slices = new Slices(systemClock);
    let rows = 0;
    for (const [key, row] of this.table.rows()) {
      if (++rows % ROWS_AT_A_TIME === 0) await slices.next();
      const fits =
        row.owner_id === owner_id &&
        (before === undefined || Number(key) < before) &&
        (run_id === undefined || row.run_id === String(run_id)) &&
        (state === undefined || row.state === state) &&
        (url === undefined || row.url === url);
      if (fits) found.push(Number(key));
    }
    return found.sort((a, b) => a - b);
  }

  /** Deliveries of an owner, the newest first. */
  async page(owner_id: number, { limit, ...query }: DeliveryQuery): Promise<DeliveryPage> {
    const found = await this.ids(owner_id, query);
    const shown = found.slice(-limit).reverse();
    const next = shown.length < found.length ? shown.at(-1)! : null;
    const deliveries = await Promise.all(shown.map((id) => this.find(owner_id, id)));
    return { deliveries: deliveries.filter((delivery) => delivery !== null), next };
  }

  /** Returns a delivery of this owner, or null. */
  async find(owner_id: number, id: number): Promise<DeliveryRecord | null> {
    if (this.table.get(id)?.owner_id !== owner_id) return null;
    return this.loaded.get(id) ?? this.read(id);
  }

  private async read(id: number): Promise<DeliveryRecord | null> {
    const text = await this.store.readBody(this.table, id);
    const row = this.table.get(id);
    if (text === null || !row) return null;
    const { isAlone = false } = row;
    return { ...row, ...(JSON.parse(text) as DeliveryBody), id, isAlone };
  }

  /**
   * Adds deliveries to a transaction; `accept` must be called with them once it is durable. Those
   * beyond the share of their owner are dead and say so: their event has happened.
   */
  add(draft: Draft, contents: readonly DeliveryContent[]): DeliveryRecord[] {
    const counts = new Map<number, number>();
    return contents.map((content) => {
      const { owner_id: owner } = content;
      const count = (counts.get(owner) ?? 0) + 1;
      counts.set(owner, count);
      const refusal =
        this.waiting.refusal({ owner }, count) ??
        this.store.bytes.refusal({ owner }, content.body.length);
      const delivery: DeliveryRecord = {
        ...content,
        id: draft.nextNumber('delivery'),
        message_id: createMessageId(),
        state: refusal ? 'dead' : 'pending',
        isAlone: isUrgent(content),
        attempts: refusal ? [notAttempted(String(refusal.details))] : [],
      };
      this.put(draft, delivery);
      this.added.add(delivery);
      return delivery;
    });
  }

  private put(draft: Draft, delivery: DeliveryRecord): void {
    draft.put(this.table, delivery.id, { row: rowOf(delivery), body: bodyOf(delivery) });
  }

  /** Queues deliveries that are durable now, except those that were removed meanwhile. */
  accept(deliveries: readonly DeliveryRecord[]): void {
    const old: number[] = [];
    for (const delivery of deliveries) {
      if (!this.added.delete(delivery)) continue;
      if (delivery.state === 'pending') this.hold(delivery);
      else {
        this.keep(delivery.owner_id, delivery.id);
        old.push(...this.dropExcess(delivery.owner_id));
      }
    }
    if (old.length === 0) return;
    const removal = this.store.change((draft) => {
      for (const id of old) draft.remove(this.table, id);
    });
    removal.catch(this.onReadError);
  }

  /** Sends a delivery now if there is capacity and no other of its lane waits. */
  private hold(delivery: DeliveryRecord): void {
    this.waiting.add(delivery.owner_id);
    const lane = laneOf(delivery);
    if (!this.queues.takeNow(lane)) {
      this.queues.add(lane, delivery.id);
      return;
    }
    this.loaded.set(delivery.id, delivery);
    this.onReady(delivery);
  }

  /** Queues settled deliveries of one owner again, in one transaction, unless the guard refuses. */
  async requeue(
    deliveries: readonly DeliveryRecord[],
    guard: Guard,
  ): Promise<Refusal<LateError | 'share_used_up'> | null> {
    const [first] = deliveries;
    const owner = first?.owner_id ?? 0;
    const refusal = await this.store.change((draft) => {
      const late = guard() ?? this.waiting.refusal({ owner }, deliveries.length);
      if (late) return late;
      for (const delivery of deliveries) {
        // Another call may have queued or dropped it meanwhile.
        if (!this.settled.get(delivery.owner_id)?.has(delivery.id)) continue;
        this.put(draft, { ...delivery, state: 'pending', isAlone: isUrgent(delivery) });
      }
      return null;
    });
    if (refusal) return refusal;
    for (const delivery of deliveries) {
      if (!this.unkeep(delivery.owner_id, delivery.id)) continue;
      Object.assign(delivery, { state: 'pending', isAlone: isUrgent(delivery) });
      this.hold(delivery);
    }
    return null;
  }

  /** The settled deliveries among these ids, with their bodies. */
  async settledAmong(owner_id: number, ids: readonly number[]): Promise<DeliveryRecord[]> {
    const settled = ids.filter((id) => this.settled.get(owner_id)?.has(id));
    const found = await Promise.all(settled.map((id) => this.find(owner_id, id)));
    return found.filter((delivery) => delivery !== null);
  }

  /**
   * Stores the final state of a delivery and publishes the next of its lane; of one that its
   * receiver has not got once that is on disk. Rejects where it cannot be stored.
   */
  async settle(delivery: DeliveryRecord): Promise<void> {
    const { id, state } = delivery;
    const isCurrent = () => this.loaded.get(id) === delivery;
    const first = (draft: Draft) => isCurrent() && this.put(draft, delivery);
    if (state !== 'delivered') await this.store.change(first);
    if (!isCurrent()) return;
    this.loaded.delete(id);
    const lane = laneOf(delivery);
    this.waiting.add(delivery.owner_id, -1);
    this.keep(delivery.owner_id, id);
    const old = this.dropExcess(delivery.owner_id);
    const stored = this.store.change((draft) => {
      this.put(draft, delivery);
      for (const one of old) draft.remove(this.table, one);
    });
    this.queues.release(lane);
    if (this.queues.mayLoad(lane)) this.load(lane);
    await stored;
  }

  /**
   * Takes a pending delivery out of its lane and of memory, with its attempts on disk, and publishes
   * the next of its lane; `recall` publishes it again. Rejects where it cannot be stored.
   */
  async putAside(delivery: DeliveryRecord): Promise<void> {
    const { id } = delivery;
    const aside = { ...delivery, isAlone: true };
    const isCurrent = () => this.loaded.get(id) === delivery;
    await this.store.change((draft) => isCurrent() && this.put(draft, aside));
    if (!isCurrent()) return;
    const lane = laneOf(delivery);
    this.loaded.delete(id);
    this.queues.release(lane);
    if (this.queues.mayLoad(lane)) this.load(lane);
    delivery.isAlone = true;
    this.queues.add(laneOf(delivery), id);
  }

  /** Publishes a delivery that waits aside. */
  recall(delivery: DeliveryRecord): void {
    const lane = laneOf(delivery);
    if (this.queues.mayLoad(lane)) this.load(lane);
  }

  /**
   * Forgets the oldest settled delivery of an owner who has more than may be kept; returns its id.
   * Never more than one for the one that came: what others settle takes none of them away.
   */
  private dropExcess(owner_id: number): number[] {
    if (this.kept.usedBy(owner_id) <= this.kept.mostOf({ owner: owner_id })) return [];
    // A Set hands out its values in their order.
    const [oldest] = this.settled.get(owner_id)!;
    this.unkeep(owner_id, oldest!);
    return [oldest!];
  }

  /** Loads the next deliveries of a lane into memory; they count as in memory at once. */
  private load(lane: string): void {
    const ids = this.queues.take(lane, BATCH);
    const { generation } = this;
    const reading = ids.map((id) =>
      this.read(id).catch((error: unknown) => {
        this.onReadError(error);
        return null;
      }),
    );
    void Promise.all(reading).then((deliveries) => {
      if (generation === this.generation) this.publishLoaded(lane, deliveries);
    });
  }

  private publishLoaded(lane: string, deliveries: readonly (DeliveryRecord | null)[]): void {
    this.queues.loaded(lane);
    for (const delivery of deliveries) {
      if (delivery) this.loaded.set(delivery.id, delivery);
      else {
        this.queues.release(lane);
        this.waiting.add(ownerOfLane(lane), -1);
      }
    }
    for (const delivery of deliveries) if (delivery) this.onReady(delivery);
    if (this.queues.mayLoad(lane)) this.load(lane);
  }

  /** Removes all deliveries; ids start at 1 again. */
  async clear(): Promise<void> {
    this.generation += 1;
    this.loaded.clear();
    this.settled.clear();
    this.kept.clear();
    this.waiting.clear();
    this.queues.clear();
    this.added = new WeakSet();
    await this.store.change((draft) => {
      // Also those of transactions that began to wait before this one.
      this.added = new WeakSet();
      draft.clear(this.table);
      draft.put(this.store.counters, 'delivery', { row: 0 });
    });
  }
}

/** Filter and size of a page of deliveries. */
export interface DeliveryQuery {
  readonly limit: number;
  /** Only deliveries with smaller ids. */
  readonly before?: number | undefined;
  readonly run_id?: number | undefined;
  readonly state?: Delivery['state'] | undefined;
  readonly url?: string | undefined;
}

export interface DeliveryPage {
  /** The newest first. */
  readonly deliveries: readonly DeliveryRecord[];
  /** `before` of the next page; null on the last page. */
  readonly next: number | null;
}
