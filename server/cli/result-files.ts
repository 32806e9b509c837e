/**
 * The files that commands write: whether they can be written, whether one of them is also an input
 * or another result, and how one is written whole or not at all. What is wrong is known before the
 * command does its work.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { JSONFile } from 'lowdb/node';
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

/** The file beside which a result is made; null where it has to be written in place. */
function replaceable(path: string): string | null {
  // A link to nowhere, a device or a pipe.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  try {
    const file = found ? realpathSync(path) : path;
    accessSync(dirname(resolve(file)), constants.W_OK);
    return file;
  } catch {
    return null;
  }
}

/** A result that is being written: until it is complete, what was at its path stays. */
export interface PendingResult {
  /** Where to write it. */
  readonly part: string;
  /** Puts the complete result at its path. */
  complete(): void;
  /** Removes what was written, after a failure. */
  discard(): void;
}

/** Begins a result, so that no half of one looks like a whole one. */
export function beginResult(path: string): PendingResult {
  const file = replaceable(path);
  if (file === null) return { part: path, complete: () => {}, discard: () => {} };
  const part = `${file}.${process.pid}.part`;
  const discard = () => rmSync(part, { force: true });
  discard();
  return {
    part,
    discard,
    complete() {
      const former = statSync(file, { throwIfNoEntry: false });
      if (former) chmodSync(part, former.mode);
      try {
        renameSync(part, file);
      } catch {
        // As for a file that is mounted by itself.
        copyFileSync(part, file);
        discard();
      }
    },
  };
}

/** Writes a result that replaces a file only when it is complete. Throws errors of the system. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const result = beginResult(path);
  try {
    writeFileSync(result.part, content);
    result.complete();
  } catch (error) {
    result.discard();
    throw error;
  }
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

/** A result could not be written; the message names the file and the reason. */
export class ResultError extends OptionError {
  constructor(file: string, error: unknown) {
    super(`Cannot write ${file}: ${startupErrorText(error)}`);
  }
}

/**
 * Writes a small JSON document to a file, whole or not at all. Throws a `ResultError`. A device, or
 * a file that is mounted by itself, is written in place.
 */
export async function writeDocument(path: string, document: object): Promise<void> {
  const file = replaceable(path);
  try {
    if (file !== null) {
      const former = statSync(file, { throwIfNoEntry: false });
      await new JSONFile<object>(file).write(document);
      if (former) chmodSync(file, former.mode);
      return;
    }
  } catch {
    // What the adapter leaves of a write that failed.
    rmSync(join(dirname(file!), `.${basename(file!)}.tmp`), { force: true });
  }
  writeResult(path, JSON.stringify(document, null, 2));
}

/** Writes a result to a file, whole or not at all. Throws a `ResultError`. */
export function writeResult(file: string, text: string): void {
  try {
    writeWhole(file, text);
  } catch (error) {
    throw new ResultError(file, error);
  }
}
