/** One process per data folder: a file that names the process, taken over when that one is gone. */
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder, unsaved } from './durable-file.ts';

/** Folders that twins of this very process hold. */
const held = new Set<string>();

/**
 * What tells a process from a later one with the same number, where the system says it: in a
 * container every process is number 1.
 */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return `${boot.trim()} ${fields[19] ?? ''}`.trim();
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function holderOf(path: string): Promise<number | null> {
  const [first = '', start = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  const pid = Number(first);
  if (!(pid > 0) || pid === process.pid || !alive(pid)) return null;
  return start === '' || start === (await startOf(pid)) ? pid : null;
}

function inUse(folder: string, pid: number): Error {
  return new Error(
    `The data folder ${folder} is in use by process ${pid}. Stop it, or choose another --data.`,
  );
}

/** Claims the folder for this twin; rejects with a sentence when another one has it. */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const place = resolve(folder);
  if (held.has(place)) throw inUse(folder, process.pid);
  held.add(place);
  try {
    const path = await claimFile(folder);
    return async () => {
      held.delete(place);
      await unlink(path).catch(() => {});
    };
  } catch (error) {
    held.delete(place);
    throw error;
  }
}

async function claimFile(folder: string): Promise<string> {
  await makeFolder(folder);
  const path = join(folder, 'armtwin.pid');
  const mark = `${process.pid}\n${await startOf(process.pid)}`;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(path, mark, { flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unsaved(path, error);
    }
    const pid = await holderOf(path);
    if (pid !== null) throw inUse(folder, pid);
    await unlink(path).catch(() => {});
  }
  throw new Error(
    `The data folder ${folder} could not be claimed; another process keeps taking it`,
  );
}
