/**
 * The saved toolpaths as one value, and back. Bodies are written before the index names them and
 * removed after it has forgotten them, as the library itself does it.
 */
import type { Database } from '../store/database.ts';
import type { Records } from '../store/records.ts';
import type { LibraryImage } from './twin-image.ts';

/** All rows with their bodies. */
export async function takeLibrary(database: Database): Promise<LibraryImage> {
  const { toolpaths, last_ids } = database.records;
  const rows = structuredClone(toolpaths);
  const read = rows.map(async ({ id }) => [id, await database.readBody(id)] as const);
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
  const before = new Map(database.records.toolpaths.map((row) => [row.id, row.hash]));
  const hashes = new Map(image.rows.map((row) => [row.id, row.hash]));
  for (const [id, body] of image.bodies) {
    if (before.get(id) !== hashes.get(id)) await database.saveBody(id, body);
  }
  await database.change((draft) => {
    draft.toolpaths = structuredClone([...image.rows]);
    draft.last_ids.toolpath = image.last_id;
    edit(draft);
  });
  for (const id of before.keys()) if (!hashes.has(id)) await database.removeBody(id);
}
