/**
 * The saved toolpaths as one value, and back. Bodies are written before the index names them and
 * removed after it has forgotten them, as the library itself does it.
 */
import type { Database } from '../store/database.ts';
import type { Records, ToolpathRecord } from '../store/records.ts';
import type { LibraryImage } from './twin-image.ts';

/** All rows with their bodies. */
export async function takeLibrary(database: Database): Promise<LibraryImage> {
  const { toolpaths, last_ids } = database.records;
  const rows = structuredClone(toolpaths);
  const read = rows.map(async (row) => [row.id, await database.readBody(row)] as const);
  const bodies = (await Promise.all(read)).flatMap(([id, body]) =>
    body === null ? [] : [[id, body] as const],
  );
  return { rows, bodies, last_id: last_ids.toolpath };
}

/** Writes the bodies that differ, then lets `edit` change the index, then removes what is left. */
export async function restoreLibrary(
  database: Database,
  image: LibraryImage,
  edit: (draft: Records) => void,
): Promise<void> {
  const before = database.records.toolpaths;
  const bodies = new Map(image.bodies);
  const missing = image.rows.filter((row) => !holds(before, row));
  for (const row of missing) {
    const body = bodies.get(row.id);
    if (body) await database.saveBody(row, body);
  }
  await database.change((draft) => {
    draft.toolpaths = structuredClone([...image.rows]);
    draft.last_ids.toolpath = image.last_id;
    edit(draft);
  });
  for (const row of before) if (!holds(image.rows, row)) await database.removeBody(row);
}

/** Whether one of the rows has this very content. */
function holds(rows: readonly ToolpathRecord[], { id, hash }: ToolpathRecord): boolean {
  return rows.some((row) => row.id === id && row.hash === hash);
}
