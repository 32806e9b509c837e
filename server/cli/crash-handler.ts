/**
 * The crash handler: an uncaught error ends the process with code 1 and a JSON line on stderr that
 * names the last command. A process in an unknown state must not drive joints.
 */
import { writeSync } from 'node:fs';
import type { LastCommand } from '../metrics/health-monitor.ts';

const STDERR = 2;

function report(cause: unknown, lastCommand: LastCommand | null): string {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const { name, message, stack } = error;
  return JSON.stringify({ crash: { name, message, stack, last_command: lastCommand } });
}

/** Exits with a crash report on stderr on an uncaught error or rejection. */
export function installCrashHandler(lastCommand: () => LastCommand | null): void {
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
