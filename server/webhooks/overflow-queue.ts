/**
 * The on-disk queue of deliveries that wait behind others of their lane. Memory holds only a header
 * and a file position per delivery, so a receiver that is down for days costs disk and no memory.
 */
import { renameFormerFiles } from '../store/former-format.ts';
import { Spool, type SpoolEntry } from '../store/spool.ts';
import { type DeliveryRecord, laneOf } from './delivery-record.ts';

/** Name of the file in the data folder. */
export const OVERFLOW_FILE = 'overflow.jsonl';

/** The part of a delivery that is kept in memory. */
export type DeliveryHeader = Pick<DeliveryRecord, 'id' | 'owner_id' | 'run_id'>;

interface OverflowEntry extends DeliveryHeader {
  readonly lane: string;
  readonly at: SpoolEntry;
}

/** A line of the file: a delivery, or the id of one that has been settled. */
type OverflowLine = DeliveryRecord | { readonly done: number };

function parsed(line: string): OverflowLine | null {
  try {
    return JSON.parse(line) as OverflowLine;
  } catch {
    return null;
  }
}

export class OverflowQueue {
  private spool!: Spool;
  private readonly entries = new Map<number, OverflowEntry>();
  /** Entries that have not been taken, by lane, oldest first. */
  private readonly queues = new Map<string, Set<OverflowEntry>>();
  /** Number of entries that have not been taken. */
  waiting = 0;

  /** Opens the queue of a data folder (or `:memory:`) and removes deliveries that are `ended`. */
  static async open(dataFolder: string, ended: ReadonlySet<number>): Promise<OverflowQueue> {
    const overflow = new OverflowQueue();
    const idle: SpoolEntry[] = [];
    await renameFormerFiles(dataFolder);
    overflow.spool = await Spool.open(dataFolder, OVERFLOW_FILE, (line, at) => {
      const found = parsed(line);
      if (found && 'id' in found) {
        overflow.add(found, at);
        return;
      }
      idle.push(at);
      const done = found ? overflow.entries.get(found.done) : undefined;
      if (done) idle.push(overflow.remove(done));
    });
    for (const at of idle) overflow.spool.discard(at);
    const late = [...overflow.entries.keys()].filter((id) => ended.has(id));
    await Promise.all(late.map((id) => overflow.done(id)));
    return overflow;
  }

  private add(delivery: DeliveryRecord, at: SpoolEntry): void {
    const { id, owner_id, run_id } = delivery;
    const lane = laneOf(delivery);
    const one = { id, owner_id, run_id, lane, at };
    this.entries.set(id, one);
    const queue = this.queues.get(lane);
    if (queue) queue.add(one);
    else this.queues.set(lane, new Set([one]));
    this.waiting += 1;
  }

  private leaveQueue(one: OverflowEntry): void {
    const queue = this.queues.get(one.lane);
    if (!queue?.delete(one)) return;
    this.waiting -= 1;
    if (queue.size === 0) this.queues.delete(one.lane);
  }

  private remove(one: OverflowEntry): SpoolEntry {
    this.leaveQueue(one);
    this.entries.delete(one.id);
    return one.at;
  }

  /** Lanes with waiting deliveries. */
  get lanes(): string[] {
    return [...this.queues.keys()];
  }

  /** All deliveries in the file, including taken ones, unordered. */
  get headers(): Iterable<DeliveryHeader> {
    return this.entries.values();
  }

  /** Highest delivery id; 0 for none. */
  get last_id(): number {
    let last_id = 0;
    for (const id of this.entries.keys()) last_id = Math.max(last_id, id);
    return last_id;
  }

  /** Whether a lane has waiting deliveries. */
  hasWaiting(lane: string): boolean {
    return this.queues.has(lane);
  }

  /** Appends a delivery to its lane; resolves once it is on disk. */
  append(delivery: DeliveryRecord): Promise<void> {
    const { at, kept } = this.spool.append(JSON.stringify(delivery));
    this.add(delivery, at);
    return kept;
  }

  /** Takes the oldest deliveries of a lane; they stay on disk until `done`. */
  take(lane: string, most: number): Promise<DeliveryRecord>[] {
    const taken: OverflowEntry[] = [];
    for (const one of this.queues.get(lane) ?? []) {
      if (taken.length >= most) break;
      taken.push(one);
    }
    for (const one of taken) this.leaveQueue(one);
    return taken.map(({ at }) => this.readAt(at));
  }

  private async readAt(at: SpoolEntry): Promise<DeliveryRecord> {
    return JSON.parse(await this.spool.read(at)) as DeliveryRecord;
  }

  /** Reads a delivery; null for an unknown id. */
  async read(id: number): Promise<DeliveryRecord | null> {
    const one = this.entries.get(id);
    return one ? this.readAt(one.at) : null;
  }

  /** Returns the header of a delivery; null for an unknown id. */
  find(id: number): DeliveryHeader | null {
    return this.entries.get(id) ?? null;
  }

  /** Removes a delivery that is settled and stored in the outbox log. */
  done(id: number): Promise<void> {
    const one = this.entries.get(id);
    return one
      ? this.spool.remove(this.remove(one), JSON.stringify({ done: id }))
      : Promise.resolve();
  }

  /** Removes everything. */
  clear(): Promise<void> {
    this.entries.clear();
    this.queues.clear();
    this.waiting = 0;
    return this.spool.clear();
  }

  close(): Promise<void> {
    return this.spool.close();
  }
}
