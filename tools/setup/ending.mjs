/**
 * How a script ends: a signal, or the end of the npm that started it, ends its children first. npm
 * passes SIGTERM to a shell that drops it, so the signal alone does not arrive here.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** Time between two looks at the parents. */
const INTERVAL_MS = 250;
/** A look so much later than the one before may follow a suspension. */
const LATE_MS = 2500;
/** Time that children have to end after a signal. */
const GRACE_MS = 2900;
const NPM = /(^|[/ ])npm( |$)|[/\\]npm-cli\.js( |$)/;
const SHELL = /(^|\/)(ba|da|z|a|k|busybox )?sh -c /;

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const children = new Set();

/**
 * Ends a child together with this process.
 * @template {ChildProcess} Child
 * @param {Child} child
 * @returns {Child}
 */
export function endWith(child) {
  children.add(child);
  for (const event of ['exit', 'error']) child.once(event, () => children.delete(child));
  return child;
}

/**
 * Parent, command line and count of sleeps of a process, from /proc or ps; null once it has ended.
 * @param {number} pid
 */
function processOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const number = (/** @type {string} */ key) =>
      Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    if (/^State:\s+[ZX]/m.test(status)) return null;
    return { parent: number('PPid'), command, sleeps: number('voluntary_ctxt_switches') };
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return null;
  }
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' });
    const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(line) ?? [];
    return { parent: Number(parent), command, sleeps: 0 };
  } catch {
    return null;
  }
}

/**
 * Whether npm ended before this process looked: the system's first process has taken this one or
 * its shell over. Npm itself, or another package manager, is the first process of some containers.
 * @param {{ parent: number, command: string }} parent
 */
function isLeftByNpm({ parent, command }) {
  const above = SHELL.test(command) ? parent : process.ppid;
  const isOfNpm = process.env['npm_config_user_agent']?.startsWith('npm/') ?? false;
  return above === 1 && isOfNpm && !NPM.test(processOf(1)?.command ?? '');
}

/**
 * Calls `stop` when npm or its shell has ended, also when that was before the call. A SIGINT to npm
 * alone reaches only the shell, which goes on waiting: it has then slept once more, which only a
 * shell that was seen before shows. A late look proves nothing, since a suspended machine wakes
 * every process.
 * @param {() => void} stop
 */
function watchNpm(stop) {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = processOf(process.ppid);
  if (parent === null || isLeftByNpm(parent)) return stop();
  const isShell = SHELL.test(parent.command);
  let { sleeps } = parent;
  let last_ms = performance.now();
  process.on('SIGCONT', () => {
    last_ms = Number.NEGATIVE_INFINITY;
  });
  const look = () => {
    const now = processOf(process.ppid);
    const hasEnded = now?.command !== parent.command || (isShell && !processOf(parent.parent));
    const isLate = performance.now() - last_ms > LATE_MS;
    if (hasEnded || (isShell && now.sleeps !== sleeps && !isLate)) stop();
    if (now) sleeps = now.sleeps;
    last_ms = performance.now();
  };
  setInterval(look, INTERVAL_MS).unref();
}

/** @param {NodeJS.Signals} signal */
function stopChildren(signal) {
  for (const child of children) child.kill(signal);
}

/**
 * Ends the children and then this process. A server in the foreground decides the exit code: the
 * script ends with it.
 * @param {NodeJS.Signals} signal
 */
function end(signal) {
  const code = 128 + constants.signals[signal];
  if (children.size === 0) process.exit(code);
  // A terminal sends Ctrl-C to the whole process group, so the children have it already.
  if (signal !== 'SIGINT' || process.stdin.isTTY !== true) stopChildren(signal);
  setTimeout(() => {
    stopChildren('SIGKILL');
    process.exit(code);
  }, GRACE_MS).unref();
}

/** Ends this process and its children on signals and when npm has ended. */
export function endCleanly() {
  let ending = false;
  /** @param {NodeJS.Signals} signal */
  const once = (signal) => {
    if (ending) return;
    ending = true;
    end(signal);
  };
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
    process.on(signal, () => once(signal));
  }
  watchNpm(() => once('SIGTERM'));
}
