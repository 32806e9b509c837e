/**
 * A file that is either its old or its new self after a power cut: written beside, synced,
 * renamed, and the folder synced, before anybody is told that it is saved.
 */
import { mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What is kept could not be read or written; the message names the file. */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
  }
}

function failed(path: string, error: unknown): StorageError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return new StorageError(`${path} could not be saved: ${code}`, { cause: error });
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function writeBeside(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Replaces the file's content durably; rejects with StorageError, and the old content stands. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const beside = `${path}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeBeside(beside, text);
    await rename(beside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await unlink(beside).catch(() => {});
    throw failed(path, error);
  }
}

/** Removes the file durably; no error when there is none. */
export async function removeDurably(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The file's text, or null when there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
