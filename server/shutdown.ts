/**
 * How this process ends: on signals, with the processes that started it, and at last after a limit
 * of time.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { limits } from '../contract/limits.ts';
import { watchParents } from './cli/parent-watch.ts';
import { type Cancel, systemClock } from './clock/wall-clock.ts';
import { printLine } from './print-line.ts';

/**
 * Kills this process in a second, by another one: its own end waits for the threads of Node, and
 * with them for a disk that does not answer.
 */
function killSoon(): void {
  const options = { detached: true, stdio: 'ignore' } as const;
  const killer = spawn('sh', ['-c', `sleep 1; kill -9 ${process.pid}`], options);
  killer.on('error', () => {});
  killer.unref();
}

/**
 * Exits with 1 when the shutdown takes longer than `limits.shutdown_s`. Until then the process
 * stays alive, whatever the shutdown waits for: it must not end in the middle of it.
 * Returns the cancellation.
 */
export function limitShutdownTime(): Cancel {
  return systemClock.after(limits.shutdown_s * 1000, () => {
    printLine(`The shutdown took longer than ${limits.shutdown_s} s; exiting`);
    killSoon();
    process.exit(1);
  });
}

/** Processes that the service ends with (`--parent`). */
export type Parents = readonly number[];

/**
 * Ends the process on SIGTERM, SIGINT and SIGHUP and when its parents have ended: at once before
 * `attach` is called with what is starting, and by closing that from then on, even while it is
 * starting. Further signals change nothing: a terminal and npm both send one.
 */
export function closeOnSignals(parents: Parents) {
  let closing: Promise<{ close(): Promise<void> }> | null = null;
  let stopping = false;
  const stop = () => {
    if (closing === null) process.exit(0);
    if (stopping) return;
    stopping = true;
    limitShutdownTime();
    closing
      .then((twin) => twin.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          printLine(`The service could not close cleanly: ${String(error)}`);
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop);
  const stopWithParents = () => {
    if (parents.length > 0) printLine(`Process ${parents.join(' or ')} has ended; stopping`);
    stop();
  };
  watchParents(parents, { clock: systemClock, stop: stopWithParents });
  return {
    attach(starting: Promise<{ close(): Promise<void> }>) {
      closing = starting;
    },
  };
}

/** Time that a command has to end after the processes that started it (ms). */
const COMMAND_END_MS = 2000;

/** Ends this process, and with it the one that it runs, when npm or npx above it has ended. */
export function endWithParents(): void {
  const stop = () => {
    process.kill(process.pid, 'SIGTERM');
    systemClock.afterUnreferenced(COMMAND_END_MS, () =>
      process.exit(128 + constants.signals.SIGTERM),
    );
  };
  watchParents([], { clock: systemClock, stop });
}
