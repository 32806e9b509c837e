/**
 * Sets the scheduling priority of child processes. Real-time programs get a higher priority if the
 * system allows it; no real-time scheduling, which could block the whole machine.
 */
import { constants, setPriority } from 'node:os';

/** The nice value of real-time programs. */
const NICENESS = -15;

/**
 * Lowers the priority of a running program and of the processes that it starts from now on.
 * @param {import('node:child_process').ChildProcess} child
 */
export function lowerPriority({ pid }) {
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
}

/**
 * Raises the priority of a running program.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {boolean} whether the system allows it
 */
export function raisePriority({ pid }) {
  try {
    setPriority(pid ?? 0, NICENESS);
    return true;
  } catch {
    return false;
  }
}
