/**
 * Why a start failed, in words that say what to do: the system's own codes mean little to whoever
 * types a command for the first time.
 */

interface SystemError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

type Words = (error: SystemError) => string;

const LISTENING: Readonly<Record<string, Words>> = {
  EADDRINUSE: ({ address, port }) =>
    `Port ${port} on ${address} is taken. Take another with --port, or a free one with --port 0.`,
  EACCES: ({ port }) => `Port ${port} is kept for the system. Take one above 1023 with --port.`,
  EADDRNOTAVAIL: ({ address }) =>
    `${address} is no address of this machine. --host takes 127.0.0.1, or 0.0.0.0 for all.`,
};

const FILES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EROFS: 'lies on a disk that cannot be written',
  ENOSPC: 'has no space left on its disk',
  EIO: 'lies on a disk that fails',
  EISDIR: 'is a folder, where a file should be',
  ENOTDIR: 'cannot be made a folder: a part of the path is a file',
};

/** What went wrong, as a sentence; the error's own words where there are none better. */
export function startTrouble(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall, path, hostname }: SystemError = error;
  if (syscall === 'getaddrinfo') return `${hostname} is no address of this machine. Mend --host.`;
  if (error instanceof SyntaxError) return `it is not JSON: ${error.message.replace(/\s+/g, ' ')}`;
  const listening = syscall === 'listen' ? LISTENING[code] : undefined;
  if (listening) return listening(error);
  const why = FILES[code];
  return path !== undefined && why !== undefined ? `${path} ${why} (${code}).` : error.message;
}
