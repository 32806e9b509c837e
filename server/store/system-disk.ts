/** The port to the disk on Node's own file system. */

import { constants, type FileHandle, open, readdir, rename, unlink } from 'node:fs/promises';
import type { ByteRange, Disk, DiskFile } from './disk.ts';
import { makeFolder, syncFolder } from './durable-folder.ts';
import { errorCode } from './storage-error.ts';

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
