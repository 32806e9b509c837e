/**
 * Error messages of failed starts: what failed and what to do, in place of system error codes; and
 * the report of a crash.
 */
import { writeSync } from 'node:fs';
import { limits } from '../../contract/limits.ts';
import type { LastCommand } from '../metrics/arm-metrics.ts';

interface SystemError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

type Message = (error: SystemError) => string;

const LISTENING: Readonly<Record<string, Message>> = {
  EADDRINUSE: ({ address, port }) =>
    `Port ${port} on ${address} is already in use; choose another with --port, or --port 0.`,
  EACCES: ({ port }) => `Port ${port} needs root rights; choose one above 1023 with --port.`,
  EADDRNOTAVAIL: ({ address }) =>
    `${address} is not a local address; set --host to 127.0.0.1, or to 0.0.0.0 for all.`,
};

const FILES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'is not accessible to this user',
  EPERM: 'is not accessible to this user',
  EROFS: 'is on a disk that is read-only',
  ENOSPC: 'is on a disk that is full',
  EIO: 'is on a disk that fails',
  EISDIR: 'is a folder; a file is needed',
  ENOTDIR: 'is not a valid folder: a part of the path is a file',
};

const TOO_FEW_FILES =
  'The limit of open files of this process is too low; raise it, for example with ulimit -n 4096.';

/** Open files beside connections: data folder, libraries, threads. */
const OWN_FILES = 128;

/** A warning when the limit of open files is below what all connections need; null if it is not. */
export function openFilesWarning(processLimits: string): string | null {
  const found = /^Max open files +(\d+)/m.exec(processLimits)?.[1];
  const needed = limits.connections + OWN_FILES;
  if (found === undefined || Number(found) >= needed) return null;
  return (
    `At most ${found} files can be open, and ${limits.connections} connections need ${needed}: ` +
    'beyond the limit clients wait. Raise it, for example with ulimit -n 4096.'
  );
}

/** The message for an error; the error's own message if there is no better one. */
export function startupErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall, path, hostname }: SystemError = error;
  if (syscall === 'getaddrinfo') return `${hostname} is not a local address; change --host.`;
  if (error instanceof SyntaxError) return `it is not JSON: ${error.message.replace(/\s+/g, ' ')}`;
  if (code === 'EMFILE' || code === 'ENFILE') return TOO_FEW_FILES;
  const listenMessage = syscall === 'listen' ? LISTENING[code] : undefined;
  if (listenMessage) return listenMessage(error);
  const fileMessage = FILES[code];
  return path !== undefined && fileMessage !== undefined
    ? `${path} ${fileMessage} (${code}).`
    : error.message;
}

const STDERR = 2;

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
      writeSync(STDERR, `${crashReport(cause, lastCommand())}\n`);
    } finally {
      process.exit(1);
    }
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}
