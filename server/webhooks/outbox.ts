/**
 * What is to be delivered, kept on disk before it is sent: after a crash everything that was not
 * acknowledged goes out again under the same id (facts: delivery, at least once). Only so much of
 * it is in memory; the rest waits on the shelf until its way is free, the oldest first.
 */
import { limits } from '../../contract/limits.ts';
import { AppendLog } from '../store/append-log.ts';
import { type Parcel, type ParcelContent, wayOf } from './parcel.ts';
import { Shelf, type Stub } from './shelf.ts';
import { createMessageId } from './signature.ts';

type OutboxEntry =
  | { readonly kind: 'queued'; readonly parcel: Parcel }
  | { readonly kind: 'settled'; readonly id: number; readonly parcel: Settlement }
  | { readonly kind: 'forgotten' };

type Settlement = Pick<Parcel, 'state' | 'attempts'>;

/** How much there may be; as limits.ts says where nothing else is said. */
export interface OutboxSizes {
  /** Parcels in memory beside those on their way. */
  readonly kept: number;
  /** Parcels on their way in memory, beside one for each way. */
  readonly carried: number;
  /** Parcels on their way. */
  readonly pending: number;
}

const SIZES: OutboxSizes = {
  kept: limits.kept_deliveries,
  carried: limits.carried_deliveries,
  pending: limits.pending_deliveries,
};

/** Parcels of one way that are taken from the shelf at a time. */
const BATCH = 50;

/** What a page of parcels is to hold. */
export interface PageAsked {
  readonly limit: number;
  /** Only parcels with smaller numbers. */
  readonly before?: number | undefined;
  readonly run_id?: number | undefined;
}

export interface ParcelPage {
  /** The newest first. */
  readonly parcels: readonly Parcel[];
  /** `before` of the next page; null where there is none. */
  readonly next: number | null;
}

function foldEntries(entries: readonly OutboxEntry[], most: number): OutboxEntry[] {
  const parcels = new Map<number, Parcel>();
  for (const entry of entries) {
    if (entry.kind === 'forgotten') parcels.clear();
    else if (entry.kind === 'queued') parcels.set(entry.parcel.id, entry.parcel);
    else Object.assign(parcels.get(entry.id) ?? {}, entry.parcel);
  }
  const list = [...parcels.values()];
  const settled = list.filter(({ state }) => state !== 'pending').slice(-most);
  const kept = new Set([...settled, ...list.filter(({ state }) => state === 'pending')]);
  return list.filter((one) => kept.has(one)).map((parcel) => ({ kind: 'queued', parcel }));
}

export class Outbox {
  /** Told of each parcel that is to go out now, in order on each way. */
  onReady: (parcel: Parcel) => void = () => {};
  /** Told when the shelf could not be read: what lay there goes out after the next start. */
  onUnread: (error: unknown) => void = () => {};
  private readonly parcels = new Map<number, Parcel>();
  /** Those that are on their way no more, in the order of their ends. */
  private readonly ended = new Set<number>();
  /** Parcels on their way that are in memory, by their ways. */
  private readonly carried = new Map<string, number>();
  private carried_count = 0;
  /** Ways whose next parcels are being read. */
  private readonly loading = new Set<string>();
  private readonly log: AppendLog<OutboxEntry>;
  private readonly shelf: Shelf;
  private readonly sizes: OutboxSizes;
  private last_id: number;
  /** How often everything was forgotten. */
  private round = 0;

  private constructor(log: AppendLog<OutboxEntry>, shelf: Shelf, sizes: OutboxSizes) {
    this.log = log;
    this.shelf = shelf;
    this.sizes = sizes;
    this.last_id = shelf.last_id;
    log.renewFrom(() => this.live());
  }

  private *live(): Generator<OutboxEntry> {
    for (const parcel of [...this.parcels.values()]) yield { kind: 'queued', parcel };
  }

  /** Opens the outbox of a data folder, or one in memory. */
  static async open(place: string, given: Partial<OutboxSizes> = {}): Promise<Outbox> {
    const sizes = { ...SIZES, ...given };
    const fold = (entries: readonly OutboxEntry[]) => foldEntries(entries, sizes.kept);
    const { log, entries } = await AppendLog.open(place, 'outbox.jsonl', fold);
    const parcels = entries.flatMap((entry) => (entry.kind === 'queued' ? [entry.parcel] : []));
    const ended = parcels.filter(({ state }) => state !== 'pending').map(({ id }) => id);
    const shelf = await Shelf.open(place, new Set(ended));
    const outbox = new Outbox(log, shelf, sizes);
    for (const parcel of parcels) outbox.recall(parcel);
    return outbox;
  }

  private recall(parcel: Parcel): void {
    const { id, state } = parcel;
    this.last_id = Math.max(this.last_id, id);
    if (state === 'pending') {
      // It was on its way when the log was written anew; what is on the shelf waits there.
      if (!this.shelf.find(id)) this.carry({ ...parcel, tries: 0 });
      return;
    }
    this.parcels.set(id, parcel);
    this.ended.add(id);
  }

  /** Tells of all parcels that were on their way when the process ended, in order. */
  resume(): void {
    for (const parcel of this.pending) this.onReady(parcel);
    for (const way of this.shelf.ways) if (!this.carried.has(way)) this.load(way);
  }

  /** Parcels on their way that are in memory, in order. */
  get pending(): Parcel[] {
    return [...this.parcels.values()].filter(({ state }) => state === 'pending');
  }

  /** How many parcels are in which state, of those that are kept. */
  figures(): Record<Parcel['state'], number> {
    const pending = this.carried_count + this.shelf.waiting;
    const counts = { pending, delivered: 0, dead: 0, disabled: 0 };
    for (const { state } of this.parcels.values()) if (state !== 'pending') counts[state] += 1;
    return counts;
  }

