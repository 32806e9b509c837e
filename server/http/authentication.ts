/**
 * Authentication of requests: the bearer token of the Authorization header (§5, D10), and the limit
 * on failed log-ins (D5).
 */

import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Caller } from '../robot/commands.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { Users } from '../sessions/users.ts';

const MINUTE_MS = 60_000;
/** Addresses remembered; the oldest is dropped first. */
const MAX_ADDRESSES = 10_000;

/** Counts the failed log-ins of each client address over the last minute. */
export class FailedLogins {
  private readonly failures = new Map<string, number[]>();
  private readonly wall: WallClock;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  private recent(address: string): number[] {
    const since = this.wall.now_ms() - MINUTE_MS;
    return (this.failures.get(address) ?? []).filter((time) => time > since);
  }

  /** Whether an address has reached the limit. */
  isBlocked(address: string): boolean {
    return this.recent(address).length >= limits.failed_log_ins_per_min;
  }

  /** Removes all counts. */
  clear(): void {
    this.failures.clear();
  }

  record(address: string): void {
    const recent = [...this.recent(address), this.wall.now_ms()];
    this.failures.delete(address);
    this.failures.set(address, recent);
    if (this.failures.size > MAX_ADDRESSES)
      this.failures.delete(this.failures.keys().next().value!);
  }
}

export interface Identity {
  readonly session: Session;
  readonly caller: Caller;
}

/** The identity that a session token belongs to, or null. */
export function identify(
  secret: string,
  services: { readonly sessions: Sessions; readonly users: Users },
): Identity | null {
  const session = services.sessions.find(secret);
  const user = session && services.users.find(session.user_id);
  if (!session || !user) return null;
  const { user_id, token_id } = session;
  return { session, caller: { user_id, token_id, role: user.role } };
}

/** The bearer token of the header, or a refusal when it is missing or has another scheme. */
export function bearerToken(header: string | undefined): string | Refusal {
  if (header === undefined) {
    return refuse('not_authenticated', 'Send Authorization: Bearer <session token>');
  }
  const [scheme, ...rest] = header.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer' || rest.length !== 1) {
    return refuse('malformed_authorization', 'The header must be: Bearer <session token>');
  }
  return rest[0]!;
}
