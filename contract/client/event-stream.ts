/**
 * The client side of the event stream (spec §6.1): opens the WebSocket with the session token in
 * the subprotocol, forwards every event, and reconnects with exponential backoff if requested.
 */
import type { RobotEvent } from '../types.generated.ts';
import { ArmError } from './arm-error.ts';
import type { SessionCaller } from './caller.ts';
import type { Lifetime } from './lifetime.ts';

/** Calls `task` after a delay; the returned function cancels it. */
export type Schedule = (delay_ms: number, task: () => void) => () => void;

/** The part of a WebSocket that the stream uses; browsers and the ws package both have it. */
export interface StreamSocket {
  onopen: ((event: never) => unknown) | null;
  onmessage: ((event: never) => unknown) | null;
  onclose: ((event: never) => unknown) | null;
  onerror: ((event: never) => unknown) | null;
  close(code?: number): void;
}

/** The constructor of such a socket. */
export type StreamSocketClass = new (url: string, protocols: string[]) => StreamSocket;

/** open: receiving events. waiting: disconnected, will reconnect. closed: finally. */
export type StreamStatus = 'connecting' | 'open' | 'waiting' | 'closed';

export interface EventOptions<Event = RobotEvent> {
  /** Gets every event; messages that are none are passed over. */
  readonly onEvent: (event: Event) => void;
  readonly onStatus?: (status: StreamStatus) => void;
  /**
   * Whether to reconnect after a disconnect, until the stream or its client is closed: the retries
   * keep the process alive. Default false.
   */
  readonly reconnect?: boolean;
}

export interface EventStream {
  /** Resolves when the stream is open for the first time; rejects if it closes before. */
  readonly opened: Promise<void>;
  close(): void;
}

export interface StreamParts {
  readonly baseUrl: string;
  /** Path of the stream. */
  readonly path: string;
  readonly WebSocket: StreamSocketClass;
  readonly schedule: Schedule;
  readonly caller: SessionCaller;
  /** Closes the stream with its client. */
  readonly lifetime: Lifetime;
}

/**
 * The event of a message; null for what is none, by which an arm must not end the program that
 * listens. Only the content of state changes is looked at: every listener needs it.
 */
function eventOf(data: unknown): object | null {
  try {
    const event: unknown = JSON.parse(String(data));
    if (event === null || typeof event !== 'object' || !('type' in event)) return null;
    if (event.type !== 'state_change') return typeof event.type === 'string' ? event : null;
    const changes = 'changes' in event ? event.changes : null;
    return changes !== null && typeof changes === 'object' ? event : null;
  } catch {
    return null;
  }
}

const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 5_000;

class ReconnectingStream<Event> implements EventStream {
  readonly opened: Promise<void>;
  private readonly parts: StreamParts;
  private readonly options: EventOptions<Event>;
  private settle: { resolve: () => void; reject: (reason: Error) => void } | null = null;
  private socket: StreamSocket | null = null;
  private cancelRetry: (() => void) | null = null;
  private delay_ms = FIRST_DELAY_MS;
  private ended = false;
  private readonly withdraw: () => void;

  constructor(parts: StreamParts, options: EventOptions<Event>) {
    this.parts = parts;
    this.options = options;
    this.opened = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // A caller that only uses onStatus must not cause an unhandled rejection.
    this.opened.catch(() => {});
    this.withdraw = parts.lifetime.onEnd(() => this.close());
    void this.connect(false);
  }

  close(): void {
    if (this.ended) return;
    this.end();
    this.cancelRetry?.();
    this.socket?.close(1000);
  }

  /** After a disconnect, renews the session first: it may have expired. */
  private async connect(again: boolean): Promise<void> {
    const { caller } = this.parts;
    this.options.onStatus?.('connecting');
    try {
      if (again) await caller.call('renewSession', {});
      const session = await caller.session();
      if (!this.ended) this.listen(session);
    } catch (error) {
      this.lost(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private listen(session: string): void {
    const url = this.parts.baseUrl.replace(/^http/, 'ws') + this.parts.path;
    const socket = new this.parts.WebSocket(url, [`SessionToken_${session}`, 'object']);
    this.socket = socket;
    socket.onopen = () => {
      this.delay_ms = FIRST_DELAY_MS;
      this.options.onStatus?.('open');
      this.settle?.resolve();
    };
    socket.onmessage = (event: { readonly data: unknown }) => {
      const arrived = this.ended ? null : eventOf(event.data);
      if (arrived !== null) this.options.onEvent(arrived as Event);
    };
    socket.onerror = () => {};
    socket.onclose = (event: { readonly code: number }) => {
      this.lost(new Error(`the stream closed with code ${event.code}`));
    };
  }

  private lost(reason: Error): void {
    if (this.ended) return;
    this.socket = null;
    // Without a valid session, retries cannot succeed.
    const refused = reason instanceof ArmError && reason.status === 401;
    if (refused || !this.options.reconnect) {
      this.end(reason);
      return;
    }
    this.options.onStatus?.('waiting');
    const delay_ms = this.delay_ms;
    this.delay_ms = Math.min(2 * delay_ms, LAST_DELAY_MS);
    this.cancelRetry = this.parts.schedule(delay_ms, () => void this.connect(true));
  }

  private end(reason = new Error('the stream was closed')): void {
    this.ended = true;
    this.withdraw();
    this.settle?.reject(reason);
    this.options.onStatus?.('closed');
  }
}

/** Opens the stream. Throws only where the client is closed: `onStatus` and `opened` report. */
export function openEventStream<Event>(
  parts: StreamParts,
  options: EventOptions<Event>,
): EventStream {
  parts.lifetime.requireOpen();
  return new ReconnectingStream(parts, options);
}
