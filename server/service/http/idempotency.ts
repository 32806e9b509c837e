/**
 * Idempotency keys of calls that create objects: a repeated call with the same key gets the reply
 * of the first and creates nothing. Key and reply are stored in the transaction that creates the
 * object, so a key is known exactly when its object exists, also after a crash.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { ResetScope } from '../../../contract/types.generated.ts';
import { canonicalJson } from '../../../physics/toolpath/hash.ts';
import { steadyDate, type WallClock } from '../../clock/wall-clock.ts';
import type { ReadBody } from '../../documents/body-task.ts';
import type { Draft } from '../../store/draft.ts';
import type { Store } from '../../store/store.ts';
import type { Table } from '../../store/table.ts';
import type { PasswordChecks } from '../sessions/password-checks.ts';
import { verifyPassword } from '../sessions/passwords.ts';
import { sha256 } from '../sessions/secrets.ts';
import type { Answer, Reply } from './reply.ts';

const HEADER = 'idempotency-key';
/** Printable ASCII without spaces at the ends, as the header carries it. */
const KEY = new RegExp(`^[!-~]([ -~]{0,${limits.idempotency_key_characters - 2}}[!-~])?$`);

/** What a repeated call is answered: the first reply, or why it cannot be repeated. */
export type RecordedOutcome = { readonly reply: object } | { readonly notRepeatable: string };

/** Stores the outcome of a call with a key in the transaction that creates its object. */
export type RecordOutcome = (draft: Draft, outcome: RecordedOutcome) => void;

/** For calls without a key. */
export const recordNothing: RecordOutcome = () => {};

/** Stored objects that a reset or a restored state replaces together. */
const STORED_SCOPES = ['toolpaths', 'users', 'workflows'] as const;
type StoredScope = (typeof STORED_SCOPES)[number];

/** A call with a key. */
export interface KeyedCall {
  readonly user_id: number;
  /** What the created object is part of; null: unknown. */
  readonly scope: StoredScope | null;
  /** Identifies user and key; the key itself is not stored. */
  readonly id: string;
  /** SHA-256 of method, path and body without its password. */
  readonly digest: string;
  /** The password in the body, of which only a salted hash may be stored. */
  readonly password: string | null;
}

interface StoredKey extends Pick<KeyedCall, 'user_id' | 'digest' | 'password' | 'scope'> {
  readonly at_ms: number;
}

/** The start of the path of each call that creates something. */
const SCOPE_PATHS: readonly (readonly [string, StoredScope])[] = [
  ['/api/v1/toolpaths', 'toolpaths'],
  ['/api/v1/users', 'users'],
  ['/workflow/v1/', 'workflows'],
];

function scopeOf(url: string): StoredScope | null {
  return SCOPE_PATHS.find(([start]) => url.startsWith(start))?.[1] ?? null;
}

/** The SHA-256 of a body without its password, and the password. */
function bodyIdentity({ body, sha256: whole }: ReadBody) {
  const { password = null, ...rest } = (body ?? {}) as { readonly password?: string };
  if (typeof password !== 'string') return { text: whole, password: null };
  return { text: sha256(canonicalJson(rest)!), password };
}

/** What of a request tells whether it is a repeated one. */
interface KeyedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** The key of a request; null without one, a refusal if it is malformed. */
export function keyedCallOf(
  request: KeyedRequest,
  user_id: number,
  read: ReadBody,
): KeyedCall | Refusal<'invalid_arguments'> | null {
  const key = request.headers[HEADER];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY.test(key)) {
    const most = limits.idempotency_key_characters;
    const problem = `must be 1 to ${most} printable ASCII characters`;
    return refuse('invalid_arguments', [{ path: 'Idempotency-Key', problem }]);
  }
  const { text, password } = bodyIdentity(read);
  const digest = sha256(`${request.method} ${request.url} ${text}`);
  const scope = scopeOf(request.url);
  return { user_id, scope, id: `${user_id} ${sha256(key)}`, digest, password };
}

/** Whether a request has a key. */
export function hasKey({ headers }: Pick<KeyedRequest, 'headers'>): boolean {
  return headers[HEADER] !== undefined;
}

const REUSED = 'The key was used for another call; use a new key for each call that is not a retry';

interface IdempotencyParts {
  readonly store: Store;
  readonly wall: Pick<WallClock, 'now_ms' | 'epoch_ms'>;
  readonly passwords: Pick<PasswordChecks, 'hash'>;
}

