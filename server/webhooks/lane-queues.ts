/**
 * The queues of pending deliveries by lane: which wait on disk, oldest first, and how many of each
 * lane are in memory. Holds ids only.
 */

interface Lane {
  /** Waiting ids; those before `next` have been taken. */
  ids: number[];
  next: number;
  inMemory: number;
  /** Whether its next deliveries are being read. */
  isLoading: boolean;
}

/** Taken ids are dropped from the front of a queue when there are this many. */
const TAKEN = 1024;

export class LaneQueues {
  private readonly byLane = new Map<string, Lane>();
  private readonly most: number;
  private inMemory_count = 0;
  private waiting_count = 0;

  /** `most`: deliveries in memory, in addition to one per lane. */
  constructor(most: number) {
    this.most = most;
  }

  /** Number of pending deliveries. */
  get count(): number {
    return this.inMemory_count + this.waiting_count;
  }

  /** Lanes with waiting deliveries. */
  get lanes(): string[] {
    return [...this.byLane].filter(([, lane]) => lane.ids.length > lane.next).map(([key]) => key);
  }

  private lane(key: string): Lane {
    const known = this.byLane.get(key);
    if (known) return known;
    const made = { ids: [], next: 0, inMemory: 0, isLoading: false };
    this.byLane.set(key, made);
    return made;
  }

  /** Appends an id to a lane. */
  add(key: string, id: number): void {
    this.lane(key).ids.push(id);
    this.waiting_count += 1;
  }

  /** Counts one delivery as in memory if it may be sent at once; otherwise it must wait. */
  takeNow(key: string): boolean {
    const lane = this.lane(key);
    const isFull = this.inMemory_count >= this.most && lane.inMemory > 0;
    if (isFull || lane.isLoading || lane.ids.length > lane.next) return false;
    lane.inMemory += 1;
    this.inMemory_count += 1;
    return true;
  }

  /** Whether a lane has waiting deliveries, and none in memory or being read. */
  mayLoad(key: string): boolean {
    const lane = this.byLane.get(key);
    return !!lane && !lane.isLoading && lane.inMemory === 0 && lane.ids.length > lane.next;
  }

  /** Takes the oldest ids of a lane, at least one; they count as in memory. */
  take(key: string, most: number): number[] {
    const lane = this.lane(key);
    const free = Math.max(1, Math.min(most, this.most - this.inMemory_count));
    const taken = lane.ids.slice(lane.next, lane.next + free);
    lane.next += taken.length;
    if (lane.next > TAKEN) {
      lane.ids = lane.ids.slice(lane.next);
      lane.next = 0;
    }
    lane.inMemory += taken.length;
    lane.isLoading = true;
    this.inMemory_count += taken.length;
    this.waiting_count -= taken.length;
    return taken;
  }

  /** The taken deliveries of a lane have been read. */
  loaded(key: string): void {
    this.lane(key).isLoading = false;
  }

  /** A delivery of the lane is no longer in memory. */
  release(key: string): void {
    const lane = this.lane(key);
    lane.inMemory -= 1;
    this.inMemory_count -= 1;
    if (lane.inMemory === 0 && lane.ids.length === lane.next) this.byLane.delete(key);
  }

  clear(): void {
    this.byLane.clear();
    this.inMemory_count = 0;
    this.waiting_count = 0;
  }
}
