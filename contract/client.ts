/**
 * A typed client of the HTTP API, generated from the endpoint table: one method per row, an event
 * stream and automatic lock renewal. Works in browsers and in Node 22 or later; older Node versions
 * pass a WebSocket class. Also: the lock that is renewed until it is released.
 */

import {
  ArmError,
  type CallId,
  type Calls,
  type ClientCredentials,
  type ClientFetch,
  createCaller,
  partsOf,
  type SessionCaller,
} from './client/caller.ts';
import {
  type EventOptions,
  type EventStream,
  openEventStream,
  type Schedule,
  type StreamSocketClass,
} from './client/event-stream.ts';
import { limits } from './limits.ts';
import { ROUTES, routeOf } from './routes.ts';
import type { SimEvent } from './types.ts';

/**
 * Acquires the robot lock and renews it until it is released or lost (spec §3.2, §8). The default
 * interval is below the 5 s expiry of teach mode.
 */

export interface LockOptions {
  /** Time between renewals (s); default 2. */
  readonly renew_s?: number;
  /** How long to retry while another user holds the lock (s); default 0, one try. */
  readonly wait_s?: number;
  /** Called once when a renewal is refused, which means that the lock is lost. */
  readonly onLost?: (reason: ArmError) => void;
}

export interface HeldLock {
  /** Whether the lock is held: the last renewal succeeded and release() was not called. */
  readonly held: boolean;
  /** Stops the renewals and releases the lock. Does nothing after the lock is lost. */
  release(): Promise<void>;
}

type LockCalls = Pick<Calls, 'takeLock' | 'renewLock' | 'releaseLock'>;

const RENEW_S = 2;
const RETRY_S = Math.min(2, limits.lock_expiry_teach_s / 2);
const HELD_BY_OTHER = 3;

function pause(schedule: Schedule, duration_s: number): Promise<void> {
  return new Promise((resolve) => schedule(1000 * duration_s, resolve));
}

async function acquire(calls: LockCalls, schedule: Schedule, wait_s: number): Promise<void> {
  for (let waited_s = 0; ; waited_s += RETRY_S) {
    try {
      await calls.takeLock();
      return;
    } catch (error) {
      const isHeld = error instanceof ArmError && error.error_code === HELD_BY_OTHER;
      if (!isHeld || waited_s >= wait_s) throw error;
      await pause(schedule, RETRY_S);
    }
  }
}

/** Acquires the lock and renews it until `release`. Rejects with ArmError when that fails. */
export async function keepLock(
  calls: LockCalls,
  schedule: Schedule,
  options: LockOptions = {},
): Promise<HeldLock> {
  await acquire(calls, schedule, options.wait_s ?? 0);
  const renew_ms = 1000 * (options.renew_s ?? RENEW_S);
  let held = true;
  let cancel = schedule(renew_ms, renew);

  function renew(): void {
    calls.renewLock().then(next, (error: unknown) => {
      if (error instanceof ArmError) lose(error);
      // The network failed; the lock may still be held, so try the next renewal.
      else next();
    });
  }

  function next(): void {
    if (held) cancel = schedule(renew_ms, renew);
  }

  function lose(reason: ArmError): void {
    if (!held) return;
    held = false;
    options.onLost?.(reason);
  }

  return {
    get held() {
      return held;
    },
    async release() {
      if (!held) return;
      held = false;
      cancel();
      await calls.releaseLock();
    },
  };
}

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
  const parts = (id: 'openStream' | 'openSimStream') => {
    const WebSocket = options.WebSocket ?? requireWebSocket();
    return { baseUrl, path: routeOf(id).path, WebSocket, schedule, caller };
  };
  return {
    ...calls,
    session: () => caller.session(),
    keepLock: (lockOptions) => keepLock(calls, schedule, lockOptions),
    events: (eventOptions) => openEventStream(parts('openStream'), eventOptions),
    simEvents: (eventOptions) => openEventStream(parts('openSimStream'), eventOptions),
  };
}

export { ArmError, type ClientFetch } from './client/caller.ts';
export type {
  EventOptions,
  EventStream,
  Schedule,
  StreamSocketClass,
  StreamStatus,
} from './client/event-stream.ts';
