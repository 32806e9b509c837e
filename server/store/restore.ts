/** Makes a data folder from a backup. The former journal stays beside the new one. */

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBackup } from './backup.ts';
import { JOURNAL_FOLDER, NEW_JOURNAL_FOLDER } from './data-folder.ts';
import { FolderLock } from './folder-lock.ts';
import { HeadFile, headName } from './head-file.ts';
import { replaceFile } from './replace-file.ts';
import { segmentName } from './segment.ts';
import { StorageError } from './storage-error.ts';
import { systemDisk } from './system-disk.ts';

/** Name of the former journal after a restore. */
function replacedName(epoch: number): string {
  return `${JOURNAL_FOLDER}.replaced-${epoch}`;
}

/**
 * Makes a data folder from a backup; returns where the former journal is, or null. Rejects when a
 * twin uses the folder, and when it holds data that may not be replaced.
 */
export async function restore(
  folder: string,
  file: string,
  { replace }: { readonly replace: boolean },
): Promise<string | null> {
  const bytes = await systemDisk.read(file);
  if (bytes === null) throw new StorageError(`${file} does not exist`);
  const { journal, rows, index } = checkBackup(bytes, file);
  const lock = await FolderLock.acquire(folder);
  try {
    const place = join(folder, JOURNAL_FOLDER);
    const isUsed = (await systemDisk.list(place)).length > 0;
    if (isUsed && !replace) {
      throw new StorageError(`${folder} holds data. Restore into another folder, or use --replace`);
    }
    const made = join(folder, NEW_JOURNAL_FOLDER);
    for (const name of await systemDisk.list(made)) await systemDisk.remove(join(made, name));
    await systemDisk.makeFolder(made);
    await replaceFile(systemDisk, join(made, segmentName(1)), journal);
    const head = new HeadFile(systemDisk, join(made, headName(0)));
    const start = { n: 0, i: 0, epoch: 0, previous: 0 };
    await head.write({ n: rows, i: index, first: 1, starts: new Map([[1, start]]) }, true);
    await head.close();
    await systemDisk.syncFolder(made);
    const former = isUsed ? join(folder, replacedName(lock.epoch)) : null;
    if (former) await rename(place, former);
    await rename(made, place);
    await systemDisk.syncFolder(folder);
    return former;
  } finally {
    await lock.release();
  }
}
