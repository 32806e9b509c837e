/**
 * Checks and normalises parsed request bodies before validation. `unsafeContent` rejects deep
 * nesting and prototype keys without recursion. `readLeniently` applies the fielded dialect (D3):
 * null counts as an absent optional field, unknown fields are dropped.
 */
import { limits } from './limits.ts';
import type { Problem } from './result.ts';
import { alternative, resolved, type Schema } from './schemas.ts';

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

interface Visit {
  readonly value: object;
  readonly path: string;
  readonly depth: number;
}

/** A key as an escaped segment of a JSON pointer. */
export function pointerSegment(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isTree(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

/** Whether a text has half of a surrogate pair, which UTF-8 cannot carry. */
function isBroken(value: unknown): boolean {
  return typeof value === 'string' && /\p{Surrogate}/u.test(value);
}

function brokenText(path: string): Problem {
  return { path, problem: 'must be valid Unicode, but has half of a surrogate pair' };
}

/** The first unsafe part of a parsed JSON value, or null when the value is safe to process. */
export function unsafeContent(value: unknown): Problem | null {
  if (isBroken(value)) return brokenText('');
  const open: Visit[] = isTree(value) ? [{ value, path: '', depth: 1 }] : [];
  for (let visit = open.pop(); visit; visit = open.pop()) {
    const { path, depth } = visit;
    if (depth > limits.nesting_levels) {
      return { path: '', problem: `must not nest deeper than ${limits.nesting_levels} levels` };
    }
    for (const [key, child] of Object.entries(visit.value)) {
      const here = path + pointerSegment(key);
      if (FORBIDDEN_KEYS.includes(key)) {
        return { path: here, problem: `is a forbidden key: remove ${key}` };
      }
      if (isBroken(child) || isBroken(key)) return brokenText(here);
      if (isTree(child)) open.push({ value: child, path: here, depth: depth + 1 });
    }
  }
  return null;
}