export class IdempotencyKeys {
  private readonly parts: IdempotencyParts;
  /** A corrected system date must not drop a key: its call would be made twice. */
  private readonly date_ms: () => number;
  private readonly table: Table<StoredKey>;
  /** Times of the keys of each user (ms), the oldest first; some may have been forgotten. */
  private readonly times = new Map<number, Map<string, number>>();
  /** The call of each key that is in progress. */
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(parts: IdempotencyParts) {
    this.parts = parts;
    this.date_ms = steadyDate(parts.wall);
    this.table = parts.store.table('idempotency_keys');
    const rows = [...this.table.rows()].sort(([, a], [, b]) => a.at_ms - b.at_ms);
    for (const [id, { user_id, at_ms }] of rows) this.timesOf(user_id).set(`${id}`, at_ms);
  }

  private timesOf(user_id: number): Map<string, number> {
    const known = this.times.get(user_id) ?? new Map<string, number>();
    this.times.set(user_id, known);
    return known;
  }

  /**
   * Makes a call unless its key is known, and returns its answer or the recorded one. Calls with
   * one key run one after another. A refused call records nothing, so it can be retried.
   */
  async once(
    keyed: KeyedCall,
    call: (record: RecordOutcome) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const before = this.running.get(keyed.id);
    const current = (before ?? Promise.resolve()).then(
      () => this.recorded(keyed, call),
      () => this.recorded(keyed, call),
    );
    this.running.set(keyed.id, current);
    try {
      return await current;
    } finally {
      if (this.running.get(keyed.id) === current) this.running.delete(keyed.id);
    }
  }

  private async recorded(
    keyed: KeyedCall,
    call: (record: RecordOutcome) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const { passwords } = this.parts;
    const known = this.table.get(keyed.id);
    if (known && !this.isExpired(known.at_ms)) return this.repeat(keyed, known);
    const password = keyed.password === null ? null : await passwords.hash(keyed.password);
    const times = this.timesOf(keyed.user_id);
    const added = { at_ms: 0 };
    const answer = await call((draft, outcome) => {
      const { user_id, digest, scope } = keyed;
      added.at_ms = this.date_ms();
      for (const id of this.excess(draft, times)) draft.remove(this.table, id);
      const row: StoredKey = { user_id, digest, password, at_ms: added.at_ms, scope };
      draft.put(this.table, keyed.id, { row, body: JSON.stringify(outcome) });
    });
    if ('refused' in answer) return answer;
    times.delete(keyed.id);
    times.set(keyed.id, added.at_ms);
    for (const id of times.keys()) if (this.table.get(id) === undefined) times.delete(id);
    return answer;
  }

  /** The keys to remove when one is added: expired ones, and the oldest above the limit. */
  private excess(draft: Draft, times: ReadonlyMap<string, number>): string[] {
    const all = [...times].filter(([id]) => draft.get(this.table, id) !== undefined);
    const over = all.length + 1 - limits.idempotency_keys_per_user;
    return all.flatMap(([id, at_ms], at) => (at < over || this.isExpired(at_ms) ? [id] : []));
  }

  private isExpired(at_ms: number): boolean {
    return this.date_ms() - at_ms > limits.idempotency_key_s * 1000;
  }

  private async repeat(keyed: KeyedCall, { digest, password }: StoredKey): Promise<Answer> {
    const isSame =
      digest === keyed.digest &&
      (password === null) === (keyed.password === null) &&
      (keyed.password === null || (await verifyPassword(keyed.password, password)));
    if (!isSame) return refuse('idempotency_key_used', REUSED);
    const text = await this.parts.store.readBody(this.table, keyed.id);
    const outcome = JSON.parse(text!) as RecordedOutcome;
    if ('notRepeatable' in outcome) return refuse('idempotency_key_used', outcome.notRepeatable);
    const reply: Reply = { reply: outcome.reply, isRepeated: true };
    return reply;
  }

  /** Removes the keys of a deleted user. */
  async remove(user_id: number): Promise<void> {
    this.times.delete(user_id);
    await this.parts.store.change((draft) => {
      for (const [id, row] of draft.rows(this.table)) {
        if (row.user_id === user_id) draft.remove(this.table, id);
      }
    });
  }

  /**
   * Removes the keys whose objects are taken away by the same transaction, or by one with nothing
   * between them: else an object could stay whose key is forgotten, and a repeated call would
   * create it a second time. `users`: those that are left; keys of others are removed.
   */
  forget(
    draft: Draft,
    { scopes, users }: { scopes: ReadonlySet<ResetScope>; users?: ReadonlySet<number> },
  ): void {
    const any = STORED_SCOPES.some((scope) => scopes.has(scope));
    for (const [id, { scope, user_id }] of draft.rows(this.table)) {
      const isReplaced = scope === null ? any : scopes.has(scope);
      if (isReplaced || users?.has(user_id) === false) draft.remove(this.table, id);
    }
  }

  /** The same in a transaction of its own. */
  async forgetWorkflows(): Promise<void> {
    const scopes = new Set(['workflows'] as const);
    await this.parts.store.change((draft) => this.forget(draft, { scopes }));
  }
}
