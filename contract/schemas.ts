/**
 * Looks up JSON schemas by type name and resolves references between schema files. Used by the
 * validator, the lenient reader and the API documents; does not import the schema compiler. Also:
 * the checks of a parsed body before validation.
 */

import { limits } from './limits.ts';
import type { Problem } from './refusal.ts';
import { schemaFiles } from './schemas.generated.ts';
import type { SchemaTypes } from './types.ts';

/** The name of a type that a schema describes. */
export type SchemaId = keyof SchemaTypes;

/** The keywords of JSON Schema 2020-12 that the schemas use, and two of our own. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maxItems?: number;
  readonly examples?: readonly unknown[];
  /** The message for the sender when this schema fails, instead of a generated one. */
  readonly 'x-problem'?: string;
  /** A failure of this schema suppresses all other problems of the body. */
  readonly 'x-decides'?: boolean;
}

/** One file of contract/schema. */
export interface SchemaFile {
  readonly $id: string;
  readonly $defs: { readonly [name: string]: Schema };
}

export const SCHEMA_FILES = schemaFiles as readonly SchemaFile[];

const byName = new Map(
  SCHEMA_FILES.flatMap((file) =>
    Object.entries(file.$defs).map(([name, schema]) => [name, { file: file.$id, schema }] as const),
  ),
);

/** All names, in the order of the files. */
export const SCHEMA_IDS = [...byName.keys()] as readonly SchemaId[];

/** The schema of a type. */
export function schemaOf(id: SchemaId): Schema {
  return byName.get(id)!.schema;
}

/** The address of a schema, as `file.json#/$defs/Name`. */
export function schemaAddress(id: SchemaId): string {
  return `${byName.get(id)!.file}#/$defs/${id}`;
}

/** The type name at the end of a reference. */
export function referenceName(reference: string): SchemaId {
  return reference.slice(reference.lastIndexOf('/') + 1) as SchemaId;
}

/** Whether a path parameter is a name rather than a number. */
export function isNameParameter(name: string): boolean {
  return name.endsWith('_name');
}

/** The schema with its references followed. */
export function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolved(schemaOf(referenceName(schema.$ref)));
}

/** The values that the tag of a discriminated oneOf may have. */
export function tagValues(schema: Schema): readonly unknown[] {
  const tag = schema.discriminator?.propertyName ?? '';
  return (schema.oneOf ?? []).map((option) => resolved(option).properties?.[tag]?.const);
}

/** The alternative of a discriminated oneOf that matches a value, or null when none does. */
export function alternative(schema: Schema, value: unknown): Schema | null {
  const tag = schema.discriminator?.propertyName;
  if (tag === undefined || value === null || typeof value !== 'object') return null;
  const chosen = (value as { readonly [key: string]: unknown })[tag];
  const fits = (option: Schema) => resolved(option).properties?.[tag]?.const === chosen;
  const found = schema.oneOf?.find(fits);
  return found ? resolved(found) : null;
}

/**
 * Checks and normalises parsed request bodies before validation. `unsafeContent` rejects deep
 * nesting, prototype keys and infinite numbers without recursion. `readLeniently` applies the
 * fielded dialect (D3): null counts as an absent optional field, unknown fields are dropped.
 */

/** A body without its unknown fields, and the pointers of those fields. */
export interface LenientBody {
  readonly value: unknown;
  /** JSON pointers of the unknown fields, at most as many as a reply header can name. */
  readonly ignored: readonly string[];
}

type Fields = { readonly [key: string]: unknown };

const IGNORED_FIELDS_MAX = 32;

/** Normalises `value` by `schema`. The value must have passed `unsafeContent`. */
export function readLeniently(schema: Schema, value: unknown): LenientBody {
  const ignored: string[] = [];

  function read(part: Schema, partValue: unknown, path: string): unknown {
    const whole = resolved(part);
    if (Array.isArray(partValue)) {
      const items = whole.items;
      return items ? partValue.map((item, i) => read(items, item, `${path}/${i}`)) : partValue;
    }
    if (partValue === null || typeof partValue !== 'object') return partValue;
    const shape = whole.oneOf ? alternative(whole, partValue) : whole;
    return shape?.properties ? readFields(shape, partValue as Fields, path) : partValue;
  }

  function readFields(shape: Schema, fields: Fields, path: string): Fields {
    const kept: { [key: string]: unknown } = {};
    for (const [key, field] of Object.entries(fields)) {
      const here = path + pointerSegment(key);
      const known = Object.hasOwn(shape.properties!, key) ? shape.properties![key]! : null;
      if (known === null) {
        if (shape.additionalProperties !== false) kept[key] = field;
        else if (ignored.length < IGNORED_FIELDS_MAX) ignored.push(here);
      } else if (field !== null || keepsNull(shape, key, known)) {
        kept[key] = read(known, field, here);
      }
    }
    return kept;
  }

  return { value: read(schema, value, ''), ignored };
}

