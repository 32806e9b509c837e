/** Reads the text of a toolpath file as every door does, with the page's own check of its shape. */
import type { Problem } from '../../contract/problem.ts';
import type { Result } from '../../contract/result.ts';
import { type ReadToolpath, readToolpathText } from '../../physics/toolpath/toolpath-file.ts';
import { shapeProblems } from './shape-check.ts';

/** The toolpath in a text in the latest format, or all its problems. Motions are not planned. */
export function readToolpath(text: string): Result<ReadToolpath, readonly Problem[]> {
  return readToolpathText(text, (value) => shapeProblems('Toolpath', value));
}
