/**
 * The records of users, tokens, toolpaths and settings, which survive power cycles, and a draft of
 * them as one object of lists: after an edit only the rows that differ are written.
 */

import type { Table } from './documents.ts';
import type { Draft } from './store.ts';

export interface UserRecord {
  readonly id: number;
  email: string;
  role: 'admin' | 'user';
  /** scrypt salt and key, hexadecimal, joined by a colon; null without a password. */
  password: string | null;
}

export interface TokenRecord {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly secret_sha256: string;
  readonly created_at: string;
  last_used_at: string | null;
  /** Present if an option of a start names it; absent in records of earlier versions. */
  is_configured?: true;
}

/** An API token that was revoked; the key of its row is its SHA-256. */
export interface RevokedToken {
  /** Its owner; 0 once that user was deleted. */
  readonly user_id: number;
  readonly token_id: number;
  /** Present if an option of a start had named it: it is never forgotten. */
  readonly is_configured?: true;
}

export interface ToolpathRecord {
  readonly id: number;
  readonly owner_id: number;
  name: string;
  hash: string;
  /** Twin's date and time of its last save; absent in records of earlier versions. */
  modified_at?: string;
  /** Size of its JSON text; absent as above. */
  bytes?: number;
}

export interface Records {
  readonly format: 1;
  name: string;
  software_version: string;
  users: UserRecord[];
  tokens: TokenRecord[];
  toolpaths: ToolpathRecord[];
  /** Highest ids assigned so far; ids are never reused. */
  last_ids: { user: number; token: number; toolpath: number };
}

type LastIds = Records['last_ids'];

const SEQUENCES = ['user', 'token', 'toolpath'] as const satisfies readonly (keyof LastIds)[];

/** The records of a new twin. */
export function emptyRecords(name: string, software_version: string): Records {
  return {
    format: 1,
    name,
    software_version,
    users: [],
    tokens: [],
    toolpaths: [],
    last_ids: { user: 0, token: 0, toolpath: 0 },
  };
}

/** Checks the structure of an index; returns the problem or null. */
export function recordsProblem(value: unknown): string | null {
  if (value === undefined) return 'not JSON';
  if (value === null || typeof value !== 'object') return 'not an object';
  const { format, last_ids, name, software_version, ...lists } = value as Partial<Records>;
  if (format !== 1) return `format ${String(format)}, not 1`;
  for (const table of RECORD_TABLES) {
    const rows: unknown = lists[table];
    if (!Array.isArray(rows)) return `${table} are missing`;
    const wrong = rows.findIndex((row) => !isRecord(table, row));
    if (wrong >= 0) return `entry ${wrong} of ${table} is not one of ${table}`;
  }
  if (typeof name !== 'string' || typeof software_version !== 'string') return 'no name or version';
  const ids = SEQUENCES.every((sequence) => isId(last_ids?.[sequence], 0));
  return ids ? null : 'last_ids are missing';
}

/** Fields of the records that are texts; the ids are whole numbers. */
const FIELDS = {
  users: { texts: ['email', 'role'], ids: ['id'] },
  tokens: { texts: ['name', 'secret_sha256', 'created_at'], ids: ['id', 'user_id'] },
  toolpaths: { texts: ['name', 'hash'], ids: ['id', 'owner_id'] },
} as const;
/** Tables whose rows have a schema. */
export const RECORD_TABLES = ['users', 'tokens', 'toolpaths'] as const;

function isId(value: unknown, least = 1): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}

/** Whether a value is a row of a table. */
export function isRecord(table: (typeof RECORD_TABLES)[number], value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const row = new Map<string, unknown>(Object.entries(value));
  const { texts, ids } = FIELDS[table];
  const password = row.get('password') ?? '';
  return (
    texts.every((field) => typeof row.get(field) === 'string') &&
    ids.every((field) => isId(row.get(field))) &&
    (table !== 'users' ||
      (typeof password === 'string' && /^(admin|user)$/.test(`${row.get('role')}`)))
  );
}

