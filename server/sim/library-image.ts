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

/** All rows; their bodies stay in the folder, however large they are, until the process ends. */
export function pinLibrary(database: Database): LibraryImage {
  const { toolpaths, last_ids } = database.records;
  database.pinBodies(toolpaths);
  return { rows: structuredClone(toolpaths), bodies: [], last_id: last_ids.toolpath };
}

/** Writes the bodies that differ, then lets `edit` change the index, then removes what is left. */
export async function restoreLibrary(
  database: Database,
  image: LibraryImage,
  edit: (draft: Records) => void,
): Promise<void> {
  const before = database.records.toolpaths;
  const bodies = new Map(image.bodies);
  const holds = holder(before);
  const missing = image.rows.filter((row) => !holds(row));
  for (const row of missing) {
    const body = bodies.get(row.id);
    if (body) await database.saveBody(row, body);
  }
  await database.change((draft) => {
    draft.toolpaths = structuredClone([...image.rows]);
    draft.last_ids.toolpath = image.last_id;
    edit(draft);
  });
  const stays = holder(image.rows);
  for (const row of before) if (!stays(row)) await database.removeBody(row);
}

/** Says whether one of the rows has this very content. */
function holder(rows: readonly ToolpathRecord[]): (row: ToolpathRecord) => boolean {
  const keyOf = ({ id, hash }: ToolpathRecord) => `${id} ${hash}`;
  const known = new Set(rows.map(keyOf));
  return (row) => known.has(keyOf(row));
}
