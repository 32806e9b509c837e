/**
 * Backups of a data folder: one file in the format of a journal segment, with every row once, whose
 * last line states the number of rows. A running twin can be backed up; the backup holds all that
 * was acknowledged before it began.
 */

import { realpath, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { JOURNAL_FOLDER } from './data-folder.ts';
import type { Disk } from './disk.ts';
import { FIRST_SEGMENT } from './first-segment.ts';
import { changesIndex } from './index-tables.ts';
import { encodeLine, linesOf, type RowOperation } from './journal-line.ts';
import { openForReading, READING } from './read-only-store.ts';
import { newNameOf, replaceFile } from './replace-file.ts';
import { JOURNAL_FORMAT, requireFormat, segmentName } from './segment.ts';
import { StorageError } from './storage-error.ts';
import { Store } from './store.ts';
import { systemDisk } from './system-disk.ts';

/** Attempts to read a journal that a running twin compacts meanwhile. */
const ATTEMPTS = 5;

/** Opens a backup for reading, as the folder that it makes; it writes nothing. */
export async function openBackup(file: string): Promise<{ store: Store; rows: number }> {
  const bytes = await systemDisk.read(file);
  if (bytes === null) throw new StorageError(`${file} does not exist`);
  const { journal, rows } = checkBackup(bytes, file);
  const disk: Disk = {
    ...systemDisk,
    list: async () => [segmentName(1)],
    read: async (_path, range) =>
      range ? journal.subarray(range.offset, range.offset + range.length_bytes) : journal,
  };
  return { store: await Store.open({ ...READING, disk, folder: file }), rows };
}

const OPENING = { format: JOURNAL_FORMAT, number: 1, epoch: 0, after: 0, previous: 0 };

function closingLine(n: number, i: number): Buffer {
  return encodeLine({ n, d: n, i, head: { write: 0, n, i, first: 1, starts: [] } }, []).bytes;
}

/** Every row of a store as the lines of a backup. Rejects when a body is lost. */
async function linesOfStore(store: Store): Promise<{ bytes: Buffer; rows: number }> {
  const parts = [encodeLine({ n: 0, d: 0, i: 0, segment: OPENING }, []).bytes];
  let [n, i] = [0, 0];
  for (const table of store.tables.values()) {
    for (const [key, row] of table.rows()) {
      if (table.name === 'counters' && key === FIRST_SEGMENT) continue;
      const body = await store.readBytes(table, key);
      const operation: RowOperation = { kind: 'put', table: table.name, key, row, body };
      if (changesIndex({ o: [['c', table.name]] })) i += 1;
      parts.push(encodeLine({ n: n + 1, d: n, i }, [operation]).bytes);
      n += 1;
    }
  }
  parts.push(closingLine(n, i));
  return { bytes: Buffer.concat(parts), rows: n };
}

async function readAll(folder: string): Promise<{ bytes: Buffer; rows: number }> {
  for (let attempt = 1; ; attempt++) {
    const store = await openForReading(folder);
    const [damage] = store.report.damages;
    if (damage) throw new StorageError(`${damage.text}. Nothing is backed up.`);
    try {
      return await linesOfStore(store);
    } catch (error) {
      // A segment was removed by a compaction; its rows are in another one now.
      if (attempt === ATTEMPTS) throw error;
    } finally {
      await store.close();
    }
  }
}

/** Files of a data folder beside the journal. */
const OWN_FILES = /^(first-admin\.txt|servo-start\.json|writer-\d+\.lock)$/;

/** The file behind a path, through links. Rejects where a backup would replace something else. */
async function targetOf(folder: string, file: string): Promise<string> {
  const former = await stat(file).catch(() => null);
  // A device or a socket would be replaced, too.
  if (file === '' || (former && !former.isFile())) {
    throw new StorageError(`${file || 'An empty name'} is no file; name one`);
  }
  const target = former ? await realpath(file) : resolve(file);
  const place = await realpath(folder).catch(() => resolve(folder));
  const [first = '', ...rest] = relative(place, target).split(sep);
  if (rest.length > 0 ? first.startsWith(JOURNAL_FOLDER) : OWN_FILES.test(first)) {
    throw new StorageError(`${file} is a file of the data folder; name another one`);
  }
  return target;
}

/** Writes the content of a data folder to a file; returns the number of rows. */
export async function backUp(folder: string, file: string): Promise<number> {
  const target = await targetOf(folder, file);
  const { bytes, rows } = await readAll(folder);
  try {
    await replaceFile(systemDisk, target, bytes);
  } catch (error) {
    await systemDisk.remove(newNameOf(target)).catch(() => {});
    throw error;
  }
  return rows;
}

/** The content of a backup without its last line. Throws when it is damaged or not complete. */
export function checkBackup(
  bytes: Buffer,
  file: string,
): { readonly journal: Buffer; readonly rows: number; readonly index: number } {
  const lines = linesOf(bytes);
  const [opening, ...rest] = lines;
  const closing = rest.pop();
  const format = opening?.head.segment?.format;
  if (format === undefined) throw new StorageError(`${file} is not a backup of armtwin`);
  requireFormat(file, format);
  const size = lines.reduce((sum, line) => sum + line.length_bytes, 0);
  const isInOrder = rest.every((line, at) => line.head.n === at + 1);
  const rows = closing?.head.head?.n;
  if (size !== bytes.length || !isInOrder || rows !== rest.length) {
    throw new StorageError(`${file} is damaged or not complete. Use another backup.`);
  }
  const index = closing!.head.i;
  return { journal: bytes.subarray(0, closing!.offset), rows, index };
}
