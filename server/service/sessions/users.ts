/**
 * Users and their API tokens (§2.11, §5; D9, D10). Only hashes of secrets are stored; a secret is
 * returned once, when it is created.
 */

import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../../contract/refusal.ts';
import type { Role } from '../../../contract/types.generated.ts';
import type { Creation } from '../../store/creation.ts';
import type { Database } from '../../store/database.ts';
import { ALWAYS, type Guard, type LateError } from '../../store/guard.ts';
import type { Records, TokenRecord, UserRecord } from '../../store/records.ts';
import type { LogInRefusal, PasswordChecks } from './password-checks.ts';
import { revokeAllOf, revokeTokens } from './revoked-tokens.ts';
import { createSecret, sha256 } from './secrets.ts';

/** The one spelling of an e-mail whose letters can be written in several ways (NFC). */
const spelled = (email: string) => email.normalize('NFC');

/** The form in which e-mails are compared: upper and lower case are the same. */
const comparable = (email: string) => spelled(email).toLowerCase();

/** A user in the wire format. */
export interface PublicUser {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
}

export interface UserEdit {
  readonly email?: string;
  readonly password?: string;
  readonly role?: Role;
}

interface UserUpdate {
  /** By default nothing refuses. */
  readonly guard?: Guard;
  /** Called in the transaction, with the user before and after it. */
  readonly onChanged?: (before: UserRecord, after: UserRecord) => void;
}

interface TokenOptions extends Creation<number> {
  /** The secret of a token that exists already; by default a new one. */
  readonly secret?: string;
  /** Whether an option of this start names it. */
  readonly is_configured?: boolean;
}

/** A new API token; the only place where its secret is readable. */
export interface CreatedToken {
  readonly id: number;
  readonly name: string;
  readonly token: string;
}

/** The public part of a user record. */
export function publicUser({ id, email, role }: UserRecord): PublicUser {
  return { id, email, role };
}

function isOnlyAdmin(records: Records, user: UserRecord): boolean {
  return user.role === 'admin' && records.users.filter(({ role }) => role === 'admin').length === 1;
}

export interface UsersOptions {
  readonly database: Database;
  readonly passwords: PasswordChecks;
  /** The twin's date and time. */
  readonly timestamp: () => string;
  /** Receives errors of saving the last use of tokens; log-ins still succeed. */
  readonly onUnsaved: (error: unknown) => void;
}

type RemovalRefusal = Refusal<LateError | 'not_found' | 'last_admin'>;

export class Users {
  /** Called after a user was deleted, for modules that store data of users. */
  readonly onDeleted: ((user_id: number) => Promise<void>)[] = [];
  private readonly database: Database;
  private readonly passwords: PasswordChecks;
  /** The twin's date and time. */
  readonly timestamp: () => string;
  private readonly onUnsaved: (error: unknown) => void;
  /** Uses of tokens that are not saved yet, by token id. */
  private readonly uses = new Map<number, string>();
  private savingUses = false;

  constructor(options: UsersOptions) {
    this.database = options.database;
    this.passwords = options.passwords;
    this.timestamp = options.timestamp;
    this.onUnsaved = options.onUnsaved;
  }

  list(): PublicUser[] {
    const users = [...this.database.users.rows()].map(([, user]) => user);
    return users.sort((a, b) => a.id - b.id).map(publicUser);
  }

  find(id: number): UserRecord | null {
    return this.database.users.get(id) ?? null;
  }

  /** The user with this e-mail, upper or lower case, or null. */
  named(email: string): UserRecord | null {
    const wanted = comparable(email);
    for (const [, user] of this.database.users.rows()) {
      if (comparable(user.email) === wanted) return user;
    }
    return null;
  }

  /**
   * The user with this e-mail and password, or null; takes equal time in both cases. Refuses when
   * there were too many attempts. The password is valid when the promise resolves: one that was
   * changed meanwhile is wrong.
   */
  async logIn(attempt: {
    readonly email: string;
    readonly password: string;
    readonly address: string;
  }): Promise<UserRecord | LogInRefusal | null> {
    const user = this.named(attempt.email);
    const stored = user?.password ?? null;
    const isRight = await this.passwords.verify({
      ...attempt,
      email: spelled(attempt.email),
      stored,
      isAdmin: user?.role === 'admin',
    });
    if (typeof isRight !== 'boolean') return isRight;
    const now = user ? this.find(user.id) : null;
    return isRight && now?.password === stored ? now : null;
  }

  /** Creates a user: the first one as admin, later ones as user (§5). */
  async create(
    given: string,
    password: string | null,
    { guard = ALWAYS, onCreated }: Creation<PublicUser> = {},
  ): Promise<PublicUser | Refusal<LateError | 'invalid_arguments'>> {
    const email = spelled(given);
    const hash = password === null ? null : await this.passwords.hash(password);
    return this.database.change((draft, transaction) => {
      const refusal = guard();
      if (refusal) return refusal;
      if (draft.users.length >= limits.users) return refuseLimitReached('users', limits.users);
      if (this.isEmailTaken(draft, email, null)) return this.emailRefusal(email);
      const role: Role = draft.users.length === 0 ? 'admin' : 'user';
      const user: UserRecord = { id: ++draft.last_ids.user, email, role, password: hash };
      draft.users.push(user);
      onCreated?.(transaction, publicUser(user));
      return publicUser(user);
    });
  }

  private isEmailTaken(records: Records, email: string, except: number | null): boolean {
    const wanted = comparable(email);
    return records.users.some((user) => user.id !== except && comparable(user.email) === wanted);
  }

  private emailRefusal(email: string): Refusal<'invalid_arguments'> {
    return refuse('invalid_arguments', [{ path: '/email', problem: `${email} is already a user` }]);
  }

