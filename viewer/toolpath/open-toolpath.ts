/**
 * Opens the text of a file with the same checks as the server, in the same order: parse, migrate,
 * schema, rules, build. §2.1, §4.3.
 */

import type { Problem } from '../../contract/problem.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { migrateToolpath } from '../../physics/toolpath/migrate.ts';
import type { BuiltArm } from './build-messages.ts';
import { type Preview, previewToolpath } from './preview.ts';
import { shapeProblems } from './shape-check.ts';
import { type JsonObject, toolpathObject } from './toolpath-object.ts';

export interface OpenToolpath {
  readonly toolpath: Toolpath;
  readonly notes: readonly string[];
  readonly preview: Preview;
}

function parsed(text: string): Result<JsonObject, readonly Problem[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure([{ path: '', problem: 'is not JSON' }]);
  }
  const toolpath = toolpathObject(value);
  if (!toolpath) return failure([{ path: '', problem: 'is not a toolpath object' }]);
  return success(toolpath);
}

/** The toolpath in a text, checked and built for an arm, or all its problems. */
export function openToolpath(
  text: string,
  arm: BuiltArm = {},
): Result<OpenToolpath, readonly Problem[]> {
  const read = parsed(text);
  if (!read.ok) return read;
  const migrated = migrateToolpath(read.value);
  if (!migrated.ok) return migrated;
  const shape = shapeProblems('Toolpath', migrated.value.toolpath);
  if (shape.length > 0) return failure(shape);
  const toolpath = structuredClone(migrated.value.toolpath) as Partial<Toolpath> as Toolpath;
  const problems = checkToolpath(toolpath);
  if (problems.length > 0) return failure(problems);
  const preview = previewToolpath(toolpath, arm);
  if (!preview.ok) {
    const { at, code, message } = preview.error;
    return failure([{ path: at, problem: `${message} (${code})` }]);
  }
  return success({ toolpath, notes: migrated.value.breaking_changes, preview: preview.value });
}
