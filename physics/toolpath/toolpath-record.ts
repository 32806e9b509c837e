/** Wrappers of a toolpath: the record of a reply or a backup, and what is taken for one. */
import { documentKind, otherKindProblem } from '../../contract/document-kind.ts';

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A toolpath with the name that its record gives it. */
export interface RecordedToolpath {
  readonly toolpath: Fields;
  readonly name: string | null;
}

/**
 * The toolpath of a record `{id, name, hash, toolpath}`, of a whole reply with one
 * (`{toolpath: {id, name, hash, toolpath}}`), or the object itself; unchecked. Null: no object.
 */
export function recordedToolpath(value: unknown): RecordedToolpath | null {
  if (!isFields(value)) return null;
  const { toolpath, timeline, name } = value;
  if (!isFields(toolpath) || timeline !== undefined) return { toolpath: value, name: null };
  const isReply = name === undefined && isFields(toolpath['toolpath']);
  if (isReply) return recordedToolpath(toolpath);
  return { toolpath, name: typeof name === 'string' ? name : null };
}

const EXPORT_LENGTH_MIN = 40;

/**
 * What a value is that stands where a toolpath must stand and is a wrapper of one, or another
 * document; null if it is neither. A sentence without subject, as problems are.
 */
export function wrapperProblem(value: unknown): string | null {
  if (typeof value === 'string' && value.length >= EXPORT_LENGTH_MIN) {
    return 'is text, such as the base64 text of an export; give the toolpath object that is in it';
  }
  if (Array.isArray(value)) {
    const otherKind = otherKindProblem(documentKind(value), 'toolpath');
    return otherKind ?? `is a list of ${value.length}; give one toolpath`;
  }
  if (!isFields(value) || value['timeline'] !== undefined) return null;
  if (isFields(value['toolpath'])) {
    return 'is a record with a toolpath in it; give what stands in its field toolpath';
  }
  if (Array.isArray(value['toolpaths'])) {
    return 'is a list of toolpaths; give one of them';
  }
  return otherKindProblem(documentKind(value), 'toolpath');
}
