/** The durable replacement of a file: its content is written beside it, and then renamed. */

import { dirname } from 'node:path';
import type { Disk } from './disk.ts';

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
