/**
 * Lock of a data folder: a file names the process that uses it. A lock of a process that has ended
 * is taken over.
 */
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder, saveError } from './durable-file.ts';

/** Folders locked by twins of this process. */
const held = new Set<string>();

/**
 * Boot id and start time of a process, to detect a reused process id (in a container it is always
 * 1); empty where the system does not provide them.
 */
async function processStart(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return `${boot.trim()} ${fields[19] ?? ''}`.trim();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function lockHolder(path: string): Promise<number | null> {
  const [first = '', start = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  const pid = Number(first);
  if (!(pid > 0) || pid === process.pid || !isAlive(pid)) return null;
  return start === '' || start === (await processStart(pid)) ? pid : null;
}

function inUseError(folder: string, pid: number): Error {
  return new Error(
    `The data folder ${folder} is in use by process ${pid}. Stop it, or choose another --data.`,
  );
}

/** Locks the folder for this twin; returns the release function. Rejects when it is in use. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const place = resolve(folder);
  if (held.has(place)) throw inUseError(folder, process.pid);
  held.add(place);
  try {
    const path = await createLockFile(folder);
    return async () => {
      held.delete(place);
      await unlink(path).catch(() => {});
    };
  } catch (error) {
    held.delete(place);
    throw error;
  }
}

async function createLockFile(folder: string): Promise<string> {
  await makeFolder(folder);
  const path = join(folder, 'armtwin.pid');
  const mark = `${process.pid}\n${await processStart(process.pid)}`;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(path, mark, { flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw saveError(path, error);
    }
    const pid = await lockHolder(path);
    if (pid !== null) throw inUseError(folder, pid);
    await unlink(path).catch(() => {});
  }
  throw new Error(
    `The data folder ${folder} could not be locked; another process keeps locking it`,
  );
}
