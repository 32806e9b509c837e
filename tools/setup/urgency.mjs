/**
 * Programs that keep real time on a machine that is busy with other things: a higher priority,
 * where the system lets us have it. Never real-time scheduling: a program that falls behind would
 * keep both its own helpers and the whole machine from their work.
 */
import { constants, setPriority } from 'node:os';

/** Below the usual 0, and above nothing that the system itself needs. */
const NICENESS = -15;

/**
 * Puts a program that waits for what it wants to see behind others, which watch the clock; what it
 * starts from now on is behind as well.
 * @param {import('node:child_process').ChildProcess} child
 */
export function putLast({ pid }) {
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
}

/**
 * Puts a running program before others.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {boolean} Whether the system let us.
 */
export function putFirst({ pid }) {
  try {
    setPriority(pid ?? 0, NICENESS);
    return true;
  } catch {
    return false;
  }
}