/** The tables of the records. */
export interface RecordTables {
  readonly users: Table<UserRecord>;
  readonly tokens: Table<TokenRecord>;
  readonly toolpaths: Table<ToolpathRecord>;
  readonly settings: Table<string | number>;
  readonly counters: Table<number>;
}

type RowsOf = <Row>(table: Table<Row>) => ReadonlyMap<number | string, Row>;

interface Identified {
  readonly id: number;
}

function listOf<Row extends Identified>(rows: ReadonlyMap<number | string, Row>): Row[] {
  return [...rows.values()].sort((a, b) => a.id - b.id).map((row) => ({ ...row }));
}

/** Writes the rows that differ from the table. */
function flushList<Row extends Identified>(
  draft: Draft,
  table: Table<Row>,
  list: readonly Row[] | null,
): void {
  if (list === null) return;
  const before = draft.rows(table);
  for (const row of list) {
    const old = before.get(row.id);
    before.delete(row.id);
    const isSame = old && JSON.stringify(old) === JSON.stringify(row);
    if (!isSame) draft.put(table, row.id, { row: { ...row } });
  }
  for (const id of before.keys()) draft.remove(table, id);
}

export class RecordsDraft implements Records {
  readonly format = 1;
  private readonly tables: RecordTables;
  private readonly rowsOf: RowsOf;
  private changedUsers: UserRecord[] | null = null;
  private changedTokens: TokenRecord[] | null = null;
  private changedToolpaths: ToolpathRecord[] | null = null;
  private changedIds: LastIds | null = null;
  private readonly changedSettings = new Map<string, string>();

  constructor(tables: RecordTables, rowsOf: RowsOf) {
    this.tables = tables;
    this.rowsOf = rowsOf;
  }

  get users(): UserRecord[] {
    this.changedUsers ??= listOf(this.rowsOf(this.tables.users));
    return this.changedUsers;
  }

  set users(list: UserRecord[]) {
    this.changedUsers = list;
  }

  get tokens(): TokenRecord[] {
    this.changedTokens ??= listOf(this.rowsOf(this.tables.tokens));
    return this.changedTokens;
  }

  set tokens(list: TokenRecord[]) {
    this.changedTokens = list;
  }

  get toolpaths(): ToolpathRecord[] {
    this.changedToolpaths ??= listOf(this.rowsOf(this.tables.toolpaths));
    return this.changedToolpaths;
  }

  set toolpaths(list: ToolpathRecord[]) {
    this.changedToolpaths = list;
  }

  get last_ids(): LastIds {
    const rows = this.rowsOf(this.tables.counters);
    this.changedIds ??= {
      user: rows.get('user') ?? 0,
      token: rows.get('token') ?? 0,
      toolpath: rows.get('toolpath') ?? 0,
    };
    return this.changedIds;
  }

  private setting(key: string): string {
    const changed = this.changedSettings.get(key);
    return changed ?? String(this.rowsOf(this.tables.settings).get(key) ?? '');
  }

  get name(): string {
    return this.setting('name');
  }

  set name(text: string) {
    this.changedSettings.set('name', text);
  }

  get software_version(): string {
    return this.setting('software_version');
  }

  set software_version(text: string) {
    this.changedSettings.set('software_version', text);
  }

  /** Writes the changes to a transaction. */
  flush(draft: Draft): void {
    const { users, tokens, toolpaths, settings, counters } = this.tables;
    flushList(draft, users, this.changedUsers);
    flushList(draft, tokens, this.changedTokens);
    flushList(draft, toolpaths, this.changedToolpaths);
    for (const [key, text] of this.changedSettings) {
      if (draft.get(settings, key) !== text) draft.put(settings, key, { row: text });
    }
    for (const sequence of this.changedIds ? SEQUENCES : []) {
      const last = this.changedIds![sequence];
      if ((draft.get(counters, sequence) ?? 0) !== last)
        draft.put(counters, sequence, { row: last });
    }
  }

  /** All records as a plain object. */
  copy(): Records {
    const { users, tokens, toolpaths, last_ids, name, software_version } = this;
    return { format: 1, name, software_version, users, tokens, toolpaths, last_ids };
  }
}