  /** Changes what an edit names; the only admin stays one. */
  async update(
    id: number,
    edit: UserEdit,
    { guard = ALWAYS, onChanged }: UserUpdate = {},
  ): Promise<PublicUser | RemovalRefusal | Refusal<'invalid_arguments'>> {
    const hash = edit.password === undefined ? null : await this.passwords.hash(edit.password);
    return this.database.change((draft) => {
      const refusal = guard();
      if (refusal) return refusal;
      const user = draft.users.find((entry) => entry.id === id);
      if (!user) return refuse('not_found', `There is no user ${id}`);
      if (edit.email !== undefined && this.isEmailTaken(draft, edit.email, id)) {
        return this.emailRefusal(edit.email);
      }
      if (edit.role === 'user' && isOnlyAdmin(draft, user)) return refuse('last_admin');
      const before = { ...user };
      if (edit.email !== undefined) user.email = spelled(edit.email);
      if (edit.role !== undefined) user.role = edit.role;
      if (hash !== null) user.password = hash;
      onChanged?.(before, { ...user });
      return publicUser(user);
    });
  }

  /** Deletes a user with tokens and toolpaths; the caller ends the sessions. */
  async remove(id: number, guard: Guard = ALWAYS): Promise<PublicUser | RemovalRefusal> {
    const result = await this.deleteRecords(id, guard);
    if ('refused' in result) return result;
    // The user is deleted: a failure to remove more must not be answered as a refusal.
    for (const listener of this.onDeleted) {
      await Promise.resolve(listener(id)).catch(this.onUnsaved);
    }
    return result;
  }

  private deleteRecords(id: number, guard: Guard): Promise<PublicUser | RemovalRefusal> {
    const { store, users, toolpaths } = this.database;
    return store.change((draft) => {
      const refusal = guard();
      if (refusal) return refusal;
      const user = draft.get(users, id);
      if (!user) return refuse('not_found', `There is no user ${id}`);
      const admins = draft.count(users, ({ role }) => role === 'admin');
      if (user.role === 'admin' && admins === 1) return refuse('last_admin');
      draft.remove(users, id);
      revokeAllOf(this.database, draft, id);
      for (const [key, toolpath] of draft.rows(toolpaths)) {
        if (toolpath.owner_id !== id) continue;
        draft.remove(toolpaths, key);
        this.database.removeBody(draft, toolpath);
      }
      return publicUser(user);
    });
  }

  tokensOf(user_id: number): Omit<TokenRecord, 'user_id' | 'secret_sha256'>[] {
    const tokens = [...this.database.tokens.rows()].map(([, token]) => token);
    return tokens
      .filter((token) => token.user_id === user_id)
      .sort((a, b) => a.id - b.id)
      .map(({ id, name, created_at, last_used_at }) => {
        return { id, name, created_at, last_used_at: this.uses.get(id) ?? last_used_at };
      });
  }

  /** Creates an API token; `secret` sets a token that exists already. */
  createToken(
    user_id: number,
    name: string,
    { secret = createSecret(), guard = ALWAYS, onCreated, is_configured }: TokenOptions = {},
  ): Promise<CreatedToken | Refusal<LateError | 'not_found' | 'invalid_arguments'>> {
    const { store, users, tokens } = this.database;
    return store.change((draft) => {
      const refusal = guard();
      if (refusal) return refusal;
      if (!draft.get(users, user_id)) return refuse('not_found', `There is no user ${user_id}`);
      const most = limits.tokens_per_user;
      if (draft.count(tokens, (token) => token.user_id === user_id) >= most) {
        return refuseLimitReached('tokens of this user', most);
      }
      const id = draft.nextNumber('token');
      const secret_sha256 = sha256(secret);
      const created_at = this.timestamp();
      const row = { id, user_id, name, secret_sha256, created_at, last_used_at: null };
      const mark = is_configured === true && { is_configured };
      draft.put(tokens, id, { row: { ...row, ...mark } });
      onCreated?.(draft, id);
      return { id, name, token: secret };
    });
  }

  /** The API token with this secret, or null. */
  tokenOf(secret: string): TokenRecord | null {
    return this.database.tokens.findBy(sha256(secret)) ?? null;
  }

  /** Records that a token was used now. Saving is asynchronous and combines many log-ins. */
  recordTokenUse(token: TokenRecord): void {
    this.uses.set(token.id, this.timestamp());
    if (this.savingUses) return;
    this.savingUses = true;
    this.saveUses()
      .catch(this.onUnsaved)
      .finally(() => {
        this.savingUses = false;
      });
  }

  private async saveUses(): Promise<void> {
    while (this.uses.size > 0) {
      const { store, tokens } = this.database;
      const saved = await store.change((draft) => {
        const uses = [...this.uses];
        for (const [id, last_used_at] of uses) {
          const token = draft.get(tokens, id);
          if (token) draft.put(tokens, id, { row: { ...token, last_used_at } });
        }
        return uses;
      });
      for (const [id, used_at] of saved) if (this.uses.get(id) === used_at) this.uses.delete(id);
    }
  }

  /** Revokes a token; returns whether there was one, or the guard's refusal. */
  removeToken(
    user_id: number,
    token_id: number,
    guard: Guard = ALWAYS,
  ): Promise<boolean | Refusal<LateError>> {
    const { store, tokens } = this.database;
    return store.change((draft) => {
      const refusal = guard();
      if (refusal) return refusal;
      const token = draft.get(tokens, token_id);
      if (token?.user_id !== user_id) return false;
      revokeTokens(this.database, draft, { tokens: [token], owner: user_id });
      return true;
    });
  }
}
