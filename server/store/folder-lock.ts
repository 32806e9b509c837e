/** One process per data folder: a file that names the process, taken over when that one is gone. */
import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Claims the folder for this process; throws a sentence when another process has it. */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'armtwin.pid');
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      return () => unlink(path).catch(() => {});
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const pid = Number(await readFile(path, 'utf8').catch(() => ''));
    if (pid > 0 && alive(pid)) {
      throw new Error(
        `The data folder ${folder} is in use by process ${pid}. Stop it, or choose another --data.`,
      );
    }
    await unlink(path).catch(() => {});
  }
  throw new Error(
    `The data folder ${folder} could not be claimed; another process keeps taking it`,
  );
}
