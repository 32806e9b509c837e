/** The priority of threads: where all processors are busy, the control loop goes first. */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** How much lower the priority of threads is than that of the control loop (nice value). */
export const THREAD_NICENESS = 10;

/**
 * Lowers the priority of the threads that Node has started in this process (collection of garbage,
 * compilation, files) to that of the pools' threads. With all processors busy, the control loop
 * waits up to 15 ms for them otherwise. For a process of its own, before threads of pools start.
 * Only Linux lets a process do so.
 */
export function preferControlLoop(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task').map(Number)) {
    if (thread === process.pid) continue;
    try {
      setPriority(
        thread,
        Math.min(getPriority() + THREAD_NICENESS, constants.priority.PRIORITY_LOW),
      );
    } catch {
      // The thread has ended, or the system does not allow it: it keeps its priority.
    }
  }
}