/** Whether a null stays for the validator: the field is required or nullable. */
function keepsNull(shape: Schema, key: string, field: Schema): boolean {
  const type = resolved(field).type;
  return shape.required?.includes(key) === true || (Array.isArray(type) && type.includes('null'));
}

const FORBIDDEN_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** An object or array to look into, and the way to it: its key and the visit of its parent. */
interface Visit {
  readonly value: object;
  readonly key: string | number | null;
  readonly parent: Visit | null;
  readonly depth: number;
}

/** The JSON pointer of a visited value. Built on demand: most bodies have no problem to report. */
function pointerOf(visit: Visit): string {
  const { key, parent } = visit;
  return parent === null ? '' : pointerOf(parent) + pointerSegment(String(key));
}

/** A key as an escaped segment of a JSON pointer. */
export function pointerSegment(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isTree(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

const SURROGATE = /\p{Surrogate}/u;

/** Whether a text has half of a surrogate pair, which UTF-8 cannot carry. */
function isBroken(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && SURROGATE.test(value);
}

function brokenText(path: string): Problem {
  return { path, problem: 'must be valid Unicode, but has half of a surrogate pair' };
}

/** The problem of a value without children: JSON numbers like 1e400 are read as infinite. */
function leafProblem(value: unknown, path: () => string): Problem | null {
  if (isBroken(value)) return brokenText(path());
  if (value !== Infinity && value !== -Infinity) return null;
  return { path: path(), problem: 'is beyond the range of a number (±1.8e308)' };
}

/** The value that is looked into, and the values that are still to be. */
interface Search {
  readonly at: Visit;
  readonly open: Visit[];
}

/** The first problem of a child; an object or array is added to `open`, to be looked into. */
function childProblem(child: unknown, key: string | number, { at, open }: Search): Problem | null {
  if (!isTree(child)) return leafProblem(child, () => pointerOf(at) + pointerSegment(String(key)));
  open.push({ value: child, key, parent: at, depth: at.depth + 1 });
  return null;
}

/** The first problem of a key and its child. */
function fieldProblem(key: string, search: Search): Problem | null {
  const { at } = search;
  if (FORBIDDEN_KEYS.includes(key)) {
    const path = pointerOf(at) + pointerSegment(key);
    return { path, problem: `is a forbidden key: remove ${key}` };
  }
  if (isBroken(key)) return brokenText(pointerOf(at) + pointerSegment(key));
  return childProblem((at.value as Fields)[key], key, search);
}

/** The first problem of the children of an object or array. */
function contentProblem(search: Search): Problem | null {
  const { value } = search.at;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const problem = childProblem(value[i], i, search);
      if (problem) return problem;
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const problem = fieldProblem(key, search);
    if (problem) return problem;
  }
  return null;
}

/** The first unsafe part of a parsed JSON value, or null when the value is safe to process. */
export function unsafeContent(value: unknown): Problem | null {
  if (!isTree(value)) return leafProblem(value, () => '');
  const open: Visit[] = [{ value, key: null, parent: null, depth: 1 }];
  for (let visit = open.pop(); visit; visit = open.pop()) {
    if (visit.depth > limits.nesting_levels) {
      return { path: '', problem: `must not nest deeper than ${limits.nesting_levels} levels` };
    }
    const problem = contentProblem({ at: visit, open });
    if (problem) return problem;
  }
  return null;
}

/** Whether a value has more than `most` values inside; counts no further than that. */
export function isLargerThan(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  let count = 0;
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (!isTree(part)) continue;
    const children = Array.isArray(part) ? part : Object.values(part);
    count += children.length;
    if (count > most) return true;
    for (const child of children) if (isTree(child)) open.push(child);
  }
  return false;
}
