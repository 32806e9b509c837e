/** Authentication of requests: the bearer token of the Authorization header (§5, D10). */

import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Caller } from '../../robot/caller.ts';
import { type Session, type Sessions, UNKNOWN_SESSION } from '../sessions/sessions.ts';
import type { Users } from '../sessions/users.ts';
import type { PathParameters } from './request-target.ts';
import type { RouteRequest } from './route-request.ts';

export interface Identity {
  readonly session: Session;
  readonly caller: Caller;
}

interface KnownCallers {
  readonly sessions: Sessions;
  readonly users: Users;
}

/** The identity that a session token belongs to, or null. */
export function identify(secret: string, services: KnownCallers): Identity | null {
  const session = services.sessions.find(secret);
  const user = session && services.users.find(session.user_id);
  if (!session || !user) return null;
  const { user_id, token_id } = session;
  return { session, caller: { user_id, token_id, role: user.role } };
}

type HeaderRefusal = Refusal<'not_authenticated' | 'malformed_authorization'>;

/** The refusal of a caller: no valid session, or too low a role. */
type IdentityRefusal = HeaderRefusal | Refusal<'role_too_low'>;

/** The header Authorization; two of them are one that no scheme has: Node would drop the second. */
export function authorizationOf(request: IncomingMessage): string | undefined {
  return request.headersDistinct['authorization']?.join(', ');
}

/** The token in the header of a handshake, which may carry it elsewhere; null without a header. */
export function handshakeToken(request: IncomingMessage): string | HeaderRefusal | null {
  const header = authorizationOf(request);
  return header === undefined ? null : bearerToken(header);
}

/** The bearer token of the header, or a refusal when it is missing or has another scheme. */
export function bearerToken(header: string | undefined): string | HeaderRefusal {
  if (header === undefined) {
    return refuse('not_authenticated', 'Send Authorization: Bearer <session token>');
  }
  const [scheme, ...rest] = header.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer' || rest.length !== 1) {
    return refuse('malformed_authorization', 'The header must be: Bearer <session token>');
  }
  return rest[0]!;
}

/** The identity of a caller whom the row of the route admits; null where it admits everyone. */
export function identityFor(
  { route: { row }, authorization }: Pick<RouteRequest, 'route' | 'authorization'>,
  { parameters }: PathParameters,
  services: KnownCallers,
): Identity | IdentityRefusal | null {
  if (row.auth === 'none') return null;
  const secret = bearerToken(authorization);
  if (typeof secret !== 'string') return secret;
  const identity = identify(secret, services);
  if (!identity) return refuse('not_authenticated', UNKNOWN_SESSION);
  if (row.role === 'admin' && identity.caller.role !== 'admin') return refuse('role_too_low');
  const { role, user_id } = identity.caller;
  if (row.ofUser && role !== 'admin' && user_id !== parameters['user_id']) {
    return refuse('role_too_low', 'Only admins may do this to other users');
  }
  return identity;
}
