/**
 * What is to be delivered, kept on disk before it is sent: after a crash everything that was not
 * acknowledged goes out again under the same id (facts: delivery, at least once).
 */
import { limits } from '../../contract/limits.ts';
import { AppendLog } from '../store/append-log.ts';
import type { Parcel, ParcelContent } from './parcel.ts';
import { createMessageId } from './signature.ts';

type OutboxEntry =
  | { readonly kind: 'queued'; readonly parcel: Parcel }
  | { readonly kind: 'settled'; readonly id: number; readonly parcel: Settlement }
  | { readonly kind: 'forgotten' };

type Settlement = Pick<Parcel, 'state' | 'attempts'>;

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
  private readonly parcels = new Map<number, Parcel>();
  /** Those that are on their way no more, in the order of their ends. */
  private readonly ended = new Set<number>();
  private readonly log: AppendLog<OutboxEntry>;
  /** Most parcels that are kept, beside those on their way. */
  private readonly most: number;
  private last_id = 0;

  private constructor(log: AppendLog<OutboxEntry>, entries: readonly OutboxEntry[], most: number) {
    this.log = log;
    this.most = most;
    for (const entry of entries) {
      if (entry.kind !== 'queued') continue;
      this.parcels.set(entry.parcel.id, { ...entry.parcel, tries: 0 });
      if (entry.parcel.state !== 'pending') this.ended.add(entry.parcel.id);
      this.last_id = Math.max(this.last_id, entry.parcel.id);
    }
    log.renewFrom(() => this.live());
  }

  private *live(): Generator<OutboxEntry> {
    for (const parcel of [...this.parcels.values()]) yield { kind: 'queued', parcel };
  }

  /** Opens the outbox of a data folder, or one in memory. */
  static async open(place: string, most: number = limits.kept_deliveries): Promise<Outbox> {
    const fold = (entries: readonly OutboxEntry[]) => foldEntries(entries, most);
    const { log, entries } = await AppendLog.open(place, 'outbox.jsonl', fold);
    return new Outbox(log, entries, most);
  }

  /** Parcels that were on their way when the process ended, in order. */
  get pending(): Parcel[] {
    return [...this.parcels.values()].filter(({ state }) => state === 'pending');
  }

  /** How many parcels are in which state, of those that are kept. */
  figures(): Record<Parcel['state'], number> {
    const counts = { pending: 0, delivered: 0, dead: 0, disabled: 0 };
    for (const { state } of this.parcels.values()) counts[state] += 1;
    return counts;
  }

  /** Parcels of an owner, the newest first. */
  list(owner_id: number): Parcel[] {
    const own = [...this.parcels.values()].filter((parcel) => parcel.owner_id === owner_id);
    return own.reverse();
  }

  /** A parcel of this owner, or null. */
  find(owner_id: number, id: number): Parcel | null {
    const parcel = this.parcels.get(id);
    return parcel?.owner_id === owner_id ? parcel : null;
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
    this.parcels.set(parcel.id, parcel);
    this.forgetOldest();
    return { parcel, kept: this.log.append({ kind: 'queued', parcel }) };
  }

  /** Puts a parcel on its way again. */
  again(parcel: Parcel): Promise<void> {
    parcel.state = 'pending';
    parcel.tries = 0;
    this.ended.delete(parcel.id);
    return this.log.append({ kind: 'queued', parcel });
  }

  /** Keeps how a delivery ended. */
  settle({ id, state, attempts }: Parcel): Promise<void> {
    if (this.parcels.has(id)) this.ended.add(id);
    return this.log.append({ kind: 'settled', id, parcel: { state, attempts } });
  }

  /** Forgets everything, sent or not; numbers begin anew. */
  forget(): Promise<void> {
    this.parcels.clear();
    this.ended.clear();
    this.last_id = 0;
    return this.log.append({ kind: 'forgotten' });
  }

  /** What is on its way is kept, however much it is. */
  private forgetOldest(): void {
    if (this.parcels.size <= this.most) return;
    for (const id of this.ended) {
      this.parcels.delete(id);
      this.ended.delete(id);
      return;
    }
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
