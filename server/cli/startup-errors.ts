/** Error messages of failed starts: what failed and what to do, in place of system error codes. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { printable } from './printable.ts';

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
  ELOOP: 'is a link that leads back to itself',
  EISDIR: 'is a folder; a file is needed',
  ENOTDIR: 'is not a valid folder: a part of the path is a file',
};

const TOO_FEW_FILES =
  'The limit of open files of this process is too low; raise it, for example with ulimit -n 4096.';

/** Whether a start failed because its port is taken. */
export function isPortTaken(error: unknown): boolean {
  const { code, syscall } = error instanceof Error ? (error as SystemError) : {};
  return syscall === 'listen' && code === 'EADDRINUSE';
}

/** The message for an error; the error's own message if there is no better one. */
export function startupErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall, path, hostname }: SystemError = error;
  if (syscall === 'getaddrinfo') return `${hostname} is not a local address; change --host.`;
  // The message quotes the file, which may be binary.
  if (error instanceof SyntaxError) {
    return printable(`it is not JSON: ${error.message.replace(/\s+/g, ' ')}`);
  }
  if (code === 'EISDIR' && path === undefined) return 'it is a folder; a file is needed';
  if (code === 'EMFILE' || code === 'ENFILE') return TOO_FEW_FILES;
  const listenMessage = syscall === 'listen' ? LISTENING[code] : undefined;
  if (listenMessage) return listenMessage(error);
  if (code === 'ENOENT' && path !== undefined && !existsSync(dirname(path))) {
    return `The folder ${dirname(path)} does not exist (${code}).`;
  }
  const fileMessage = FILES[code];
  return path !== undefined && fileMessage !== undefined
    ? `${path} ${fileMessage} (${code}).`
    : error.message;
}
