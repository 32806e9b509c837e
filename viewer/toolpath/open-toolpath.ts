/**
 * From the text of a file to a preview: parse, bring to the latest format, check shape and rules,
 * build. The same gates as the server's, in the same order, without the server. Spec §2.1, §4.3.
 */
import { failure, type Problem, type Result, success } from '../../contract/result.ts';
import type { Toolpath } from '../../contract/types.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { migrateToolpath } from '../../physics/toolpath/migrate.ts';
import { type Preview, previewToolpath } from './preview.ts';
import { shapeProblems } from './shape-check.ts';

export interface OpenToolpath {
  readonly toolpath: Toolpath;
  readonly notes: readonly string[];
  readonly preview: Preview;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): Result<Record<string, unknown>, readonly Problem[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure([{ path: '', problem: 'is not JSON' }]);
  }
  if (!isRecord(value)) return failure([{ path: '', problem: 'is not a toolpath object' }]);
  // Files that came from the API's replies hold the toolpath one level down.
  return success(isRecord(value['toolpath']) && !('timeline' in value) ? value['toolpath'] : value);
}

/** The toolpath in a text, checked and built, or everything that is wrong with it. */
export function openToolpath(text: string): Result<OpenToolpath, readonly Problem[]> {
  const read = parsed(text);
  if (!read.ok) return read;
  const migrated = migrateToolpath(read.value);
  if (!migrated.ok) return migrated;
  const shape = shapeProblems('Toolpath', migrated.value.toolpath);
  if (shape.length > 0) return failure(shape);
  const toolpath = structuredClone(migrated.value.toolpath) as Partial<Toolpath> as Toolpath;
  const problems = checkToolpath(toolpath);
  if (problems.length > 0) return failure(problems);
  const preview = previewToolpath(toolpath);
  if (!preview.ok) {
    const { at, code, message } = preview.error;
    return failure([{ path: at, problem: `${message} (${code})` }]);
  }
  return success({ toolpath, notes: migrated.value.breaking_changes, preview: preview.value });
}
