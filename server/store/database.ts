import type { Draft } from './draft.ts';
import type {
  ArmSettings,
  Records,
  RevokedToken,
  SettingRow,
  TokenRecord,
  ToolpathRecord,
  UserRecord,
} from './records.ts';
import { RecordsDraft, type RecordTables } from './records-draft.ts';
import { StorageError } from './storage-error.ts';
import type { Store } from './store.ts';
import type { Table } from './table.ts';

/** Identifies one version of a toolpath's body. */
export interface BodyKey {
  readonly id: number;
  readonly hash: string;
}

function bodyName({ id, hash }: BodyKey): string {
  return `${id}.${hash.slice(0, 16)}`;
}

/**
 * The records of users, tokens, toolpaths and settings as tables of the store. A toolpath and its
 * body change in one transaction.
 */
export class Database implements RecordTables {
  readonly store: Store;
  readonly users: Table<UserRecord>;
  readonly tokens: Table<TokenRecord>;
  /** Revoked tokens by their SHA-256. */
  readonly revokedTokens: Table<RevokedToken>;
  readonly toolpaths: Table<ToolpathRecord>;
  readonly settings: Table<SettingRow>;
  readonly counters: Table<number>;
  private readonly bodies: Table<null>;
  private pinned: ReadonlySet<string> = new Set();
  private cached: { readonly version: string; readonly records: Records } | null = null;

  private constructor(store: Store) {
    this.store = store;
    this.users = store.table('users');
    this.tokens = store.table('tokens');
    this.tokens.indexBy(({ secret_sha256 }) => secret_sha256);
    this.revokedTokens = store.table('revoked_tokens');
    this.revokedTokens.groupBy(({ user_id }) => user_id);
    this.toolpaths = store.table('toolpaths');
    this.toolpaths.groupBy(({ owner_id }) => owner_id);
    this.settings = store.table('settings');
    this.counters = store.counters;
    this.bodies = store.table('bodies');
  }

  /** The records of a store as they are. */
  static over(store: Store): Database {
    return new Database(store);
  }

  /** The records of a store; a new one gets name and version of `defaults`. */
  static async open(store: Store, defaults: Pick<Records, 'name' | 'software_version'>) {
    const database = new Database(store);
    if (database.settings.get('name') === undefined) {
      const { name, software_version } = defaults;
      await database.change((draft) => Object.assign(draft, { name, software_version }));
    }
    await database.removeUnusedBodies();
    return database;
  }

  /** The saved records; read only. */
  get records(): Readonly<Records> {
    const tables = [this.users, this.tokens, this.toolpaths, this.settings, this.counters];
    const version = tables.map((table) => table.version).join(' ');
    if (this.cached?.version !== version) {
      const records = new RecordsDraft(this, (table) => new Map(table.rows())).copy();
      this.cached = { version, records };
    }
    return this.cached.records;
  }

  /** The robot's name. */
  get name(): string {
    return String(this.settings.get('name') ?? '');
  }

  /** The version of the robot's software. */
  get software_version(): string {
    return String(this.settings.get('software_version') ?? '');
  }

  /** What callers have set on the robot. */
  get armSettings(): ArmSettings {
    const { collision_detection, scheduler } = this.records;
    return { collision_detection, scheduler };
  }

  /** Applies `edit` to copies of the lists that it reads, and saves what differs. */
  change<Value>(edit: (draft: Records, transaction: Draft) => Value): Promise<Value> {
    return this.store.change((transaction) => {
      const draft = new RecordsDraft(this, (table) => transaction.rows(table));
      const value = edit(draft, transaction);
      draft.flush(transaction);
      return value;
    });
  }

  /** Saves a toolpath's body, JSON text in UTF-8, as part of a transaction. */
  putBody(draft: Draft, key: BodyKey, json: Uint8Array): void {
    draft.put(this.bodies, bodyName(key), { row: null, body: json });
  }

  /** Removes a body that no record names, unless it is pinned. */
  removeBody(draft: Draft, key: BodyKey): void {
    const name = bodyName(key);
    if (!this.pinned.has(name)) draft.remove(this.bodies, name);
  }

  /** Reads a body; null when it is missing. Rejects with the file's name when it is damaged. */
  readBody(key: BodyKey): Promise<Uint8Array | null> {
    return this.store.readBytes(this.bodies, bodyName(key));
  }

  /**
   * Pins these bodies until the process ends, in place of those pinned before: `removeBody` keeps
   * them, so that a reset can restore their records.
   */
  pinBodies(keys: readonly BodyKey[]): void {
    this.pinned = new Set(keys.map(bodyName));
  }

  /** Removes bodies that were pinned when an earlier process ended. */
  private async removeUnusedBodies(): Promise<void> {
    const known = new Set(this.records.toolpaths.map(bodyName));
    const names = [...this.bodies.rows()].map(([name]) => name);
    const unused = names.filter((name) => !known.has(`${name}`));
    const removal = this.store.change((draft) => {
      for (const name of unused) draft.remove(this.bodies, name);
    });
    // A disk that is full or read-only keeps them; they cost space alone.
    await removal.catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
    });
  }

  /** Lists what is damaged or missing. */
  inspect(): string[] {
    const missing = this.records.toolpaths.filter(
      (row) => this.bodies.get(bodyName(row)) === undefined,
    );
    return [
      ...this.store.report.damages.map(({ text }) => text),
      ...missing.map(({ id }) => `The content of toolpath ${id} is lost: it cannot be opened`),
    ];
  }

  /** Waits for pending saves and releases the data folder. */
  close(): Promise<void> {
    return this.store.close();
  }
}
