/**
 * Observes the system calls of durable writes, so that tests can check their order and end the
 * process at one of them. Test code.
 */
import { promises as files } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

/** A system call of a durable write. */
export type DiskStep = 'open' | 'write' | 'sync' | 'rename' | 'sync folder';

export const DISK_STEPS: readonly DiskStep[] = ['open', 'write', 'sync', 'rename', 'sync folder'];

/** Calls `onStep` before every step; returns the function that stops the observation. */
export function observeDisk(onStep: (step: DiskStep, name: string) => void): () => void {
  const { open, rename } = files;
  files.open = async (path, flags, mode) => {
    const name = basename(String(path));
    const isFolder = flags === 'r';
    if (!isFolder) onStep('open', name);
    const file = await open(path, flags, mode);
    const { writeFile, appendFile, sync, datasync } = file;
    file.writeFile = (...given) => {
      onStep('write', name);
      return writeFile.apply(file, given);
    };
    file.appendFile = (...given) => {
      onStep('write', name);
      return appendFile.apply(file, given);
    };
    file.datasync = () => {
      onStep('sync', name);
      return datasync.apply(file);
    };
    file.sync = () => {
      onStep(isFolder ? 'sync folder' : 'sync', name);
      return sync.apply(file);
    };
    return file;
  };
  files.rename = (from, to) => {
    onStep('rename', basename(String(to)));
    return rename(from, to);
  };
  syncBuiltinESMExports();
  return () => {
    Object.assign(files, { open, rename });
    syncBuiltinESMExports();
  };
}
