/**
 * The port of the journal to the disk, so that tests can simulate late, torn and reordered writes;
 * durable folders; and the error of data that could not be read or written.
 */
import {
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

interface StorageErrorOptions extends ErrorOptions {
  /** The change may be found after a restart: what was written could not be removed. */
  readonly isUncertain?: boolean;
  /** What is wrong with the data folder, in a sentence that names no path. */
  readonly fault?: string;
}

/** Stored data could not be read or written; the message names the file. */
export class StorageError extends Error {
  readonly isUncertain: boolean;
  readonly fault: string | null;

  constructor(
    message: string,
    { isUncertain = false, fault, ...options }: StorageErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'StorageError';
    this.fault = fault ?? null;
    this.isUncertain = isUncertain;
  }
}

function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** The error of a file that could not be saved: its name and the reason. */
export function saveError(path: string, error: unknown, isUncertain = false): StorageError {
  if (error instanceof StorageError) {
    return isUncertain ? new StorageError(error.message, { cause: error, isUncertain }) : error;
  }
  const code = errorCode(error) ?? String(error);
  const reason = code === 'ENOSPC' ? `${code}, no space is left on the disk` : code;
  const text = `${path} could not be saved: ${reason}`;
  return new StorageError(text, { cause: error, isUncertain });
}

/** Why a save failed, in a sentence that names no path. */
export function faultOf(error: unknown): string {
  const cause = error instanceof StorageError ? (error.cause ?? error) : error;
  if (cause instanceof StorageError && cause !== error) return faultOf(cause);
  if (cause instanceof StorageError && cause.fault !== null) return cause.fault;
  const code = errorCode(cause) ?? '';
  if (['ENOSPC', 'EDQUOT'].includes(code)) return 'the disk of the data folder is full';
  if (['EROFS', 'EACCES', 'EPERM'].includes(code)) return 'the data folder is read-only';
  return 'the data folder fails';
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

/** A file that is open for writing. */
export interface DiskFile {
  /** Writes all bytes at a position; they are durable after `sync`. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Resolves when all earlier writes to the file are durable. */
  sync(): Promise<void>;
  truncate(size_bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** A part of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length_bytes: number;
}

export interface Disk {
  /** Creates a folder and its parents durably. */
  makeFolder(path: string): Promise<void>;
  /** Names in a folder; none if it does not exist. */
  list(folder: string): Promise<string[]>;
  /** A file's bytes, or those of a range that exist; null if there is no file. */
  read(path: string, range?: ByteRange): Promise<Buffer | null>;
  /** Opens a file for writing; creates it if it does not exist. */
  open(path: string): Promise<DiskFile>;
  /** Creates a file and opens it for writing; null if it exists. */
  create(path: string): Promise<DiskFile | null>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; a missing one is no error. */
  remove(path: string): Promise<void>;
  /** Makes new, renamed and removed entries of a folder durable. */
  syncFolder(path: string): Promise<void>;
}

function isError(error: unknown, code: string): boolean {
  return errorCode(error) === code;
}

/** Files from which ranges are being read: reads at the same time share the handle. */
const openFiles = new Map<string, { readonly file: Promise<FileHandle>; users: number }>();

/** To open and to close a file takes longer than to read a range of it. */
async function readRange(path: string, { offset, length_bytes }: ByteRange): Promise<Buffer> {
  const shared = openFiles.get(path) ?? { file: open(path, 'r'), users: 0 };
  openFiles.set(path, shared);
  shared.users += 1;
  try {
    const file = await shared.file;
    const bytes = Buffer.allocUnsafe(length_bytes);
    const { bytesRead } = await file.read(bytes, 0, length_bytes, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    shared.users -= 1;
    if (shared.users === 0) {
      openFiles.delete(path);
      await shared.file.then(
        (file) => file.close(),
        () => {},
      );
    }
  }
}

/** Node reads and writes less than 2 GiB in a call; a backup can be larger. */
const PART_BYTES = 2 ** 30;

/** Reads a file in few calls: `readFile` reads parts of 512 KB, each in a turn of its own. */
async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return await file.readFile();
    const bytes = Buffer.allocUnsafe(stats.size);
    let done = 0;
    while (done < bytes.length) {
      const left = Math.min(bytes.length - done, PART_BYTES);
      const { bytesRead } = await file.read(bytes, done, left, done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<DiskFile> {
  return diskFile(await open(path, constants.O_RDWR | constants.O_CREAT, 0o600));
}

function diskFile(file: FileHandle): DiskFile {
  return {
    async write(bytes, position) {
      for (let done = 0; done < bytes.length; ) {
        const left = Math.min(bytes.length - done, PART_BYTES);
        done += (await file.write(bytes, done, left, position + done)).bytesWritten;
      }
    },
    sync: () => file.datasync(),
    truncate: (size_bytes) => file.truncate(size_bytes),
    close: () => file.close(),
  };
}

async function createFile(path: string): Promise<DiskFile | null> {
  try {
    return diskFile(await open(path, 'wx+', 0o600));
  } catch (error) {
    if (isError(error, 'EEXIST')) return null;
    throw error;
  }
}

/** The machine's own disk. */
export const systemDisk: Disk = {
  makeFolder,
  syncFolder,
  rename,
  open: openFile,
  create: createFile,
  async list(folder) {
    try {
      return await readdir(folder);
    } catch (error) {
      if (isError(error, 'ENOENT')) return [];
      throw error;
    }
  },
  async read(path, range) {
    try {
      return await (range ? readRange(path, range) : readWhole(path));
    } catch (error) {
      if (isError(error, 'ENOENT')) return null;
      throw error;
    }
  },
  async remove(path) {
    try {
      await unlink(path);
    } catch (error) {
      if (!isError(error, 'ENOENT')) throw error;
    }
  },
};

/** Where the content of a file is written before it replaces the former one. */
export const newNameOf = (path: string) => `${path}.new`;

/** Replaces a file durably. */
export async function replaceFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.open(newNameOf(path));
  try {
    await file.truncate(0);
    await file.write(bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(newNameOf(path), path);
  await disk.syncFolder(dirname(path));
}
