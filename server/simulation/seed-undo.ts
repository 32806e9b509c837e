/**
 * Takes back what a refused seed has changed in the stored records: its own users, tokens,
 * toolpaths and name. What other calls have changed meanwhile stays, so that an answered creation
 * is not lost and a revoked token does not become valid again.
 */
import type { CheckedSeed } from '../documents/document-tasks.ts';
import type { Services } from '../http/reply.ts';
import { sha256 } from '../sessions/users.ts';
import type { Records, UserRecord } from '../store/records.ts';
import type { Draft } from '../store/store.ts';
import { type ToolpathsSnapshot, textOfBody } from './twin-snapshot.ts';

/** The records that a seed may change, as they were before it. */
interface RecordsBefore {
  readonly name: string;
  /** The users of the seed in its order; null: there was none. */
  readonly users: readonly (UserRecord | null)[];
  /** SHA-256 of the tokens of the seed that did not exist. */
  readonly newTokens: ReadonlySet<string>;
  readonly library: ToolpathsSnapshot;
}

/** The user who owns a toolpath of a seed, or null: the named one, else the first admin. */
export function ownerOf({ users }: Services, email: string | undefined): number | null {
  if (email !== undefined) return users.named(email)?.id ?? null;
  return users.list().find(({ role }) => role === 'admin')?.id ?? null;
}

export class SeedUndo {
  private readonly services: Services;
  private readonly seed: CheckedSeed;
  private readonly before: RecordsBefore;
  /** The known users of the seed by id, as it has written them. */
  private readonly written = new Map<number, UserRecord>();

  constructor(services: Services, seed: CheckedSeed, library: ToolpathsSnapshot) {
    const { users, database } = services;
    const tokens = (seed.users ?? []).flatMap((user) => user.tokens ?? []);
    const unknown = tokens.filter(({ token }) => !users.tokenOf(token));
    this.services = services;
    this.seed = seed;
    this.before = {
      name: database.name,
      users: (seed.users ?? []).map(({ email }) => structuredClone(users.named(email))),
      newTokens: new Set(unknown.map(({ token }) => sha256(token))),
      library,
    };
  }

  /** Notes what the seed has written of a user: what differs later is of another call. */
  noteUser(email: string): void {
    const user = this.services.users.named(email);
    if (user) this.written.set(user.id, structuredClone(user));
  }

  /** Takes back the changes in one transaction; ends the sessions of users that are gone again. */
  async run(): Promise<void> {
    const { database, sessions } = this.services;
    const made = this.madeUsers();
    await database.change((draft, transaction) => {
      if (this.seed.name !== undefined) draft.name = this.before.name;
      this.undoToolpaths(draft, transaction);
      this.undoUsers(draft, made);
    });
    sessions.endWhere(({ user_id }) => made.has(user_id));
  }

  /** The ids of the users that the seed has created. */
  private madeUsers(): ReadonlySet<number> {
    const made = (this.seed.users ?? []).map(({ email }, at) =>
      this.before.users[at] === null ? this.services.users.named(email)?.id : undefined,
    );
    return new Set(made.filter((id) => id !== undefined));
  }

  private undoUsers(draft: Records, made: ReadonlySet<number>): void {
    const { users, newTokens } = this.before;
    const former = new Map(users.flatMap((user) => (user ? [[user.id, user] as const] : [])));
    draft.users = draft.users
      .filter(({ id }) => !made.has(id))
      .map((user) => this.formerUser(user, former.get(user.id)));
    draft.tokens = draft.tokens.filter(
      ({ user_id, secret_sha256 }) => !made.has(user_id) && !newTokens.has(secret_sha256),
    );
  }

  /** A user with former e-mail, role and password where the seed has written the present one. */
  private formerUser(now: UserRecord, former: UserRecord | undefined): UserRecord {
    const written = this.written.get(now.id);
    if (!written || !former) return now;
    const email = now.email === written.email ? former.email : now.email;
    const role = now.role === written.role ? former.role : now.role;
    const password = now.password === written.password ? former.password : now.password;
    return { ...now, email, role, password };
  }

  private undoToolpaths(draft: Records, transaction: Draft): void {
    const { database } = this.services;
    const { rows, bodies, last_id } = this.before.library;
    const made: number[] = [];
    for (const { name, owner } of this.seed.toolpaths ?? []) {
      const owner_id = ownerOf(this.services, owner);
      const isIt = (row: { readonly owner_id: number; readonly name: string }) =>
        row.owner_id === owner_id && row.name === name;
      const [now, before] = [draft.toolpaths.find(isIt), rows.find(isIt)];
      if (!now || now.hash === before?.hash) continue;
      if (!before) made.push(now.id);
      database.removeBody(transaction, now);
      draft.toolpaths = draft.toolpaths.filter((row) => row !== now);
      const body = bodies.find(([id]) => id === before?.id)?.[1];
      if (!before || !body) continue;
      database.putBody(transaction, before, textOfBody(body));
      draft.toolpaths = [...draft.toolpaths, structuredClone(before)];
    }
    // The numbers of the seed are free again, unless a later one was given.
    if (Math.max(...made) !== draft.last_ids.toolpath) return;
    draft.last_ids.toolpath = Math.max(last_id, ...draft.toolpaths.map(({ id }) => id));
  }
}
