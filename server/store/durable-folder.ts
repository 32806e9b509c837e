/** Folders that are durable once they are made. */
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode, StorageError } from './storage-error.ts';

/** Makes new, renamed and removed entries of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Mode of folders: their files hold hashes of passwords. */
const OWNER_ONLY = 0o700;

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (found && !found.isDirectory()) {
    throw new StorageError(`${path} is a file, where a folder should be`);
  }
  return found !== null;
}

async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path, OWNER_ONLY);
    await syncFolder(dirname(path));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT') throw error;
    throw new StorageError(`No folder can be made in ${dirname(path)}`, { cause: error });
  }
}

/**
 * Creates a folder and its missing parents durably. One by one, because recursive mkdir never ends
 * where folders cannot be created, as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const place = resolve(path);
  if (await isFolder(place)) return;
  await makeFolder(dirname(place));
  await createFolder(place);
}
