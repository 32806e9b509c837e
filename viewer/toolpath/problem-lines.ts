/** The lines of a file at which its problems are. Pure. */
import { readJson } from '../../contract/json-text.ts';
import type { Problem } from '../../contract/problem.ts';

/** A problem with its line in the file, from 1, where the file has lines. */
export interface PlacedProblem extends Problem {
  readonly line?: number;
}

/**
 * Adds the lines to the problems of a toolpath file; their pointers are into its toolpath, which a
 * record has under a key. A file of one line, and one that is not JSON, say nothing by a line.
 */
export function withLines(text: string, problems: readonly Problem[]): readonly PlacedProblem[] {
  const bare = text.replace(/^\uFEFF/, '').trim();
  const read = bare.includes('\n') ? readJson(text.replace(/^\uFEFF/, '')) : null;
  if (!read?.ok) return problems;
  const { root, lineOf } = read.value;
  const isRecord = root.members.some(({ key }) => key === 'toolpath');
  return problems.map((one) => {
    if (one.path === '') return one;
    const inRecord = isRecord && !one.path.startsWith('/toolpath') ? '/toolpath' : '';
    return { ...one, line: lineOf(inRecord + one.path) };
  });
}
