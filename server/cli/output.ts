/**
 * What commands read and write beside their options: environment variables, the streams they write
 * to, text tables, and generated secrets. Also: messages of failed starts.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { limits } from '../../contract/limits.ts';
import { logOutput } from '../metrics/log-output.ts';
import type { LastCommand } from '../metrics/metrics.ts';

export interface CommandOutput {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
}

/** The text of an input, without the byte order mark that some editors put before it. */
export function readInputFile(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
}

/** The rows as lines with aligned columns, without line ends. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
}

/** Generated credentials of the first admin; null for secrets that the configuration sets. */
interface FirstAdmin {
  readonly email: string;
  readonly password: string | null;
  readonly token: string | null;
}

const SECRETS_FILE = 'first-admin.txt';
const OWNER_ONLY = 0o600;

/** The lines with the credentials. */
function adminLines({ email, password, token }: FirstAdmin): string[] {
  return [
    `admin    ${email}`,
    ...(password ? [`password ${password}`] : []),
    ...(token ? [`token    ${token}`] : []),
  ];
}

/** A folder that is removed when the process ends, as the users of a twin in memory are. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-'));
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A process that ends because it can open no file would end with another error than its own.
    }
  });
  return folder;
}

/** Writes a file that only its owner can read; an older one would keep its mode. */
function writeSecrets(path: string, credentials: FirstAdmin): void {
  rmSync(path, { force: true });
  const text = `${adminLines(credentials).join('\n')}\n`;
  writeFileSync(path, text, { mode: OWNER_ONLY, flag: 'wx' });
}

/** The lines for secrets of a twin in memory; a warning where no file can be written. */
function temporarySecrets(credentials: FirstAdmin): string {
  try {
    const path = join(temporaryFolder(), SECRETS_FILE);
    writeSecrets(path, credentials);
    return `secrets  ${path}`;
  } catch (error) {
    const { password, token } = credentials;
    const options = [...(token ? ['--token'] : []), ...(password ? ['--admin-password'] : [])];
    return (
      `The generated secrets of the first admin are lost: ${startupErrorText(error)} ` +
      `To have them, set ${options.join(' and ')}, or TMPDIR to a folder that can be written.`
    );
  }
}

/**
 * The lines that show generated credentials: to a terminal the secrets themselves; otherwise, as
 * logs are kept and shared, the path of a file that only its owner can read. It is in the data
 * folder, or for a twin in memory in a temporary folder that ends with the process. Throws when the
 * data folder cannot be written; a twin in memory starts without the file.
 */
export function credentialLines(
  credentials: FirstAdmin,
  { data, isTerminal }: { readonly data: string; readonly isTerminal: boolean },
): string[] {
  const { email, password, token } = credentials;
  const begun = data === ':memory:' ? [] : [`data     ${resolve(data)} held none: begun as new`];
  if (isTerminal) return [...begun, ...adminLines(credentials)];
  if (!password && !token) return [...begun, `admin    ${email}`];
  if (data === ':memory:') return [`admin    ${email}`, temporarySecrets(credentials)];
  const path = join(resolve(data), SECRETS_FILE);
  try {
    writeSecrets(path, credentials);
  } catch (error) {
    throw new Error(
      `The secrets of the first admin cannot be written to ${path}: ${startupErrorText(error)} ` +
        'Make it possible, or set --token and --admin-password.',
    );
  }
  return [...begun, `admin    ${email}`, `secrets  ${path}`];
}

const PREFIX = 'ARMTWIN_';
const OFF = /^(0|false|no|off)$/i;

/** The environment variable of an option, and whether it takes a value. */
interface EnvironmentOption {
  readonly envVar?: string | undefined;
  readonly required: boolean;
  readonly optional: boolean;
}

/**
 * Unsets variables that are empty or switch a flag off, since compose files and CI workflows leave
 * variables empty to unset them; returns a warning for each name that looks misspelled.
 */
export function normalizeEnvironment(
  environment: NodeJS.ProcessEnv,
  options: readonly EnvironmentOption[],
): string[] {
  const known = new Map(options.map((option) => [option.envVar, option]));
  const words = [...known.keys()].map((name) => name?.slice(PREFIX.length) ?? '');
  const warnings: string[] = [];
  for (const [name, value = ''] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX)) continue;
    const option = known.get(name);
    const isSwitch = option !== undefined && !option.required && !option.optional;
    if (value === '' || (isSwitch && OFF.test(value))) delete environment[name];
    const near = option ? null : nearestWord(name.slice(PREFIX.length), words);
    if (near) warnings.push(`Unknown variable ${name}. Did you mean ${PREFIX}${near}?`);
  }
  return warnings;
}

/**
 * Error messages of failed starts: what failed and what to do, in place of system error codes; and
 * the report of a crash.
 */

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

/** A line for a terminal: what would control it, or turn the text around, is written as \u001b. */
export function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const TOO_FEW_FILES =
  'The limit of open files of this process is too low; raise it, for example with ulimit -n 4096.';

/** Open files beside connections: data folder, libraries, threads. */
const OWN_FILES = 128;

/** Connections that a process takes however few files it can open, and the files for them. */
const LEAST_CONNECTIONS = 16;
const LEAST_FILES = 64;

/**
 * How many connections the limit of open files allows, with a warning where that is not all of
 * them; null where it allows all. Throws an Error where a twin cannot run.
 * @param processLimits /proc/self/limits
 */
export function connectionsAllowed(
  processLimits: string,
): { readonly count: number; readonly warning: string } | null {
  const found = Number(/^Max open files +(\d+)/m.exec(processLimits)?.[1] ?? Number.NaN);
  if (!(found < limits.connections + OWN_FILES)) return null;
  const remedy = 'Raise the limit, for example with ulimit -n 4096.';
  if (found < LEAST_FILES) {
    throw new Error(`At most ${found} files can be open; a twin needs ${LEAST_FILES}. ${remedy}`);
  }
  const count = Math.max(LEAST_CONNECTIONS, found - OWN_FILES);
  const warning =
    `At most ${found} files can be open: ${count} connections are taken at a time instead of ` +
    `${limits.connections}. ${remedy}`;
  return { count, warning };
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

/** The Levenshtein distance between two words. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}

/** The most similar word, or null if none is similar enough to suggest. */
export function nearestWord(word: string, words: readonly string[]): string | null {
  const [best] = words
    .map((known) => ({ known, far: editDistance(word, known) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far <= Math.max(1, Math.floor(best.known.length / 2)) ? best.known : null;
}
