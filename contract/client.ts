/**
 * A typed client of the HTTP API, generated from the endpoint table: one method per row, an event
 * stream and automatic lock renewal. Works in browsers and in Node 22 or later; older Node versions
 * pass a WebSocket class.
 */

import { partsOf } from './client/call-parts.ts';
import {
  type ClientCredentials,
  type ClientFetch,
  createCaller,
  type SessionCaller,
} from './client/caller.ts';
import type { CallId, Calls } from './client/calls.ts';
import {
  type EventOptions,
  type EventStream,
  openEventStream,
  type Schedule,
  type StreamSocketClass,
} from './client/event-stream.ts';
import { type HeldLock, keepLock, type LockOptions } from './client/held-lock.ts';
import { Lifetime } from './client/lifetime.ts';
import { ROUTES, routeOf } from './routes.ts';
import type { SimEvent } from './types.generated.ts';

export interface ConnectOptions extends ClientCredentials {
  /** Address of the service, as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** The WebSocket class; default the global one. */
  readonly WebSocket?: StreamSocketClass;
  /** The fetch function; default the global one. */
  readonly fetch?: ClientFetch;
  /** The timer function; default setTimeout. */
  readonly schedule?: Schedule;
}

/** A connected client. */
export interface ArmClient extends Calls {
  /** Opens the stream of events. */
  events(options: EventOptions): EventStream;
  /** Opens the stream of simulation events; needs an admin. */
  simEvents(options: EventOptions<SimEvent>): EventStream;
  /** Takes the robot lock and renews it until released. */
  keepLock(options?: LockOptions): Promise<HeldLock>;
  /** The session token in use; creates a session if there is none. */
  session(): Promise<string>;
  /**
   * Ends the streams and the renewals of locks that this client started, which otherwise keep the
   * process alive. Sends nothing: a lock that is not released before expires.
   */
  close(): void;
}

function waitByTimer(delay_ms: number, task: () => void): () => void {
  const timer = globalThis.setTimeout(task, delay_ms);
  return () => globalThis.clearTimeout(timer);
}

function createCalls(caller: SessionCaller): Calls {
  const calls: { [Id in CallId]?: (...given: readonly unknown[]) => Promise<unknown> } = {};
  for (const row of ROUTES) {
    if ('carries' in row && row.carries === 'stream') continue;
    if ('media' in row && row.media === 'text/event-stream') continue;
    const id: CallId = row.id;
    calls[id] = async (...given) => {
      const reply = await caller.call(id, partsOf(row, given));
      if (id === 'endSession') caller.forget();
      return reply;
    };
  }
  return calls as Calls;
}

function requireWebSocket(): StreamSocketClass {
  const found = globalThis.WebSocket as StreamSocketClass | undefined;
  if (!found) throw new TypeError('this platform has no WebSocket; pass one to connect()');
  return found;
}

/** The base URL without a slash at its end; throws when it is not one. */
function baseUrlOf(given: unknown): string {
  if (typeof given === 'string' && /^https?:\/\/[^/]/.test(given)) return given.replace(/\/+$/, '');
  const shown = JSON.stringify(given) ?? String(given);
  throw new TypeError(`connect: baseUrl must be as http://127.0.0.1:8080, not ${shown}`);
}

/**
 * Creates a client of the service at `baseUrl`. It sends nothing before the first call. With a
 * token or a log-in it creates and replaces sessions as needed. Refused calls reject with ArmError.
 */
export function connect(options: ConnectOptions): ArmClient {
  const baseUrl = baseUrlOf(options.baseUrl);
  const send = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const schedule = options.schedule ?? waitByTimer;
  const caller = createCaller({ ...options, baseUrl, fetch: send });
  const calls = createCalls(caller);
  const lifetime = new Lifetime();
  const open = <Event>(id: 'openStream' | 'openSimStream', given: EventOptions<Event>) => {
    const WebSocket = options.WebSocket ?? requireWebSocket();
    const parts = { baseUrl, path: routeOf(id).path, WebSocket, schedule, caller, lifetime };
    return openEventStream(parts, given);
  };
  return {
    ...calls,
    session: () => caller.session(),
    keepLock: (given) => keepLock(calls, { schedule, lifetime }, given),
    events: (given) => open('openStream', given),
    simEvents: (given) => open('openSimStream', given),
    close: () => lifetime.end(),
  };
}

export { ArmError } from './client/arm-error.ts';
export type { ClientFetch } from './client/caller.ts';
export type {
  EventOptions,
  EventStream,
  Schedule,
  StreamSocketClass,
  StreamStatus,
} from './client/event-stream.ts';
export { type HeldLock, keepLock, type LockOptions } from './client/held-lock.ts';
export type { ErrorCode, ErrorName } from './errors.ts';
export type { RobotEvent } from './types.generated.ts';
