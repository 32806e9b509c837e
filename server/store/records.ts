/** The records of the database, which survive power cycles: the format of the index file. */

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
}

export interface ToolpathRecord {
  readonly id: number;
  readonly owner_id: number;
  name: string;
  hash: string;
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
  const { format, users, tokens, toolpaths, last_ids } = value as Partial<Records>;
  if (format !== 1) return `format ${String(format)}, not 1`;
  const lists = [users, tokens, toolpaths].every((list) => Array.isArray(list));
  return lists && typeof last_ids === 'object' ? null : 'parts are missing';
}
