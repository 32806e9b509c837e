/**
 * The handshake of the stream (spec §5, §6.1): the session token comes as a subprotocol, `object`
 * is the one that is answered, so that the token is never echoed. Refusals are written as plain
 * HTTP in the error format, before any WebSocket exists.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { ErrorName } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { refuseOnSocket } from '../http/error-reply.ts';
import type { Caller, Role } from '../robot/commands.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Hub } from './hub.ts';
import { Subscriber } from './subscriber.ts';

/** A stream that clients can open. */
export interface StreamDoor {
  /** Its path, as the table of routes has it. */
  readonly path: string;
  /** The least role that may open it. */
  readonly role: Role;
  readonly hub: Hub;
}

export interface UpgradeParts {
  readonly doors: readonly StreamDoor[];
  /** Whose session a secret is; null for none. */
  readonly identify: (secret: string) => { session: Session; caller: Caller } | null;
  readonly ready: () => boolean;
  /** Origins of pages that may connect besides the twin's own. */
  readonly allowedOrigins: readonly string[];
}

const TOKEN_PREFIX = 'SessionToken_';

function offeredProtocols(request: IncomingMessage): string[] {
  const header = request.headers['sec-websocket-protocol'] ?? '';
  return header.split(',').map((entry) => entry.trim());
}

function originAllowed(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (allowed.includes(origin) || allowed.includes('*')) return true;
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}

interface Admitted {
  readonly door: StreamDoor;
  readonly session: Session;
  readonly caller: Caller;
}

interface Turned {
  readonly refused: ErrorName;
  readonly hint: string | null;
}

function turn(refused: ErrorName, hint: string | null = null): Turned {
  return { refused, hint };
}

/** Who comes in and where, or why not; in the order of decision D6. */
function admit(request: IncomingMessage, parts: UpgradeParts): Admitted | Turned {
  const [path = ''] = (request.url ?? '').split('?', 1);
  if (!parts.ready()) return turn('not_ready');
  const door = parts.doors.find((entry) => entry.path === path);
  if (!door) return turn('unknown_path', path);
  if (!originAllowed(request, parts.allowedOrigins)) {
    return turn('role_too_low', 'This origin may not open the stream');
  }
  const offered = offeredProtocols(request);
  const token = offered.find((entry) => entry.startsWith(TOKEN_PREFIX));
  if (!token || !offered.includes('object')) {
    const hint = 'Sec-WebSocket-Protocol must offer SessionToken_<token> and object';
    return turn('not_authenticated', hint);
  }
  const known = parts.identify(token.slice(TOKEN_PREFIX.length));
  if (!known) return turn('not_authenticated');
  if (door.role === 'admin' && known.caller.role !== 'admin') return turn('role_too_low');
  if (door.hub.size >= limits.stream_subscribers) {
    return turn('not_ready', 'Too many stream clients');
  }
  return { door, ...known };
}

export function createUpgrade(parts: UpgradeParts) {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.stream_message_bytes,
    // Nobody is admitted who does not offer it.
    handleProtocols: () => 'object',
  });

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    const found = admit(request, parts);
    if ('refused' in found) {
      refuseOnSocket(socket, found.refused, found.hint);
      return;
    }
    const { door, session, caller } = found;
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const subscriber = new Subscriber(webSocket, session, caller);
      door.hub.add(subscriber);
      webSocket.on('close', () => door.hub.remove(subscriber));
      webSocket.on('error', () => webSocket.terminate());
    });
  };
}
