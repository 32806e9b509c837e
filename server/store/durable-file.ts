/**
 * Durable file operations: after a power cut a file has either its old or its new content. A write
 * goes to a temporary file, which is synced and renamed; then the folder is synced.
 */
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Stored data could not be read or written; the message names the file. */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
  }
}

function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** The error of a file that could not be saved: its name and the reason. */
export function saveError(path: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = errorCode(error) ?? String(error);
  const reason = code === 'ENOSPC' ? `${code}, no space is left on the disk` : code;
  return new StorageError(`${path} could not be saved: ${reason}`, { cause: error });
}

/** Makes new, renamed and removed entries of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

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
    await mkdir(path);
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
  const missing: string[] = [];
  for (let place = resolve(path); !(await isFolder(place)); place = dirname(place)) {
    missing.push(place);
  }
  for (const place of missing.reverse()) await createFolder(place);
}

type Chunks = Iterable<string> | AsyncIterable<Uint8Array>;

async function writeTemporary(path: string, text: string | Chunks): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    const chunks = typeof text === 'string' ? [text] : text;
    for await (const chunk of chunks) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Replaces the file's content durably; the text may come in chunks. Rejects with StorageError and
 * keeps the old content when that fails.
 */
export async function writeDurably(path: string, text: string | Chunks): Promise<void> {
  const temporary = `${path}.new`;
  try {
    await makeFolder(dirname(path));
    await writeTemporary(temporary, text);
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw saveError(path, error);
  }
}

/** Removes the file durably; a missing file is no error. */
export async function removeDurably(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The file's text, or null when it does not exist. */
export async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
