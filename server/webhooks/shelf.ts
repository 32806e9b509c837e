/**
 * Parcels that wait behind others on their way, on disk: of each no more is in memory than what
 * finds it again. A receiver that is dead for days costs disk, and hardly any memory.
 */
import { type Place, Spool } from '../store/spool.ts';
import { type Parcel, wayOf } from './parcel.ts';

/** What is known of a parcel without reading it. */
export type Stub = Pick<Parcel, 'id' | 'owner_id' | 'run_id'>;

interface Shelved extends Stub {
  readonly way: string;
  readonly at: Place;
}

/** A line of the shelf: a parcel, or the number of one that is done with. */
type ShelfLine = Parcel | { readonly done: number };

function parsed(line: string): ShelfLine | null {
  try {
    return JSON.parse(line) as ShelfLine;
  } catch {
    return null;
  }
}

export class Shelf {
  private spool!: Spool;
  private readonly shelved = new Map<number, Shelved>();
  /** Those that nobody has taken yet, of each way, the oldest first. */
  private readonly queues = new Map<string, Set<Shelved>>();
  /** How many nobody has taken yet. */
  waiting = 0;

  /** Opens the shelf of a data folder, or one in memory, without parcels that are `ended`. */
  static async open(place: string, ended: ReadonlySet<number>): Promise<Shelf> {
    const shelf = new Shelf();
    const idle: Place[] = [];
    shelf.spool = await Spool.open(place, 'shelf.jsonl', (line, at) => {
      const found = parsed(line);
      if (found && 'id' in found) {
        shelf.remember(found, at);
        return;
      }
      idle.push(at);
      const done = found ? shelf.shelved.get(found.done) : undefined;
      if (done) idle.push(shelf.forgetOne(done));
    });
    for (const at of idle) shelf.spool.forgo(at);
    const late = [...shelf.shelved.keys()].filter((id) => ended.has(id));
    await Promise.all(late.map((id) => shelf.done(id)));
    return shelf;
  }

  private remember(parcel: Parcel, at: Place): void {
    const { id, owner_id, run_id } = parcel;
    const way = wayOf(parcel);
    const one = { id, owner_id, run_id, way, at };
    this.shelved.set(id, one);
    const queue = this.queues.get(way);
    if (queue) queue.add(one);
    else this.queues.set(way, new Set([one]));
    this.waiting += 1;
  }

  private leaveQueue(one: Shelved): void {
    const queue = this.queues.get(one.way);
    if (!queue?.delete(one)) return;
    this.waiting -= 1;
    if (queue.size === 0) this.queues.delete(one.way);
  }

  private forgetOne(one: Shelved): Place {
    this.leaveQueue(one);
    this.shelved.delete(one.id);
    return one.at;
  }

  /** Ways on which parcels wait. */
  get ways(): string[] {
    return [...this.queues.keys()];
  }

  /** All that lie here, those that are taken as well, in no order. */
  get stubs(): Iterable<Stub> {
    return this.shelved.values();
  }

  /** Highest number here; 0 for none. */
  get last_id(): number {
    let last_id = 0;
    for (const id of this.shelved.keys()) last_id = Math.max(last_id, id);
    return last_id;
  }

  /** Whether parcels wait on a way. */
  waits(way: string): boolean {
    return this.queues.has(way);
  }

  /** Puts a parcel behind all others of its way; resolves once it is on disk. */
  put(parcel: Parcel): Promise<void> {
    const { at, kept } = this.spool.append(JSON.stringify(parcel));
    this.remember(parcel, at);
    return kept;
  }

  /** Takes the oldest of a way; they stay on disk until they are done with. */
  take(way: string, most: number): Promise<Parcel>[] {
    const taken: Shelved[] = [];
    for (const one of this.queues.get(way) ?? []) {
      if (taken.length >= most) break;
      taken.push(one);
    }
    for (const one of taken) this.leaveQueue(one);
    return taken.map(({ at }) => this.fetch(at));
  }

  private async fetch(at: Place): Promise<Parcel> {
    return JSON.parse(await this.spool.read(at)) as Parcel;
  }

  /** Reads a parcel; null when it does not lie here. */
  async read(id: number): Promise<Parcel | null> {
    const one = this.shelved.get(id);
    return one ? this.fetch(one.at) : null;
  }

  /** Whose parcel that is, where it lies here. */
  find(id: number): Stub | null {
    return this.shelved.get(id) ?? null;
  }

  /** Lets a parcel go that is done with and kept elsewhere. */
  done(id: number): Promise<void> {
    const one = this.shelved.get(id);
    return one
      ? this.spool.drop(this.forgetOne(one), JSON.stringify({ done: id }))
      : Promise.resolve();
  }

  /** Lets everything go. */
  clear(): Promise<void> {
    this.shelved.clear();
    this.queues.clear();
    this.waiting = 0;
    return this.spool.clear();
  }

  close(): Promise<void> {
    return this.spool.close();
  }
}
