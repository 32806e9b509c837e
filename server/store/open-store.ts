/** Opens the store of a data folder, or one in memory. */

import { join } from 'node:path';
import { JOURNAL_FOLDER, requireFinished } from './data-folder.ts';
import type { Disk } from './disk.ts';
import { FolderLock } from './folder-lock.ts';
import { lossError } from './folder-loss.ts';
import { JournalDisk } from './journal-disk.ts';
import { SEGMENT_BYTES } from './journal-options.ts';
import { StorageError } from './storage-error.ts';
import { Store } from './store.ts';
import { systemDisk } from './system-disk.ts';

/** Why a folder cannot be written, if it can still be read. */
function readOnlyReason(error: unknown): StorageError | null {
  const cause = error instanceof StorageError ? (error.cause ?? error) : error;
  const { code = '' } = cause as NodeJS.ErrnoException;
  const isReadable = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EIO'].includes(code);
  return isReadable ? new StorageError((error as Error).message, { cause }) : null;
}

export interface StoreOptions {
  readonly disk?: Disk;
  /** Size at which a segment of the journal is closed. */
  readonly segment_bytes?: number;
  /** Whether lost changes of users, tokens and settings are accepted. */
  readonly acceptsLoss?: boolean;
}

/** Why and how a folder is open for reading only. */
async function acquire(folder: string): Promise<FolderLock | StorageError> {
  try {
    return await FolderLock.acquire(folder);
  } catch (error) {
    const reason = readOnlyReason(error);
    const names = reason === null ? [] : await systemDisk.list(join(folder, JOURNAL_FOLDER));
    if (reason === null || names.length === 0) throw error;
    return reason;
  }
}

/**
 * Opens `:memory:` or a data folder. A folder that cannot be written but was used before is opened
 * for reading only, and `fault` says why.
 */
export async function openStore(place: string, options: StoreOptions = {}): Promise<Store> {
  if (place === ':memory:') return Store.open(null);
  await requireFinished(place);
  const lock = await acquire(place);
  const { disk = systemDisk, segment_bytes = SEGMENT_BYTES, acceptsLoss = false } = options;
  const folder = join(place, JOURNAL_FOLDER);
  if (lock instanceof StorageError) {
    const journal = { disk, folder, lock: null, acceptsLoss, segment_bytes };
    const store = await Store.open(journal);
    store.refuseChanges(lock);
    return store;
  }
  const ownDisk = new JournalDisk(disk, lock.place, folder);
  const release = async () => {
    await lock.release();
    await ownDisk.close();
  };
  try {
    await ownDisk.prepare();
    lock.further = () => ownDisk.state();
    const journal = { disk: ownDisk, folder, lock, acceptsLoss, segment_bytes };
    const store = await Store.open(journal, release);
    lock.onLoss = (loss) => store.noteLoss(loss && lossError(place, loss));
    return store;
  } catch (error) {
    await release();
    throw error;
  }
}
