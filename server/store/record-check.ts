/** Whether values that were read are records: their fields and types. */
import { type Records, SEQUENCES } from './records.ts';

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
