/** The lock of a file that is recorded into. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FolderInUse, FolderLock, removeLock } from '../store/folder-lock.ts';

/** The file that a path leads to, also over links and where it does not exist yet. */
function fileAt(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}

/**
 * Keeps other recordings out of a file: two would destroy each other's lines. Its lock is
 * that of a data folder, in a folder beside the file; returns the release. Devices may be shared,
 * and a folder that takes no lock is left to the error of the file, if there is one.
 */
export async function lockFile(path: string, flag: string): Promise<() => Promise<void>> {
  const none = async () => {};
  const isDevice = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  if (isDevice || !existsSync(dirname(resolve(path)))) return none;
  const folder = `${fileAt(path)}.lock`;
  try {
    const lock = await FolderLock.acquire(folder);
    return () => removeLock(folder, lock);
  } catch (error) {
    if (!(error instanceof FolderInUse)) return none;
    throw new Error(
      `${path} is being recorded into by ${error.holder}. ` +
        `Stop it, or choose another file with ${flag}.`,
    );
  }
}
