/**
 * The WebSocket handshake of event streams (§5, §6.1). The session token is a subprotocol; the
 * reply selects `object`, so that the token is never echoed. A rejected handshake gets a plain HTTP
 * error. No handshake is answered sooner than `limits.stream_handshake_s` after it arrived: the
 * public SDK begins to wait for the reply only after it has sent the request, and misses an earlier
 * one.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { ErrorName } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import { versionRefusal } from '../../../contract/stream-refusal.ts';
import type { Role } from '../../../contract/types.generated.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { Caller } from '../../robot/caller.ts';
import { streamRefusal } from '../../shares/stream-share.ts';
import { UNKNOWN_SESSION } from '../sessions/sessions.ts';
import type { Hub } from './hub.ts';
import { type StreamOwner, Subscriber } from './subscriber.ts';

/** A stream that clients can open. */
export interface StreamEndpoint {
  /** The path of its route. */
  readonly path: string;
  /** The minimum role. */
  readonly role: Role;
  readonly hub: Hub;
}

export interface UpgradeOptions {
  readonly endpoints: readonly StreamEndpoint[];
  /** The identity that a session token belongs to, or null. */
  readonly identify: (secret: string) => StreamOwner | null;
  /** The token of the header Authorization, or the refusal of a malformed one; null without one. */
  readonly bearerToken: (request: IncomingMessage) => string | Refusal | null;
  /** Writes an HTTP error to the socket and ends the connection. */
  readonly refuse: (socket: Duplex, error: ErrorName, details: string | null) => void;
  /** Header lines of an accepted handshake, besides those of the protocol. */
  readonly headerLines?: (socket: Duplex) => readonly string[];
  /** Counts the connection as one of the user; returns why it may not be one more. */
  readonly claim?: (socket: Duplex, caller: Caller) => Refusal | null;
  readonly ready: () => boolean;
  readonly wall: WallClock;
  /** Whether the request is no page's, or that of a page that may use the service. */
  readonly originAllowed: (request: IncomingMessage) => boolean;
}

const TOKEN_PREFIX = 'SessionToken_';
/** The subprotocol that is selected, so that the token is never echoed. */
const PROTOCOL = 'object';

function offeredProtocols(request: IncomingMessage): string[] {
  const header = request.headers['sec-websocket-protocol'] ?? '';
  return header.split(',').map((entry) => entry.trim());
}

interface Admission extends StreamOwner {
  readonly endpoint: StreamEndpoint;
}

interface Rejection {
  readonly refused: ErrorName;
  readonly hint: string | null;
}

function reject(refused: ErrorName, hint: string | null = null): Rejection {
  return { refused, hint };
}

/** The session token among the subprotocols of a handshake; null without one. */
export function protocolToken(request: IncomingMessage): string | null {
  const protocol = offeredProtocols(request).find((entry) => entry.startsWith(TOKEN_PREFIX));
  return protocol?.slice(TOKEN_PREFIX.length) ?? null;
}

/**
 * The session token: of the subprotocol, or of the header Authorization where no subprotocol
 * carries one (clients outside browsers can set headers).
 */
function sessionToken(request: IncomingMessage, options: UpgradeOptions): string | Rejection {
  const offered = protocolToken(request);
  if (offered !== null && offeredProtocols(request).includes(PROTOCOL)) return offered;
  const secret = offered === null ? options.bearerToken(request) : null;
  if (secret === null) {
    const hint = 'Sec-WebSocket-Protocol must offer SessionToken_<token> and object';
    return reject('not_authenticated', hint);
  }
  return typeof secret === 'string' ? secret : reject(secret.refused, String(secret.details));
}

/** Checks a handshake in the order of D6: the admission, or the reason for the rejection. */
function admit(request: IncomingMessage, options: UpgradeOptions): Admission | Rejection {
  const [given = ''] = (request.url ?? '').split('?', 1);
  // As for other paths of the API, a slash at the end makes no difference.
  const path = given.replace(/\/$/, '');
  if (!options.ready()) return reject('not_ready');
  const endpoint = options.endpoints.find((entry) => entry.path === path);
  if (!endpoint) {
    const paths = options.endpoints.map((entry) => entry.path).join(' and ');
    return reject('unknown_path', `There is no WebSocket at ${path}; there is one at ${paths}`);
  }
  if (!options.originAllowed(request)) {
    return reject('role_too_low', 'This origin may not open the stream');
  }
  const secret = sessionToken(request, options);
  if (typeof secret !== 'string') return secret;
  const identity = options.identify(secret);
  if (!identity) return reject('not_authenticated', UNKNOWN_SESSION);
  if (endpoint.role === 'admin' && identity.caller.role !== 'admin') return reject('role_too_low');
  const { user_id: owner, role } = identity.caller;
  const tooMany = streamRefusal({ owner, isAdmin: role === 'admin' }, endpoint.hub.owners);
  const refusal = versionRefusal(request.headers['sec-websocket-version']) ?? tooMany;
  if (refusal) return reject(refusal.refused, String(refusal.details));
  return { endpoint, ...identity };
}

/** Creates the `upgrade` listener of the HTTP server. */
export function createUpgradeHandler(options: UpgradeOptions) {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.stream_message_bytes,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  server.on('wsClientError', (error, socket) => {
    options.refuse(socket, 'malformed_body', error.message);
  });

  server.on('headers', (lines, request) =>
    lines.push(...(options.headerLines?.(request.socket) ?? [])),
  );

  const open = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const result = admit(request, options);
    if ('refused' in result) {
      options.refuse(socket, result.refused, result.hint);
      return;
    }
    const { endpoint, caller } = result;
    const tooMany = options.claim?.(socket, caller);
    if (tooMany) {
      options.refuse(socket, tooMany.refused, String(tooMany.details));
      return;
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const subscriber = new Subscriber(webSocket, socket, result);
      endpoint.hub.add(subscriber);
      webSocket.on('close', () => endpoint.hub.remove(subscriber));
      webSocket.on('error', () => webSocket.terminate());
    });
  };

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const due_ms = options.wall.now_ms() + limits.stream_handshake_s * 1000;
    // Timers may fire up to a millisecond early.
    const openWhenDue = (): void => {
      const left_ms = due_ms - options.wall.now_ms();
      if (left_ms > 0) options.wall.afterUnreferenced(Math.ceil(left_ms), openWhenDue);
      else if (!socket.destroyed) open(request, socket, head);
    };
    openWhenDue();
  };
}
