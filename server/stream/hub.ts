/**
 * The hub of an event stream (§6.1): publishes each event to its audience, which is everyone, one
 * user or the lock's owner. A frame is built once for all subscribers, except for the lock status.
 * Also: one subscriber.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { limits } from '../../contract/limits.ts';
import type { RobotEvent as ArmEvent, Joints, SimEvent } from '../../contract/types.ts';
import type { Cancel, WallClock } from '../clock/clock.ts';
import type { Caller, LoopEvent, SectionChanges } from '../robot/commands.ts';
import type { EventDelivery } from '../robot/invariant-statements.ts';
import type { Session } from '../sessions/users.ts';

/**
 * One subscriber of an event stream (§6.1, D37). While a slow client's buffer is full, state
 * changes are merged by key and sent after it drains; other events are queued. A client that does
 * not read is disconnected, so that it cannot affect the others.
 */

type Section = Record<string, unknown>;

/** Merges newer changes into older ones by section; arrays replace. */
export function mergeSnapshotChanges(into: SectionChanges, newer: SectionChanges): void {
  for (const [name, change] of Object.entries(newer)) {
    const known = into[name] as Section | undefined;
    into[name] = Array.isArray(change) ? change : { ...known, ...(change as Section) };
  }
}

const TEXT = { binary: false };

/** Whose stream it is. */
export interface StreamOwner {
  readonly session: Session;
  readonly caller: Caller;
}

export class Subscriber {
  readonly session: Session;
  readonly caller: Caller;
  private readonly socket: WebSocket;
  private pending: SectionChanges | null = null;
  private queue: Buffer[] = [];
  private queue_bytes = 0;
  private missedPings = 0;

  /** `connection` is the one below the WebSocket: it says when everything written was sent. */
  constructor(socket: WebSocket, connection: Duplex, { session, caller }: StreamOwner) {
    this.socket = socket;
    this.session = session;
    this.caller = caller;
    socket.on('pong', () => {
      this.missedPings = 0;
    });
    // What waits is sent even if no new event follows, whatever filled the buffer: frames, pings or
    // the answers to the client's pings. The limit is above the one at which a connection drains.
    connection.on('drain', () => this.flush());
  }

  private get congested(): boolean {
    return this.socket.bufferedAmount > limits.stream_soft_bytes;
  }

  /** Sends a state change, or merges it into the pending one until the buffer drains. */
  sendState(frame: Buffer, changes: SectionChanges): void {
    if (this.terminateIfStuck()) return;
    if (!this.congested && this.pending === null && this.queue.length === 0) {
      this.socket.send(frame, TEXT);
    } else {
      this.pending ??= {};
      mergeSnapshotChanges(this.pending, structuredClone(changes));
      this.flush();
    }
  }

  /** Sends any other event, in order. */
  sendEvent(frame: Buffer): void {
    if (this.terminateIfStuck()) return;
    this.queue.push(frame);
    this.queue_bytes += frame.length;
    this.flush();
  }

  private flush(): void {
    if (this.congested) return;
    for (const frame of this.queue) this.socket.send(frame, TEXT);
    this.queue = [];
    this.queue_bytes = 0;
    if (!this.pending) return;
    const text = JSON.stringify({ type: 'state_change', changes: this.pending });
    this.pending = null;
    this.socket.send(Buffer.from(text), TEXT);
  }

  private terminateIfStuck(): boolean {
    const stuck = this.buffered_bytes > limits.stream_hard_bytes;
    if (stuck) this.socket.terminate();
    return stuck || this.socket.readyState !== this.socket.OPEN;
  }

  /** Sends a ping; disconnects a client that missed too many. */
  ping(): void {
    if (this.missedPings >= limits.stream_missed_pings) this.socket.terminate();
    else if (this.socket.readyState === this.socket.OPEN) {
      this.missedPings += 1;
      this.socket.ping();
    }
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  /** Bytes that wait for the client, in the queue and in the socket. */
  get buffered_bytes(): number {
    return this.socket.bufferedAmount + this.queue_bytes;
  }
}

/** What the hub sends to. */
type StreamReceiver = Pick<
  Subscriber,
  'caller' | 'sendState' | 'sendEvent' | 'ping' | 'close' | 'buffered_bytes'
> & { readonly session: Session | null };

/** A receiver in this process: a list that grows with each event, for as long as the twin runs. */
export class EventList implements StreamReceiver {
  /** It needs no session, and so outlives all of them. */
  readonly session = null;
  readonly buffered_bytes = 0;
  readonly caller: Caller;
  readonly events: ArmEvent[] = [];

  constructor(caller: Caller) {
    this.caller = caller;
  }

  sendState(frame: Buffer): void {
    this.sendEvent(frame);
  }

  sendEvent(frame: Buffer): void {
    this.events.push(JSON.parse(frame.toString()) as ArmEvent);
  }

  ping(): void {}

  close(): void {}
}

export type StreamMessage = ArmEvent | SimEvent;

export type Audience =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'user'; readonly user_id: number }
  | { readonly kind: 'token'; readonly token_id: number };

export const EVERYONE = { kind: 'everyone' } as const satisfies Audience;

