/**
 * Reads bodies in the fielded dialect (D3): null counts as an absent optional field, unknown
 * fields are dropped.
 */

import { pointerSegment } from './json-pointer.ts';
import type { Fields } from './json-tree.ts';
import { alternative, resolved, type Schema } from './schemas.ts';

/** A body without its unknown fields, and the pointers of those fields. */
export interface LenientBody {
  readonly value: unknown;
  /** JSON pointers of the unknown fields, at most as many as a reply header can name. */
  readonly ignored: readonly string[];
}

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
