/** Writes the results of commands, each whole or not at all. */
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { JSONFile } from 'lowdb/node';
import { OptionError } from './option-error.ts';
import { startupErrorText } from './startup-errors.ts';

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
