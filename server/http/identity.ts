/** Who sends a request: the bearer token of the Authorization header (spec §5, decision D10). */
import type { Caller } from '../robot/commands.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import type { People } from '../sessions/people.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';

export interface Identity {
  readonly session: Session;
  readonly caller: Caller;
}

/** The identity behind a session secret, or null. */
export function identify(
  secret: string,
  rooms: { readonly sessions: Sessions; readonly people: People },
): Identity | null {
  const session = rooms.sessions.find(secret);
  const user = session && rooms.people.find(session.user_id);
  if (!session || !user) return null;
  const { user_id, token_id } = session;
  return { session, caller: { user_id, token_id, role: user.role } };
}

/** The bearer token of the header; another scheme is a malformed header, none is no identity. */
export function bearerOf(header: string | undefined): string | Refusal {
  if (header === undefined) {
    return refuse('not_authenticated', 'Send Authorization: Bearer <session token>');
  }
  const [scheme, ...rest] = header.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer' || rest.length > 1) {
    return refuse('malformed_authorization', 'The header must be: Bearer <session token>');
  }
  return rest[0] ?? '';
}
