/**
 * Users and their API tokens (spec §2.11, §5; decisions D9, D10): who may be created, changed and
 * deleted, and which secret belongs to whom. Secrets leave this room once, when they are made.
 */
import type { Role } from '../robot/commands.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import type { Database } from '../store/database.ts';
import type { Records, TokenRecord, UserRecord } from '../store/records.ts';
import { createSecret, hashPassword, passwordFits, sha256 } from './secrets.ts';

/** A user as the wire shows one. */
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

export function publicUser({ id, email, role }: UserRecord): PublicUser {
  return { id, email, role };
}

function onlyAdmin(records: Records, user: UserRecord): boolean {
  return user.role === 'admin' && records.users.filter(({ role }) => role === 'admin').length === 1;
}

export interface PeopleParts {
  readonly database: Database;
  /** The twin's date and time. */
  readonly timestamp: () => string;
  /** Told when the last use of tokens could not be saved; log-ins go on all the same. */
  readonly onUnsaved: (error: unknown) => void;
}

export class People {
  /** Told of each user that has gone, after tokens and toolpaths: others keep things of theirs. */
  readonly onGone: ((user_id: number) => Promise<void>)[] = [];
  private readonly database: Database;
  private readonly timestamp: () => string;
  private readonly onUnsaved: (error: unknown) => void;
  /** Uses of tokens that are yet to be saved, by token. */
  private readonly uses = new Map<number, string>();
  private savingUses = false;

  constructor(parts: PeopleParts) {
    this.database = parts.database;
    this.timestamp = parts.timestamp;
    this.onUnsaved = parts.onUnsaved;
  }

  list(): PublicUser[] {
    return this.database.records.users.map(publicUser);
  }

  find(id: number): UserRecord | null {
    return this.database.records.users.find((user) => user.id === id) ?? null;
  }

  /** The user of an e-mail and password, or null; takes as long either way. */
  async logIn(email: string, password: string): Promise<UserRecord | null> {
    const { users } = this.database.records;
    const user = users.find((entry) => entry.email.toLowerCase() === email.toLowerCase());
    const fits = await passwordFits(password, user?.password ?? null);
    return fits && user ? user : null;
  }

  /** Creates a user: the first one as admin, later ones as user (spec §5). */
  async create(email: string, password: string | null): Promise<PublicUser | Refusal> {
    const hash = password === null ? null : await hashPassword(password);
    return this.database.change((draft) => {
      if (this.taken(draft, email, null)) return this.emailRefusal(email);
      const role: Role = draft.users.length === 0 ? 'admin' : 'user';
      const user: UserRecord = { id: ++draft.last_ids.user, email, role, password: hash };
      draft.users.push(user);
      return publicUser(user);
    });
  }

  private taken(records: Records, email: string, except: number | null): boolean {
    const wanted = email.toLowerCase();
    return records.users.some((user) => user.id !== except && user.email.toLowerCase() === wanted);
  }

  private emailRefusal(email: string): Refusal {
    return refuse('invalid_arguments', [{ path: '/email', problem: `${email} is already a user` }]);
  }

  async update(id: number, edit: UserEdit): Promise<PublicUser | Refusal> {
    const hash = edit.password === undefined ? null : await hashPassword(edit.password);
    return this.database.change((draft) => {
      const user = draft.users.find((entry) => entry.id === id);
      if (!user) return refuse('not_found', `There is no user ${id}`);
      if (edit.email !== undefined && this.taken(draft, edit.email, id)) {
        return this.emailRefusal(edit.email);
      }
      if (edit.role === 'user' && onlyAdmin(draft, user)) return refuse('last_admin');
      if (edit.email !== undefined) user.email = edit.email;
      if (edit.role !== undefined) user.role = edit.role;
      if (hash !== null) user.password = hash;
      return publicUser(user);
    });
  }

  /** Deletes a user with tokens and toolpaths; the caller ends the sessions. */
  async remove(id: number): Promise<PublicUser | Refusal> {
    const gone = await this.strike(id);
    if (!('refused' in gone)) for (const tell of this.onGone) await tell(id);
    return gone;
  }

  private strike(id: number): Promise<PublicUser | Refusal> {
    return this.database.change((draft) => {
      const user = draft.users.find((entry) => entry.id === id);
      if (!user) return refuse('not_found', `There is no user ${id}`);
      if (onlyAdmin(draft, user)) return refuse('last_admin');
      draft.users = draft.users.filter((entry) => entry.id !== id);
      draft.tokens = draft.tokens.filter((token) => token.user_id !== id);
      draft.toolpaths = draft.toolpaths.filter((toolpath) => toolpath.owner_id !== id);
      return publicUser(user);
    });
  }

  tokensOf(user_id: number): Omit<TokenRecord, 'user_id' | 'secret_sha256'>[] {
    return this.database.records.tokens
      .filter((token) => token.user_id === user_id)
      .map(({ id, name, created_at, last_used_at }) => {
        return { id, name, created_at, last_used_at: this.uses.get(id) ?? last_used_at };
      });
  }

  /** Makes an API token; `secret` is given only to take over one that exists already. */
  createToken(
    user_id: number,
    name: string,
    secret: string = createSecret(),
  ): Promise<{ readonly id: number; readonly name: string; readonly token: string }> {
    return this.database.change((draft) => {
      const id = ++draft.last_ids.token;
      const secret_sha256 = sha256(secret);
      const created_at = this.timestamp();
      draft.tokens.push({ id, user_id, name, secret_sha256, created_at, last_used_at: null });
      return { id, name, token: secret };
    });
  }

  /** The API token of a secret, or null. */
  tokenOf(secret: string): TokenRecord | null {
    const wanted = sha256(secret);
    return this.database.records.tokens.find((token) => token.secret_sha256 === wanted) ?? null;
  }

  /**
   * Notes that a token was used now. A log-in does not wait until that is saved, and many log-ins
   * share one save.
   */
  noteUse(token: TokenRecord): void {
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
      let taken: readonly (readonly [number, string])[] = [];
      await this.database.change((draft) => {
        taken = [...this.uses];
        for (const [id, used_at] of taken) {
          const token = draft.tokens.find((entry) => entry.id === id);
          if (token) token.last_used_at = used_at;
        }
      });
      for (const [id, used_at] of taken) if (this.uses.get(id) === used_at) this.uses.delete(id);
    }
  }

  removeToken(user_id: number, token_id: number): Promise<boolean> {
    return this.database.change((draft) => {
      const count = draft.tokens.length;
      draft.tokens = draft.tokens.filter(
        (token) => token.id !== token_id || token.user_id !== user_id,
      );
      return draft.tokens.length < count;
    });
  }
}
