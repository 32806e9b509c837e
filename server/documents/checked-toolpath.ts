/** Checks toolpaths in the bodies of calls. */

import type { Problem } from '../../contract/problem.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { type ToolpathText, toolpathText } from './toolpath-text.ts';

export type InvalidToolpath = Refusal<'invalid_arguments'>;

/** A toolpath inside a body, or the refusal of its problems. */
export type InBody<Body extends { readonly toolpath: unknown }> = Omit<Body, 'toolpath'> & {
  readonly toolpath: ToolpathText | InvalidToolpath;
};

export function invalid(problems: readonly Problem[]): InvalidToolpath {
  const pointers = problems.map(({ path, problem }) => ({ path: `/toolpath${path}`, problem }));
  return refuse('invalid_arguments', pointers);
}

export function checkedToolpath(toolpath: Toolpath): ToolpathText | InvalidToolpath {
  const problems = checkToolpath(toolpath);
  return problems.length > 0 ? invalid(problems) : toolpathText(toolpath);
}

export function withToolpath(value: unknown): unknown {
  const body = value as { readonly toolpath: Toolpath };
  return { ...body, toolpath: checkedToolpath(body.toolpath) };
}
