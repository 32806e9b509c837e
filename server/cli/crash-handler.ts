/** The report of a crash, and the end of the process after it. */

import { logOutput } from '../service/logging/log-output.ts';
import type { LastCommand } from '../service/metrics/health-monitor.ts';

function crashReport(cause: unknown, lastCommand: LastCommand | null): string {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const { name, message, stack } = error;
  return JSON.stringify({ crash: { name, message, stack, last_command: lastCommand } });
}

/**
 * Exits with a crash report on stderr, a JSON line with the last command, on an uncaught error or
 * rejection: a process in an unknown state must not drive joints.
 */
export function installCrashHandler(lastCommand: () => LastCommand | null): void {
  const crash = (cause: unknown) => {
    try {
      logOutput().write(`${crashReport(cause, lastCommand())}\n`);
    } finally {
      process.exit(1);
    }
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}
