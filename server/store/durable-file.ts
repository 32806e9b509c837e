/**
 * A file that is either its old or its new self after a power cut: written beside, synced,
 * renamed, and the folder synced, before anybody is told that it is saved. Its folder likewise.
 */
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** What is kept could not be read or written; the message names the file. */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** What is told of a file that could not be saved: its name and why. */
export function unsaved(path: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = codeOf(error) ?? String(error);
  const why = code === 'ENOSPC' ? `${code}, no space is left on its disk` : code;
  return new StorageError(`${path} could not be saved: ${why}`, { cause: error });
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (found && !found.isDirectory()) {
    throw new StorageError(`${path} is a file, where a folder should be`);
  }
  return found !== null;
}

async function addFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
    await syncFolder(dirname(path));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT') throw error;
    throw new StorageError(`No folder can be made in ${dirname(path)}`, { cause: error });
  }
}

/**
 * Makes a folder, and those above it that are missing, durably; rejects with what stands in the
 * way. One by one, for the system's own way never ends where no folder can be made, as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let place = resolve(path); !(await isFolder(place)); place = dirname(place)) {
    missing.push(place);
  }
  for (const place of missing.reverse()) await addFolder(place);
}

type Pieces = Iterable<string> | AsyncIterable<Uint8Array>;

async function writeBeside(path: string, text: string | Pieces): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    const pieces = typeof text === 'string' ? [text] : text;
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Replaces the file's content durably, piece by piece where the text comes in pieces; rejects with
 * StorageError, and the old content stands.
 */
export async function writeDurably(path: string, text: string | Pieces): Promise<void> {
  const beside = `${path}.new`;
  try {
    await makeFolder(dirname(path));
    await writeBeside(beside, text);
    await rename(beside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await unlink(beside).catch(() => {});
    throw unsaved(path, error);
  }
}

/** Removes the file durably; no error when there is none. */
export async function removeDurably(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The file's text, or null when there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
