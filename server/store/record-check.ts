/** Whether values that were read are records: their fields and types. */

/** Fields of the records that are texts, and those that are whole numbers from 1 on. */
const FIELDS = {
  users: { texts: ['email', 'role'], counts: ['id'] },
  tokens: { texts: ['name', 'secret_sha256', 'created_at'], counts: ['id', 'user_id'] },
  toolpaths: { texts: ['name', 'hash', 'modified_at'], counts: ['id', 'owner_id', 'bytes'] },
} as const;

/** Tables whose rows have a schema. */
export const RECORD_TABLES = ['users', 'tokens', 'toolpaths'] as const;

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

/** Whether a value is a row of a table. */
export function isRecord(table: (typeof RECORD_TABLES)[number], value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const row = new Map<string, unknown>(Object.entries(value));
  const { texts, counts } = FIELDS[table];
  const password = row.get('password') ?? '';
  return (
    texts.every((field) => typeof row.get(field) === 'string') &&
    counts.every((field) => isCount(row.get(field))) &&
    (table !== 'users' ||
      (typeof password === 'string' && /^(admin|user)$/.test(`${row.get('role')}`)))
  );
}
