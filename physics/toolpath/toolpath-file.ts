/**
 * Reads the text of a toolpath file in each form that files of the field have: the toolpath itself,
 * the record `{id, name, hash, toolpath}` of a reply or a backup, the base64 export of the arm's
 * editor (`.act`); format 1 or 2; digital lines in the notation of the field. Every door that takes
 * a file reads it here, so that all say the same of it. §2.1, §4.3, §9; D18, D26.
 */
import { otherKindProblem, textKind } from '../../contract/document-kind.ts';
import { jsonFaultText } from '../../contract/json-text.ts';
import type { Problem } from '../../contract/problem.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { checkToolpath } from './check.ts';
import { FIELD_NOTATION, inPlainNotation } from './field-notation.ts';
import { migrateToolpath, pathBeforeMigration } from './migrate.ts';
import { recordedToolpath, wrapperProblem } from './toolpath-record.ts';

/** The problems of a value against the schema of a toolpath, in the documented dialect. */
export type ToolpathShapeCheck = (value: unknown) => readonly Problem[];

/** The toolpath of a file, in the latest format. */
export interface ReadToolpath {
  readonly toolpath: Toolpath;
  /** The name that the file gives it; null if it has none. */
  readonly name: string | null;
  /** What was changed on the way, each at its place in the toolpath of the file. */
  readonly notes: readonly Problem[];
}

const NO_METADATA: Problem = { path: '/metadata', problem: 'is missing, and it is required' };

type Read<Value> = Result<Value, readonly Problem[]>;

function refused(problem: string): Read<never> {
  return failure([{ path: '', problem }]);
}

/** The base64 text of a JSON object, with white space or a byte order mark before or in it. */
const PACKED_OBJECT = /^(e[wy]|77u\/)[A-Za-z0-9+/]*={0,2}$/;

/** The JSON text in the text of a file. */
function jsonText(text: string): Read<{ readonly json: string; readonly isExport: boolean }> {
  const bare = text.replace(/^\uFEFF/, '').trim();
  if (bare === '') return refused('is empty');
  const packed = bare.replace(/\s+/g, '');
  if (!PACKED_OBJECT.test(packed)) return success({ json: bare, isExport: false });
  try {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return success({ json, isExport: true });
  } catch {
    return refused('is base64 text that is damaged or cut off; export the toolpath again');
  }
}

function parsed(text: string): Read<unknown> {
  const read = jsonText(text);
  if (!read.ok) return read;
  const { json, isExport } = read.value;
  try {
    return success(JSON.parse(json) as unknown);
  } catch {
    const reason = jsonFaultText(json);
    const otherKind = otherKindProblem(textKind(json), 'toolpath');
    if (!isExport) return refused(otherKind ?? `is not JSON: ${reason}`);
    return refused(`is a base64 export whose content is not JSON: ${reason}`);
  }
}

function migrationNotes(changes: readonly string[]): readonly Problem[] {
  return changes.map((change) => {
    const at = change.indexOf(': ');
    return { path: change.slice(0, at), problem: change.slice(at + 2) };
  });
}

/**
 * The toolpath in the text of a file, migrated, checked by `shape` and by the rules of the
 * toolpath, or all its problems. Paths are JSON pointers into the toolpath of the file. Motions
 * are not planned.
 */
export function readToolpathText(text: string, shape: ToolpathShapeCheck): Read<ReadToolpath> {
  const value = parsed(text);
  return value.ok ? readToolpathValue(value.value, shape) : value;
}

/** The same of a parsed file. */
export function readToolpathValue(value: unknown, shape: ToolpathShapeCheck): Read<ReadToolpath> {
  const record = recordedToolpath(value);
  if (!record) return refused(wrapperProblem(value) ?? 'is not a toolpath object');
  const { name, toolpath: old } = record;
  const wrapped = wrapperProblem(old);
  if (wrapped) return failure([{ path: old === value ? '' : '/toolpath', problem: wrapped }]);
  const migrated = migrateToolpath(old);
  if (!migrated.ok) return migrated;
  const { toolpath: latest, breaking_changes } = migrated.value;
  const inFile = (problems: readonly Problem[]): Read<never> => {
    if (latest === old) return failure(problems);
    // The migration gives a toolpath without metadata what it can.
    const ofMetadata = ({ path }: Problem) => path.startsWith('/metadata');
    if (old['metadata'] === undefined && problems.some(ofMetadata)) return failure([NO_METADATA]);
    const placed = problems.map(({ path, problem }) => {
      return { path: pathBeforeMigration(old, path), problem };
    });
    return failure(placed);
  };
  const misfits = shape(latest);
  if (misfits.length > 0) return inFile(misfits);
  const { toolpath, changed } = inPlainNotation(latest as Partial<Toolpath> as Toolpath);
  const problems = checkToolpath(toolpath);
  if (problems.length > 0) return inFile(problems);
  const notations = changed.map((path) => ({
    path: latest === old ? path : pathBeforeMigration(old, path),
    problem: FIELD_NOTATION,
  }));
  return success({ toolpath, name, notes: [...migrationNotes(breaking_changes), ...notations] });
}
