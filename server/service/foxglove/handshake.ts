/** The handshake of the live connection: its protocol, its path and who the client is. */
import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { versionRefusal } from '../../../contract/stream-refusal.ts';
import { streamRefusal } from '../../shares/stream-share.ts';
import { authorizationOf, bearerToken, type Identity, identify } from '../http/authentication.ts';
import type { Services } from '../http/services.ts';

/** The protocol, and the name that newer clients offer for the same messages. */
export const PROTOCOLS = ['foxglove.websocket.v1', 'foxglove.sdk.v1'];
const PATH = '/';

/** The identity of a handshake: by the API token of the address or by a session token. */
function identityOf(request: IncomingMessage, services: Services): Identity | null {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const secret = searchParams.get('token');
  if (secret === null) {
    const session = bearerToken(authorizationOf(request));
    return typeof session === 'string' ? identify(session, services) : null;
  }
  const { users, sessions, audit } = services;
  const address = request.socket.remoteAddress ?? '';
  const token = users.tokenOf(secret);
  if (!token) {
    audit.record('log_in_failed', { address });
    return null;
  }
  users.recordTokenUse(token);
  audit.record('log_in', { user_id: token.user_id, token_id: token.id, address });
  return identify(sessions.create(token.user_id, token.id), services);
}

/** Checks a handshake: the identity, or the refusal. `owners` are the users who are connected. */
export function admit(
  request: IncomingMessage,
  owners: readonly number[],
  services: Services,
): Identity | Refusal {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const offered = String(request.headers['sec-websocket-protocol'] ?? '').split(/, */);
  if (path !== PATH) return refuse('unknown_path', `${path}; the path is ${PATH}`);
  if (!offered.some((name) => PROTOCOLS.includes(name))) {
    return refuse('malformed_body', `Offer the subprotocol ${PROTOCOLS[0]}`);
  }
  const version = versionRefusal(request.headers['sec-websocket-version']);
  if (version) return version;
  const hint = 'The address must end in ?token= and an API token of the arm';
  const identity = identityOf(request, services) ?? refuse('not_authenticated', hint);
  if ('refused' in identity) return identity;
  const { user_id: owner, role } = identity.caller;
  return streamRefusal({ owner, isAdmin: role === 'admin' }, owners) ?? identity;
}
