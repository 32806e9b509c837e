/**
 * Lets a process compute only when no other one of this machine wants to, as if it ran elsewhere:
 * the class of idle tasks of Linux where its command is installed, else the lowest priority, which
 * still holds a processor for up to 4 ms at a time.
 */
import { spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** Lets all threads of a process give way. */
export function giveWay(pid: number): void {
  const { status } = spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)]);
  if (status !== 0) setPriority(pid, constants.priority.PRIORITY_LOW);
}