/** The audiences of the events that not everyone receives (§6.1). */
interface PrivateEvents {
  backdriving: 'token';
  toolpath_created: 'user';
  toolpath_updated: 'user';
  toolpath_deleted: 'user';
  toolpath_shared: 'user';
}

/** The only audience that an event may have. */
type AudienceOf<Type extends StreamMessage['type']> = Extract<
  Audience,
  { kind: Type extends keyof PrivateEvents ? PrivateEvents[Type] : 'everyone' }
>;

/** How a caller sees the lock (§2.9). */
export function lockAsSeenBy(
  caller: Pick<Caller, 'token_id'>,
  holder: Caller | null,
): { owner: 'you' | 'admin' | 'user' | 'none'; status: 'locked' | 'unlocked' } {
  if (!holder) return { owner: 'none', status: 'unlocked' };
  const owner = holder.token_id === caller.token_id ? 'you' : holder.role;
  return { owner, status: 'locked' };
}

function frame(message: object): Buffer {
  return Buffer.from(JSON.stringify(message));
}

export interface HubOptions {
  /** Called when subscribers come or go: the robot tracks changes only while there are any. */
  readonly onSubscribersChange: (hasSubscribers: boolean) => void;
  readonly lockHolder: () => Caller | null;
  /** Called for each event with an audience when it is published, and again for each receiver. */
  readonly onDelivery?: (delivery: EventDelivery) => void;
}

export class Hub {
  private readonly subscribers = new Set<StreamReceiver>();
  private readonly options: HubOptions;

  constructor(options: HubOptions) {
    this.options = options;
  }

  get size(): number {
    return this.subscribers.size;
  }

  /** The user of each subscriber. */
  get owners(): number[] {
    return [...this.subscribers].map(({ caller }) => caller.user_id);
  }

  /** Bytes buffered for the slowest subscriber. */
  get buffered_bytes(): number {
    let bytes = 0;
    for (const { buffered_bytes } of this.subscribers) bytes = Math.max(bytes, buffered_bytes);
    return bytes;
  }

  add(subscriber: StreamReceiver): void {
    this.subscribers.add(subscriber);
    this.options.onSubscribersChange(true);
  }

  remove(subscriber: StreamReceiver): void {
    this.subscribers.delete(subscriber);
    this.options.onSubscribersChange(this.subscribers.size > 0);
  }

  /** Publishes the events of the control loop. */
  publishRobotEvents(events: readonly LoopEvent[]): void {
    for (const event of events) {
      if (event.kind === 'state_change') this.publishState(event.changes);
      else if (event.kind === 'lock_status') this.publishLock(event.holder);
      else if (event.kind === 'backdriving') this.publishWaypoint(event.waypoint);
    }
  }

  private publishState(changes: SectionChanges): void {
    this.dispatch('state_change', () => {
      const bytes = frame({ type: 'state_change', changes });
      for (const subscriber of this.subscribers) subscriber.sendState(bytes, changes);
    });
  }

  private publishLock(holder: Caller | null): void {
    this.dispatch('lock_status', () => {
      for (const subscriber of this.subscribers) {
        const lock = lockAsSeenBy(subscriber.caller, holder);
        subscriber.sendEvent(frame({ type: 'lock_status', lock }));
      }
    });
  }

  private publishWaypoint(waypoint: Joints): void {
    const holder = this.options.lockHolder();
    if (!holder) return;
    this.publish({ type: 'backdriving', waypoint }, { kind: 'token', token_id: holder.token_id });
  }

  /** Publishes an event to its audience; another one does not compile. */
  publish<Message extends StreamMessage>(
    message: Message,
    audience: AudienceOf<Message['type']>,
  ): void {
    const { type } = message;
    const { onDelivery } = this.options;
    onDelivery?.({ type, audience, receiver: null });
    this.dispatch(type, () => {
      const bytes = frame(message);
      for (const subscriber of this.subscribers) {
        if (!isInAudience(subscriber, audience)) continue;
        if (audience !== EVERYONE) onDelivery?.({ type, audience, receiver: subscriber.caller });
        subscriber.sendEvent(bytes);
      }
    });
  }

  /** Sends a message of a type; a subclass may delay or drop it. */
  protected dispatch(_type: StreamMessage['type'], send: () => void): void {
    send();
  }

  /** Closes the streams of a session that ended (D37). */
  closeSession(session: Session): void {
    for (const subscriber of this.subscribers) {
      if (subscriber.session !== session) continue;
      subscriber.close(limits.stream_session_ended_code, 'session ended');
    }
  }

  /** Pings every subscriber periodically until cancelled. */
  startPings(wall: WallClock): Cancel {
    let cancel: Cancel = () => {};
    const ping = () => {
      for (const subscriber of this.subscribers) subscriber.ping();
      cancel = wall.afterUnreferenced(limits.stream_ping_s * 1000, ping);
    };
    ping();
    return () => cancel();
  }

  closeAll(reason: string): void {
    for (const subscriber of this.subscribers) subscriber.close(1001, reason);
  }
}

function isInAudience(subscriber: StreamReceiver, audience: Audience): boolean {
  if (audience.kind === 'everyone') return true;
  if (audience.kind === 'user') return subscriber.caller.user_id === audience.user_id;
  return subscriber.caller.token_id === audience.token_id;
}
