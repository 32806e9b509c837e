/** How a writer loses its data folder, and what it says then. */
import { StorageError } from './storage-error.ts';

/** How a writer can lose its folder; only another writer takes it over. */
export type FolderLoss = 'gone' | 'replaced' | 'emptied' | 'taken over';

const LOSSES: Readonly<Record<FolderLoss, readonly [what: string, remedy: string]>> = {
  gone: ['the data folder is gone (renamed, deleted or unmounted)', 'it is back'],
  replaced: ['another folder is in place of the data folder (moved or unmounted)', 'it is back'],
  emptied: ['files of the data folder are gone (renamed or deleted)', 'they are back'],
  'taken over': ['another armtwin has taken over the data folder', ''],
};

/** The error of a folder that a writer has lost. */
export function lossError(folder: string, loss: FolderLoss): StorageError {
  const [what, remedy] = LOSSES[loss];
  if (remedy === '') {
    const text = `another armtwin has taken over ${folder}; stop this one`;
    return new StorageError(text, { fault: what });
  }
  const fault = `${what}; start again when ${remedy}`;
  return new StorageError(`${folder}: ${fault}`, { fault });
}
