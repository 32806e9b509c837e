/**
 * The last resort of the process: what nobody caught ends it with code 1 and one line that names
 * the last command, for a process in an unknown state must not hold joints. And the bound on going
 * down: a part that hangs cannot keep the process alive.
 */
import { writeSync } from 'node:fs';
import { limits } from '../contract/limits.ts';
import { systemClock } from './clock/wall-clock.ts';
import type { LastCommand } from './metrics/black-box.ts';

const STDERR = 2;

function report(cause: unknown, lastCommand: LastCommand | null): string {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const { name, message, stack } = error;
  return JSON.stringify({ crash: { name, message, stack, last_command: lastCommand } });
}

/** Ends the process with a crash report on stderr when an error or rejection goes uncaught. */
export function crashReports(lastCommand: () => LastCommand | null): void {
  const crash = (cause: unknown) => {
    try {
      writeSync(STDERR, `${report(cause, lastCommand())}\n`);
    } finally {
      process.exit(1);
    }
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}

/** Ends the process with 1 when going down takes longer than it may. */
export function boundShutdown(): void {
  systemClock.afterUnreferenced(limits.shutdown_s * 1000, () => {
    writeSync(STDERR, `Not shut down within ${limits.shutdown_s} s\n`);
    process.exit(1);
  });
}
