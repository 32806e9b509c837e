/**
 * One client of the stream. The newest state wins: while a slow client's buffer is full, state
 * changes are merged by key and told when it has drained; other events wait in a queue. A client
 * that reads nothing is cut, the others never notice (facts of spec §6.1; decision D37).
 */
import type { WebSocket } from 'ws';
import { limits } from '../../contract/limits.ts';
import type { Caller } from '../robot/commands.ts';
import type { SnapshotChanges } from '../robot/events.ts';
import type { Session } from '../sessions/sessions.ts';

type Section = Record<string, unknown>;

/** Adds the newer changes to the older, section by section; arrays are whole and replace. */
export function mergeChanges(into: SnapshotChanges, newer: SnapshotChanges): void {
  for (const [name, change] of Object.entries(newer)) {
    const known = into[name];
    const whole = known === undefined || Array.isArray(change);
    into[name] = whole ? change : { ...(known as Section), ...(change as Section) };
  }
}

const TEXT = { binary: false };

export class Subscriber {
  readonly session: Session;
  readonly caller: Caller;
  private readonly socket: WebSocket;
  private pending: SnapshotChanges | null = null;
  private queue: Buffer[] = [];
  private queue_bytes = 0;
  private missedPings = 0;

  constructor(socket: WebSocket, session: Session, caller: Caller) {
    this.socket = socket;
    this.session = session;
    this.caller = caller;
    socket.on('pong', () => {
      this.missedPings = 0;
    });
  }

  private get congested(): boolean {
    return this.socket.bufferedAmount > limits.stream_soft_bytes;
  }

  /** Sends a state change, or keeps it merged until the client has drained. */
  sendState(frame: Buffer, changes: SnapshotChanges): void {
    if (this.cutIfStuck()) return;
    if (!this.congested && this.pending === null && this.queue.length === 0) this.write(frame);
    else {
      this.pending ??= {};
      mergeChanges(this.pending, structuredClone(changes));
      this.flush();
    }
  }

  /** Sends any other event; order among them is kept. */
  sendEvent(frame: Buffer): void {
    if (this.cutIfStuck()) return;
    this.queue.push(frame);
    this.queue_bytes += frame.length;
    this.flush();
  }

  private flush(): void {
    if (this.congested) return;
    for (const frame of this.queue) this.write(frame);
    this.queue = [];
    this.queue_bytes = 0;
    if (!this.pending) return;
    const text = JSON.stringify({ type: 'state_change', changes: this.pending });
    this.pending = null;
    this.write(Buffer.from(text));
  }

  private cutIfStuck(): boolean {
    const stuck = this.buffered_bytes > limits.stream_hard_bytes;
    if (stuck) this.socket.terminate();
    return stuck || this.socket.readyState !== this.socket.OPEN;
  }

  private write(frame: Buffer): void {
    // Only behind a frame that fills the buffer does anything wait: none other has to tell.
    const fills = this.socket.bufferedAmount + frame.length > limits.stream_soft_bytes;
    if (fills) this.socket.send(frame, TEXT, this.onSent);
    else this.socket.send(frame, TEXT);
  }

  /** What has waited for the client to drain goes out then, though nothing new happens. */
  private readonly onSent = (): void => {
    if (this.pending !== null || this.queue.length > 0) this.flush();
  };

  /** Asks for a sign of life; a client that missed two is gone. */
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

  /** What waits for the client, whoever keeps it. */
  get buffered_bytes(): number {
    return this.socket.bufferedAmount + this.queue_bytes;
  }
}
