import type { CheckedSeed } from '../../documents/checked-seed.ts';
import type { Draft } from '../../store/draft.ts';
import type { Records, UserRecord } from '../../store/records.ts';
import type { Services } from '../http/services.ts';
import type { ToolpathsSnapshot } from './toolpaths-snapshot.ts';

/** The user who owns a toolpath of a seed, or null: the named one, else the first admin. */
export function ownerOf({ users }: Services, email: string | undefined): number | null {
  if (email !== undefined) return users.named(email)?.id ?? null;
  return users.list().find(({ role }) => role === 'admin')?.id ?? null;
}

/** A user before the first and after the last change by a seed. */
interface ChangedUser {
  readonly before: UserRecord;
  readonly after: UserRecord;
}

/**
 * Takes back what a refused seed has changed in the stored records: its own users, tokens,
 * toolpaths and name. What other calls have changed meanwhile stays, so that an answered creation
 * is not lost and a revoked token does not become valid again. A toolpath that the seed replaced
 * gets the content that it had when the seed began.
 */
export class SeedUndo {
  private readonly services: Services;
  private readonly seed: CheckedSeed;
  /** Name of the robot before. */
  private readonly name: string;
  /** The toolpaths that the seed may replace, as they were before. */
  private readonly library: ToolpathsSnapshot;
  private readonly changedUsers = new Map<number, ChangedUser>();
  private readonly madeUsers = new Set<number>();
  private readonly madeTokens = new Set<number>();
  /** Content of the toolpaths that the seed has saved, by their id. */
  private readonly savedHashes = new Map<number, string>();

  constructor(services: Services, seed: CheckedSeed, library: ToolpathsSnapshot) {
    this.services = services;
    this.seed = seed;
    this.name = services.database.name;
    this.library = library;
  }

  /** Notes a change of a user: what differs later is of another call. */
  noteChange(before: UserRecord, after: UserRecord): void {
    const known = this.changedUsers.get(after.id);
    this.changedUsers.set(after.id, { before: known?.before ?? before, after });
  }

  /** Notes a user that the seed has created. */
  noteUser(id: number): void {
    this.madeUsers.add(id);
  }

  /** Notes a token that the seed has created. */
  noteToken(id: number): void {
    this.madeTokens.add(id);
  }

  /** Notes a toolpath that the seed has saved. */
  noteToolpath({ id, hash }: { readonly id: number; readonly hash: string }): void {
    this.savedHashes.set(id, hash);
  }

  /** Takes back the changes in one transaction; ends the sessions of users that are gone again. */
  async run(): Promise<void> {
    const { database, sessions } = this.services;
    await database.change((draft, transaction) => {
      if (draft.name === this.seed.name) draft.name = this.name;
      this.undoToolpaths(draft, transaction);
      this.undoUsers(draft);
    });
    sessions.endWhere(({ user_id }) => this.madeUsers.has(user_id));
  }

  private undoUsers(draft: Records): void {
    const { madeUsers, madeTokens } = this;
    draft.users = draft.users
      .filter(({ id }) => !madeUsers.has(id))
      .map((user) => this.formerUser(user));
    draft.tokens = draft.tokens.filter(
      ({ id, user_id }) => !madeUsers.has(user_id) && !madeTokens.has(id),
    );
  }

  /** A user with former role and password where the present ones are of the seed. */
  private formerUser(now: UserRecord): UserRecord {
    const changed = this.changedUsers.get(now.id);
    if (!changed) return now;
    const { before, after } = changed;
    const role = now.role === after.role ? before.role : now.role;
    const password = now.password === after.password ? before.password : now.password;
    return { ...now, role, password };
  }

  private undoToolpaths(draft: Records, transaction: Draft): void {
    const { database } = this.services;
    const { rows, bodies, last_id } = this.library;
    const made: number[] = [];
    for (const { name, owner } of this.seed.toolpaths ?? []) {
      const owner_id = ownerOf(this.services, owner);
      const isIt = (row: { readonly owner_id: number; readonly name: string }) =>
        row.owner_id === owner_id && row.name === name;
      const [now, before] = [draft.toolpaths.find(isIt), rows.find(isIt)];
      if (!now || now.hash !== this.savedHashes.get(now.id)) continue;
      if (!before) made.push(now.id);
      database.removeBody(transaction, now);
      draft.toolpaths = draft.toolpaths.filter((row) => row !== now);
      const body = bodies.find(([id]) => id === before?.id)?.[1];
      if (!before || !body) continue;
      database.putBody(transaction, before, body);
      draft.toolpaths = [...draft.toolpaths, structuredClone(before)];
    }
    // The numbers of the seed are free again, unless a later one was given.
    if (Math.max(...made) !== draft.last_ids.toolpath) return;
    draft.last_ids.toolpath = Math.max(last_id, ...draft.toolpaths.map(({ id }) => id));
  }
}
