/**
 * Watches the system calls of durable writes as they are made, so that tests hold their order and
 * end the process at exactly one of them. Needs no tool of the system. Test code.
 */
import { promises as files } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

/** A call about to be made, and the name of the file or folder it is about. */
export type DiskStep = 'open' | 'write' | 'sync' | 'rename' | 'sync folder';

export const DISK_STEPS: readonly DiskStep[] = ['open', 'write', 'sync', 'rename', 'sync folder'];

/** Tells every step from now on, before it is taken; answers what ends the watch. */
export function watchDisk(tell: (step: DiskStep, name: string) => void): () => void {
  const { open, rename } = files;
  files.open = async (path, flags, mode) => {
    const name = basename(String(path));
    const isFolder = flags === 'r';
    if (!isFolder) tell('open', name);
    const file = await open(path, flags, mode);
    const { writeFile, appendFile, sync, datasync } = file;
    file.writeFile = (...given) => {
      tell('write', name);
      return writeFile.apply(file, given);
    };
    file.appendFile = (...given) => {
      tell('write', name);
      return appendFile.apply(file, given);
    };
    file.datasync = () => {
      tell('sync', name);
      return datasync.apply(file);
    };
    file.sync = () => {
      tell(isFolder ? 'sync folder' : 'sync', name);
      return sync.apply(file);
    };
    return file;
  };
  files.rename = (from, to) => {
    tell('rename', basename(String(to)));
    return rename(from, to);
  };
  syncBuiltinESMExports();
  return () => {
    Object.assign(files, { open, rename });
    syncBuiltinESMExports();
  };
}
