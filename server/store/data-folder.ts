/**
 * What a data folder holds: the folder of its journal, and what a restore that was broken off
 * leaves.
 */

import { join } from 'node:path';
import { headEpochs } from './head-file.ts';
import { StorageError } from './storage-error.ts';
import { systemDisk } from './system-disk.ts';

/** Folder of the journal in the data folder. */
export const JOURNAL_FOLDER = 'journal';

/** Where a restore makes the new journal. */
export const NEW_JOURNAL_FOLDER = `${JOURNAL_FOLDER}.new`;

/** There is nothing in a file: who opens it says that it is no folder. */
function nothingInFile(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOTDIR') return [];
  throw error;
}

/** Rejects for a folder whose restore was broken off: a start would find nothing in it. */
export async function requireFinished(folder: string): Promise<void> {
  const isThere = async (name: string) =>
    (await systemDisk.list(join(folder, name)).catch(nothingInFile)).length > 0;
  if ((await isThere(JOURNAL_FOLDER)) || !(await isThere(NEW_JOURNAL_FOLDER))) return;
  throw new StorageError(
    `${folder}: a restore was broken off; repeat it (armtwin data restore ${folder} FILE). ` +
      `What was in the folder before is in ${JOURNAL_FOLDER}.replaced-*, if it held data`,
  );
}

/** Whether a data folder has a head file; a start writes one, and a reader does without. */
export async function hasHead(folder: string): Promise<boolean> {
  return (await headEpochs(systemDisk, join(folder, JOURNAL_FOLDER))).length > 0;
}