  /** Parcels of an owner, the newest first. */
  async page(owner_id: number, { limit, before, run_id }: PageAsked): Promise<ParcelPage> {
    const fits = (one: Stub) =>
      one.owner_id === owner_id &&
      (before === undefined || one.id < before) &&
      (run_id === undefined || one.run_id === String(run_id));
    const found: Stub[] = [...this.parcels.values()].filter(fits);
    for (const stub of this.shelf.stubs) {
      if (fits(stub) && !this.parcels.has(stub.id)) found.push(stub);
    }
    found.sort((a, b) => a.id - b.id);
    const shown = found.slice(-limit).reverse();
    const next = shown.length < found.length ? shown.at(-1)!.id : null;
    const parcels = await Promise.all(shown.map(({ id }) => this.find(owner_id, id)));
    return { parcels: parcels.filter((parcel) => parcel !== null), next };
  }

  /** A parcel of this owner, or null. */
  async find(owner_id: number, id: number): Promise<Parcel | null> {
    const parcel = this.parcels.get(id);
    const { owner_id: owner } = parcel ?? this.shelf.find(id) ?? {};
    return owner === owner_id ? (parcel ?? this.shelf.read(id)) : null;
  }

  /** Makes a parcel; `kept` resolves once it is on disk. */
  add(content: ParcelContent): { readonly parcel: Parcel; readonly kept: Promise<void> } {
    const parcel: Parcel = {
      ...content,
      id: ++this.last_id,
      message_id: createMessageId(),
      state: 'pending',
      attempts: [],
      tries: 0,
    };
    return { parcel, kept: this.place(parcel) };
  }

  /** In memory while there is room and nothing is before it; else on the shelf. */
  private place(parcel: Parcel): Promise<void> {
    const way = wayOf(parcel);
    if (this.carried_count + this.shelf.waiting >= this.sizes.pending) {
      parcel.state = 'dead';
      this.keep(parcel);
      this.ended.add(parcel.id);
      return this.log.append({ kind: 'queued', parcel });
    }
    const isFull = this.carried_count >= this.sizes.carried && this.carried.has(way);
    if (isFull || this.shelf.waits(way) || this.loading.has(way)) return this.shelf.put(parcel);
    return this.send(parcel);
  }

  private send(parcel: Parcel): Promise<void> {
    this.carry(parcel);
    const kept = this.log.append({ kind: 'queued', parcel });
    const go = () => {
      if (this.parcels.get(parcel.id) === parcel) this.onReady(parcel);
    };
    // One that cannot be kept goes out all the same: it would be lost for good.
    kept.then(go, go);
    return kept;
  }

  private keep(parcel: Parcel): void {
    this.parcels.set(parcel.id, parcel);
    this.forgetOldest();
  }

  private carry(parcel: Parcel): void {
    const way = wayOf(parcel);
    this.carried.set(way, (this.carried.get(way) ?? 0) + 1);
    this.carried_count += 1;
    this.keep(parcel);
  }

  /** Puts a parcel on its way again. */
  again(parcel: Parcel): Promise<void> {
    parcel.state = 'pending';
    parcel.tries = 0;
    this.ended.delete(parcel.id);
    return this.send(parcel);
  }

  /** Keeps how a delivery ended; the next of its way are told of. */
  settle(parcel: Parcel): Promise<void> {
    const { id, state, attempts } = parcel;
    if (this.parcels.get(id) !== parcel) return Promise.resolve();
    this.ended.add(id);
    const kept = this.shelf.find(id)
      ? this.log.append({ kind: 'queued', parcel })
      : this.log.append({ kind: 'settled', id, parcel: { state, attempts } });
    this.putDown(wayOf(parcel));
    return kept.then(() => this.shelf.done(id));
  }

  private putDown(way: string): void {
    const left = this.carried.get(way)! - 1;
    this.carried_count -= 1;
    if (left > 0) {
      this.carried.set(way, left);
      return;
    }
    this.carried.delete(way);
    if (this.shelf.waits(way) && !this.loading.has(way)) this.load(way);
  }

  /** Brings the next parcels of a way into memory; they count from now on. */
  private load(way: string): void {
    const room = this.sizes.carried - this.carried_count;
    const taken = this.shelf.take(way, Math.max(1, Math.min(BATCH, room)));
    this.carried.set(way, taken.length);
    this.carried_count += taken.length;
    this.loading.add(way);
    const { round } = this;
    Promise.all(taken).then((parcels) => {
      if (round === this.round) this.goOn(way, parcels);
    }, this.onUnread);
  }

  private goOn(way: string, parcels: readonly Parcel[]): void {
    this.loading.delete(way);
    for (const parcel of parcels) this.keep(parcel);
    for (const parcel of parcels) this.onReady(parcel);
  }

  /** Forgets everything, sent or not; numbers begin anew. */
  async forget(): Promise<void> {
    this.round += 1;
    for (const one of [this.parcels, this.ended, this.carried, this.loading]) one.clear();
    this.carried_count = 0;
    this.last_id = 0;
    await Promise.all([this.log.append({ kind: 'forgotten' }), this.shelf.clear()]);
  }

  /** What is on its way is kept: it is bounded elsewhere. */
  private forgetOldest(): void {
    if (this.parcels.size <= this.sizes.kept) return;
    for (const id of this.ended) {
      this.parcels.delete(id);
      this.ended.delete(id);
      return;
    }
  }

  async close(): Promise<void> {
    await this.log.close();
    await this.shelf.close();
  }
}
