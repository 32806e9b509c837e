import type { Store } from './store.ts';

/** Number of rows by table, and of bodies that cannot be read. */
export async function inspectStore(store: Store) {
  const rows: Record<string, number> = {};
  const problems = store.report.damages.map(({ text }) => text);
  for (const table of store.tables.values()) {
    const group = table.name.replace(/^run-\d+-/, 'run-');
    rows[group] = (rows[group] ?? 0) + table.size;
    for (const [key] of table.rows()) {
      await store.readBody(table, key).catch((error: Error) => problems.push(error.message));
    }
  }
  return { rows, problems };
}
