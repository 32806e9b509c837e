/** Files of data folders that earlier versions wrote under other names. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './durable-file.ts';

/** Former and present names of files in a data folder. */
const RENAMED: readonly (readonly [former: string, present: string])[] = [
  ['shelf.jsonl', 'overflow.jsonl'],
];

/** Gives files of version 0.1 their present names; data in memory has none. */
export async function renameFormerFiles(dataFolder: string): Promise<void> {
  if (dataFolder === ':memory:') return;
  for (const [former, present] of RENAMED) {
    try {
      await rename(join(dataFolder, former), join(dataFolder, present));
      await syncFolder(dataFolder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
