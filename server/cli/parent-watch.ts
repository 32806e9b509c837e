/**
 * Ends the server with the processes that started it. A killed npm leaves its children running:
 * npm passes SIGTERM to a shell that drops it, and SIGKILL to nothing. The server therefore
 * watches the processes of `--parent` (the launcher of `npm start` names itself, a test names its
 * runner), and, if it was started by npx or an npm script, the shell and npm above it.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { WallClock } from '../clock/wall-clock.ts';

/** Time between two looks at the parents. */
const INTERVAL_MS = 250;
/** How often npx is looked for again. */
const LOOKS = 8;
/** npm stands at most this many processes above the server: npm, shell, a wrapper. */
const LEVELS = 3;
const SHELL = /(^|[/ ])(ba|da|z|a|k)?sh -c /;
const NPM = /^(\S*[/\\])?np[mx]( |$)|[/\\]np[mx]-cli\.js( |$)/;

export interface Ancestor {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Reads a process from /proc, or from ps where there is no /proc; null if it is gone. */
export function readProcess(pid: number): Ancestor | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    // The name in parentheses may contain spaces; the fields after it are state and parent.
    const [, parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), command };
  } catch {
    return readWithPs(pid);
  }
}

function readWithPs(pid: number): Ancestor | null {
  if (process.platform === 'win32' || process.platform === 'linux') return null;
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, parent = '0', command = ''] = /^\s*(\d+)\s+(.*?)\s*$/s.exec(line) ?? [];
    return { pid, parent: Number(parent), command };
  } catch {
    return null;
  }
}

/** The processes from the parent up to npm; none if npm is not close above. */
export function ancestorsUpToNpm(
  parent: number,
  read: (pid: number) => Ancestor | null = readProcess,
): number[] {
  const pids: number[] = [];
  let next = read(parent);
  while (next !== null && pids.length < LEVELS) {
    pids.push(next.pid);
    if (NPM.test(next.command)) return pids;
    next = read(next.parent);
  }
  return [];
}

/** Whether npx started this process, or one above it. */
function isStartedByNpx(env: Readonly<NodeJS.ProcessEnv>): boolean {
  const isOfNpm = env['npm_config_user_agent']?.startsWith('npm/') ?? false;
  return isOfNpm && env['npm_command'] === 'exec';
}

/**
 * Whether npx has ended before this process could find it: the system's first process has taken
 * this one or its shell over. A daemon that was started with npx is not the first process, and a
 * script of npm may leave the server in the background.
 */
export function isLeftByNpx(
  parent: number,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
  read: (pid: number) => Ancestor | null = readProcess,
): boolean {
  if (!isStartedByNpx(env) || ancestorsUpToNpm(parent, read).length > 0) return false;
  const above = read(parent);
  return parent === 1 || (above?.parent === 1 && SHELL.test(above.command));
}

/** State of a process, and how often it has slept; null once it has ended. */
function observe(pid: number): { readonly sleeps: number } | null {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) ? { sleeps: 0 } : null;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (/^State:\s+[ZX]/m.test(status)) return null;
    return { sleeps: Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? { sleeps: 0 } : null;
  }
}

/** The processes to watch; `shell` is one that waits for this process and drops signals. */
interface Parents {
  readonly pids: readonly number[];
  readonly shell: number | null;
}

/** Where this process looks for its parents. */
interface Surroundings {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly ppid: number;
  readonly read: (pid: number) => Ancestor | null;
}

function parentsOf(given: readonly number[], { env, ppid, read }: Surroundings): Parents {
  if (given.length > 0) return { pids: given, shell: null };
  const pids = env['npm_command'] === undefined ? [] : ancestorsUpToNpm(ppid, read);
  const isShell = pids.length > 1 && SHELL.test(read(ppid)?.command ?? '');
  return { pids, shell: isShell ? ppid : null };
}

interface ParentWatch {
  readonly clock: WallClock;
  readonly stop: () => void;
  /** How often npx is looked for again. */
  readonly looks?: number;
  readonly around?: Pick<Surroundings, 'env' | 'ppid'>;
  readonly read?: Surroundings['read'];
}

/**
 * Calls `stop` when one of the given processes has ended; without any, when npm or a process
 * between npm and this one has, also when that was before the call. npm also passes SIGINT to its
 * shell, which notes it and goes on waiting for this process: the shell has then slept once more. A
 * late look proves nothing, since a suspended machine wakes every process. A killed npx has no
 * command line for a moment, and is still the parent of its shell: then this looks again.
 */
export function watchParents(given: readonly number[], watch: ParentWatch): void {
  const { clock, stop, looks = LOOKS, around = process, read = readProcess } = watch;
  // The parent changes when it ends.
  const { env, ppid } = around;
  const { pids, shell } = parentsOf(given, { env, ppid, read });
  if (given.length === 0 && isLeftByNpx(ppid, env, read)) {
    stop();
    return;
  }
  if (pids.length === 0) {
    if (looks === 0 || !isStartedByNpx(env)) return;
    const again = { ...watch, looks: looks - 1 };
    clock.afterUnreferenced(INTERVAL_MS, () => watchParents(given, again));
    return;
  }
  let sleeps = shell === null ? 0 : observe(shell)?.sleeps;
  let last_ms = clock.now_ms();
  process.on('SIGCONT', () => {
    last_ms = Number.NEGATIVE_INFINITY;
  });
  const look = () => {
    const isLate = clock.now_ms() - last_ms > 4 * INTERVAL_MS;
    const seen = shell === null ? 0 : observe(shell)?.sleeps;
    if (pids.some((pid) => observe(pid) === null) || (seen !== sleeps && !isLate)) return stop();
    sleeps = seen;
    last_ms = clock.now_ms();
    clock.afterUnreferenced(INTERVAL_MS, look);
  };
  look();
}
