/**
 * One subscriber of an event stream (§6.1, D37). While a slow client's buffer is full, state
 * changes are merged by key and sent after it drains; other events are queued. A client that does
 * not read is disconnected, so that it cannot affect the others.
 */

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { limits } from '../../../contract/limits.ts';
import type { Caller } from '../../robot/caller.ts';
import type { SectionChanges } from '../../robot/loop-event.ts';
import type { Session } from '../sessions/sessions.ts';

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
export type StreamReceiver = Pick<
  Subscriber,
  'caller' | 'sendState' | 'sendEvent' | 'ping' | 'close' | 'buffered_bytes'
> & { readonly session: Session | null };
