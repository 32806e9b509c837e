/** Checks toolpaths in the bodies of calls. */

import type { Problem } from '../../contract/problem.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { inPlainNotation } from '../../physics/toolpath/field-notation.ts';
import { wrapperProblem } from '../../physics/toolpath/toolpath-record.ts';
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

/**
 * A body with its toolpath in plain notation: arms in the field take what their editor writes
 * (D18). `ignored` gains the JSON pointers of what was rewritten.
 */
export function withPlainNotation<Body>(body: Body, ignored: readonly string[]) {
  const { toolpath } = body as { readonly toolpath: Toolpath };
  const { toolpath: plain, changed } = inPlainNotation(toolpath);
  const named = changed.map((path) => `/toolpath${path}`);
  return { value: { ...body, toolpath: plain }, ignored: [...ignored, ...named] };
}

/**
 * The problems of a body whose toolpath does not fit its schema: a wrapper of a toolpath is named
 * as such, in place of what it lacks as a toolpath.
 */
export function namingWrapper(value: unknown, problems: readonly Problem[]): readonly Problem[] {
  const toolpath = (value as { readonly toolpath?: unknown } | null)?.toolpath;
  const problem = wrapperProblem(toolpath);
  return problem === null ? problems : [{ path: '/toolpath', problem }];
}
