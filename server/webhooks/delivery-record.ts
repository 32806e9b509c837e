/**
 * One webhook delivery (one body to one address), shared by the outbox and the delivery worker, and
 * the retry profiles: timeouts and the attempt schedule (docs/decisions). Also: the queues of
 * pending deliveries by lane.
 */
import type { Delivery, DeliveryAttempt, HookTypeName } from '../../contract/types.ts';

export interface DeliveryRecord {
  readonly id: number;
  /** Unchanged over attempts, restarts and redeliveries. */
  readonly message_id: string;
  readonly owner_id: number;
  /** Null for a test call. */
  readonly run_id: string | null;
  /** Sequence number of the event in its run. */
  readonly sequence: number;
  readonly hook_type: HookTypeName;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  state: Delivery['state'];
  attempts: DeliveryAttempt[];
  /** Attempts since it was last queued. */
  tries: number;
}

/** The caller's part of a new delivery. */
export type DeliveryContent = Pick<
  DeliveryRecord,
  'owner_id' | 'run_id' | 'sequence' | 'hook_type' | 'url' | 'headers' | 'body'
>;

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

/** Returns the lane of a delivery; deliveries of one lane are sent in order. */
export function laneOf({
  owner_id,
  run_id,
  url,
}: Pick<DeliveryRecord, 'owner_id' | 'run_id' | 'url'>): string {
  return `${owner_id} ${run_id} ${url}`;
}

/** Converts a delivery to the wire format. */
export function deliveryReply(delivery: DeliveryRecord): Delivery {
  const { id, message_id, run_id, hook_type, url, sequence, state, body, attempts } = delivery;
  return { id, message_id, run_id, hook_type, url, sequence, state, body, attempts: [...attempts] };
}

export type RetryProfileName = 'ci' | 'standard' | 'off';

export interface RetryProfile {
  readonly timeout_ms: number;
  /** Earliest start of each attempt (ms after the first); never before the previous one failed. */
  readonly at_ms: readonly number[];
  /** Largest random delay, as a share of the start time. */
  readonly jitter: number;
  /** Wait between attempts to reach a receiver that refuses connections, at most (ms). */
  readonly parked_ms: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Start times from the waits between attempts. */
function cumulative(waits_ms: readonly number[]): number[] {
  let at_ms = 0;
  return waits_ms.map((wait_ms) => {
    at_ms += wait_ms;
    return at_ms;
  });
}

export const RETRY_PROFILES: { readonly [Name in Exclude<RetryProfileName, 'off'>]: RetryProfile } =
  {
    ci: {
      timeout_ms: 5 * SECOND_MS,
      at_ms: [0, 1, 2, 5, 10, 30].map((seconds) => seconds * SECOND_MS),
      jitter: 0,
      parked_ms: 5 * SECOND_MS,
    },
    standard: {
      timeout_ms: 15 * SECOND_MS,
      at_ms: cumulative([
        0,
        5 * SECOND_MS,
        5 * MINUTE_MS,
        30 * MINUTE_MS,
        2 * HOUR_MS,
        5 * HOUR_MS,
        10 * HOUR_MS,
        14 * HOUR_MS,
        20 * HOUR_MS,
        24 * HOUR_MS,
      ]),
      jitter: 0.1,
      parked_ms: 5 * MINUTE_MS,
    },
  };

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
