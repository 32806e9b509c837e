/**
 * Opens the text of a file as the other doors for files do, and plans its motions. §2.1, §4.3.
 */

import type { Problem } from '../../contract/problem.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import type { BuiltArm } from './build-messages.ts';
import { type Preview, previewToolpath } from './preview.ts';
import { readToolpath } from './read-toolpath.ts';

export interface OpenToolpath {
  readonly toolpath: Toolpath;
  readonly notes: readonly string[];
  readonly preview: Preview;
}

/** The toolpath in a text, checked and built for an arm, or all its problems. */
export function openToolpath(
  text: string,
  arm: BuiltArm = {},
): Result<OpenToolpath, readonly Problem[]> {
  const read = readToolpath(text);
  if (!read.ok) return read;
  const { toolpath, notes } = read.value;
  const preview = previewToolpath(toolpath, arm);
  if (!preview.ok) {
    const { at, code, message } = preview.error;
    return failure([{ path: at, problem: `${message} (${code})` }]);
  }
  const told = notes.map(({ path, problem }) => `${path}: ${problem}`);
  return success({ toolpath, notes: told, preview: preview.value });
}
