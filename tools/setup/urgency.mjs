/**
 * Programs that keep real time on a machine that is busy with other things: real-time scheduling,
 * where the system lets us have it (Linux, CAP_SYS_NICE). Without it nobody can promise that a
 * servo answers, or is asked, every 150 ms.
 */
import { spawnSync } from 'node:child_process';

/** The threads beside the first one: they collect garbage, which the first one waits for. */
const BESIDE = 1;

/** @param {string[]} flags */
const chrt = (flags) => spawnSync('chrt', ['--reset-on-fork', '--rr', ...flags]).status === 0;

/**
 * Puts a running program before all others; what it starts from now on stays as it is.
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} priority 2 or more: the higher goes first.
 * @returns {boolean} Whether the system let us.
 */
export function putFirst({ pid }, priority) {
  const id = String(pid);
  return (
    chrt(['--all-tasks', '--pid', String(BESIDE), id]) && chrt(['--pid', String(priority), id])
  );
}
