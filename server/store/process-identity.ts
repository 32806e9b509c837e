/**
 * Which process an id stands for: ids are used again, and a process that has ended keeps its own
 * for a while.
 */
import { readFile, stat } from 'node:fs/promises';

async function systemText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** The machine's boot and process id namespace; empty where the system does not provide them. */
export async function namespaceOf(): Promise<string> {
  const boot = await systemText('/proc/sys/kernel/random/boot_id');
  const own = await stat('/proc/self/ns/pid').catch(() => null);
  return `${boot.trim()} ${own?.ino ?? ''}`.trim();
}

/** Fields of `/proc/PID/stat` from the state on; empty where the system does not provide them. */
async function statOf(pid: number): Promise<string[]> {
  const text = await systemText(`/proc/${pid}/stat`);
  return text === '' ? [] : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const STATE_FIELD = 0;
const THREADS_FIELD = 17;
const START_FIELD = 19;

/** Identifies a process of this namespace, also when its id is used again. */
export async function processOf(pid: number): Promise<string> {
  const fields = await statOf(pid);
  return `${await namespaceOf()} ${fields[START_FIELD] ?? ''}`.trim();
}

/**
 * Whether a process can still write. One that has ended keeps its id until its parent asks for its
 * result (a zombie); while further threads of it are ending, it counts as running.
 */
export async function isRunning(pid: number): Promise<boolean> {
  const fields = await statOf(pid);
  const hasEnded = fields[STATE_FIELD] === 'Z' || fields[STATE_FIELD] === 'X';
  if (hasEnded && Number(fields[THREADS_FIELD]) <= 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
