/** The store of a data folder that is only read, also while a twin uses it. */

import { join } from 'node:path';
import { JOURNAL_FOLDER, requireFinished } from './data-folder.ts';
import { SEGMENT_BYTES } from './journal-options.ts';
import { StorageError } from './storage-error.ts';
import { Store } from './store.ts';
import { systemDisk } from './system-disk.ts';

export const READING = {
  lock: null,
  acceptsLoss: true,
  durableOnly: true,
  segment_bytes: SEGMENT_BYTES,
} as const;

/** Opens the store of a folder for reading, also while a twin uses it. */
export async function openForReading(folder: string): Promise<Store> {
  const journal = join(folder, JOURNAL_FOLDER);
  await requireFinished(folder);
  if ((await systemDisk.list(journal)).length === 0) {
    throw new StorageError(`${folder} is not a data folder: it has no ${JOURNAL_FOLDER}`);
  }
  return Store.open({ ...READING, disk: systemDisk, folder: journal });
}
