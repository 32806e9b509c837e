/**
 * Sessions (§3.3), created from an API token or a password. A session lasts 30 minutes from
 * creation or renewal, at most 48 hours, on the twin's clock. Sessions are kept in memory only: a
 * restart is a power cycle.
 */

import { limits } from '../../../contract/limits.ts';
import type { Timers } from '../../clock/timers.ts';
import { type TwinTime, tickOf } from '../../clock/twin-time.ts';
import type { Cancel } from '../../clock/wall-clock.ts';
import { createSessionToken, sha256 } from './secrets.ts';

export interface Session {
  readonly user_id: number;
  /** The API token of the session; negative for the hidden token of a password log-in (D11). */
  readonly token_id: number;
  created_s: number;
  expires_s: number;
}

interface Entry {
  readonly key: string;
  readonly session: Session;
  cancel: Cancel;
}

/** Called when a session ends. */
export type SessionEnd = (session: Session) => void;

/** What is said of a token that belongs to no session, of a call or of a stream. */
export const UNKNOWN_SESSION =
  'The session token is unknown or has expired; get one with an API token (POST /api/v1/auth)';

export class Sessions {
  private readonly entries = new Map<string, Entry>();
  /** Entries of each user, the oldest first. */
  private readonly byUser = new Map<number, Set<Entry>>();
  private readonly time: TwinTime;
  private readonly timers: Timers;
  private readonly onEnd: SessionEnd;
  private readonly listeners = new Set<SessionEnd>();
  private hiddenTokens = 0;

  constructor(parts: { time: TwinTime; timers: Timers; onEnd: SessionEnd }) {
    this.time = parts.time;
    this.timers = parts.timers;
    this.onEnd = parts.onEnd;
  }

  /** Subscribes to the end of every session; returns the cancellation. */
  onSessionEnd(listener: SessionEnd): Cancel {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Number of open sessions. */
  get size(): number {
    return this.entries.size;
  }

  /**
   * Starts a session and returns its secret. Beyond a limit the caller's own oldest session ends:
   * of the same token, or of the user. When the sessions of all users are too many, the oldest one
   * of the user with the most ends, so that no user can end another's by logging in.
   */
  create(user_id: number, token_id: number | null): string {
    this.makeRoom(user_id, token_id);
    const secret = createSessionToken();
    const session: Session = {
      user_id,
      token_id: token_id ?? -++this.hiddenTokens,
      created_s: this.time.now_s,
      expires_s: this.time.now_s + limits.session_idle_s,
    };
    const key = sha256(secret);
    const entry: Entry = { key, session, cancel: this.expireAt(key, session) };
    this.entries.set(key, entry);
    const own = this.byUser.get(user_id) ?? new Set();
    this.byUser.set(user_id, own.add(entry));
    return secret;
  }

  private makeRoom(user_id: number, token_id: number | null): void {
    const own = [...(this.byUser.get(user_id) ?? [])];
    const ofToken = own.filter(({ session }) => session.token_id === token_id);
    if (ofToken.length >= limits.sessions_per_token) this.endKey(ofToken[0]!.key);
    else if (own.length >= limits.sessions_per_user) this.endKey(own[0]!.key);
    else if (this.entries.size >= limits.sessions) {
      const most = [...this.byUser.values()].reduce((a, b) => (b.size > a.size ? b : a));
      const [oldest] = most;
      this.endKey(oldest!.key);
    }
  }

  private expireAt(key: string, session: Session): Cancel {
    return this.timers.at(tickOf(session.expires_s), () => this.endKey(key));
  }

  /** The session with this secret, or null if there is none or it has expired. */
  find(secret: string): Session | null {
    const session = this.entries.get(sha256(secret))?.session;
    return session && session.expires_s > this.time.now_s ? session : null;
  }

  /** Whether a session of this user and token is open. */
  hasTokenOf(user_id: number, token_id: number): boolean {
    const own = [...(this.byUser.get(user_id) ?? [])];
    return own.some(({ session }) => session.token_id === token_id);
  }

  /** Extends a session by 30 minutes, up to an age of 48 hours. */
  renew(session: Session): void {
    const latest_s = session.created_s + limits.session_age_s;
    session.expires_s = Math.min(this.time.now_s + limits.session_idle_s, latest_s);
    for (const entry of this.byUser.get(session.user_id) ?? []) {
      if (entry.session !== session) continue;
      entry.cancel();
      entry.cancel = this.expireAt(entry.key, session);
    }
  }

  /** Shifts all sessions after twin time was changed, so that their remaining time is kept. */
  shift(duration_s: number): void {
    for (const { session } of this.entries.values()) {
      session.created_s += duration_s;
      session.expires_s += duration_s;
    }
  }

  /** Ends every matching session: on log-out, deletion of a user or token, or power cycle. */
  endWhere(matches: (session: Session) => boolean): void {
    for (const [key, entry] of [...this.entries]) if (matches(entry.session)) this.endKey(key);
  }

  private endKey(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    const own = this.byUser.get(entry.session.user_id);
    own?.delete(entry);
    if (own?.size === 0) this.byUser.delete(entry.session.user_id);
    entry.cancel();
    this.onEnd(entry.session);
    for (const listener of this.listeners) listener(entry.session);
  }
}
