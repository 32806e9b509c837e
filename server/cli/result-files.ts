/**
 * The files that commands write: whether they can be written, and whether one of them is also an
 * input or another result. What is wrong is known before the command does its work.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { OptionError } from './option-error.ts';
import { startupErrorText } from './startup-errors.ts';

/**
 * Tries to open a file for writing. What is there stays as it is, and nothing is left where there
 * was nothing: a command that is refused later has no result. Throws the error of the system,
 * except for a folder in which no file can be made, as in /proc.
 */
export function tryWriting(path: string): void {
  const isNew = !existsSync(path);
  try {
    closeSync(openSync(path, 'a'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const folder = dirname(resolve(path));
    if (!isNew || code !== 'ENOENT' || !existsSync(folder)) throw error;
    throw new Error(`the folder ${folder} takes no new files (${code})`);
  }
  // A link to nowhere stays; the file that it leads to is new.
  if (isNew) unlinkSync(realpathSync(path));
}

/** Files that flags name, by the flag without dashes. */
type FlagFiles = Readonly<Record<string, string | undefined>>;

/**
 * What two paths of one file have in common, also over links; null for what is no file, such as a
 * device, which several results may go to.
 */
function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isFile() ? `${found.dev}:${found.ino}` : null;
  const folder = dirname(resolve(path));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : null;
}

/**
 * Throws an OptionError where a result would overwrite an input of the command, or where two
 * results would go to one file.
 */
export function requireSeparate(results: FlagFiles, inputs: readonly string[]): void {
  const used = new Map<string | null, string>();
  for (const path of inputs) {
    if (existsSync(path)) used.set(identityOf(path), `the input ${path}`);
  }
  for (const [name, path] of Object.entries(results)) {
    const own = path === undefined ? null : identityOf(path);
    if (own === null) continue;
    const other = used.get(own);
    if (other !== undefined) {
      throw new OptionError(`--${name} ${path} would overwrite ${other}; name another file`);
    }
    used.set(own, `the result of --${name}`);
  }
}

/**
 * Tries the files that flags name and that are written at the end, so that a run is not lost for a
 * wrong path. Throws an OptionError with the flag and the reason, also where one of them is a file
 * that the command reads.
 */
export function requireWritable(results: FlagFiles, inputs: readonly string[] = []): void {
  requireSeparate(results, inputs);
  for (const [name, path] of Object.entries(results)) {
    if (path === undefined) continue;
    try {
      tryWriting(path);
    } catch (error) {
      throw new OptionError(`--${name} cannot be written: ${startupErrorText(error)}`);
    }
  }
}

/** Options that name a result. */
const RESULT_OPTION = /^--(out|html|junit|mcap|record|urdf|mjcf|gltf)(?:=(.*))?$/;

/**
 * Compares the files of a whole command line, as `requireSeparate`: options such as --cell are read
 * before their command sees a path. Arguments behind `--` are of another command.
 */
export function requireSeparateFiles(commandLine: readonly string[]): void {
  const end = commandLine.indexOf('--');
  const own = end < 0 ? commandLine : commandLine.slice(0, end);
  const parts = own[0]?.startsWith('-') === false ? own.slice(1) : own;
  const results: Record<string, string> = {};
  const inputs: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    const [, name, value] = RESULT_OPTION.exec(part) ?? [];
    if (name === undefined) inputs.push(part.replace(/^--[a-z-]+=/, ''));
    else if (value !== undefined) results[name] = value;
    else if (parts[i + 1]?.startsWith('-') === false) results[name] = parts[++i]!;
  }
  requireSeparate(results, inputs);
}

/** Creates a folder for results. Throws an OptionError with the flag and the reason. */
export function requireFolder(name: string, path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    const reason = 'is a file; several toolpaths need a folder';
    throw new OptionError(`--${name} cannot be written: ${path} ${reason}`);
  }
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new OptionError(`--${name} cannot be written: ${startupErrorText(error)}`);
  }
}
