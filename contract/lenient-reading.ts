/**
 * Reads a body the way arms in the field do: null stands for an absent optional field, and
 * unknown fields are dropped. Walks the schema beside the value before validation, because a
 * validator can only refuse such bodies (decision D3).
 */
import { pointerStep } from './body-guard.ts';
import { alternative, resolved, type Schema } from './schemas.ts';

/** A body without what was dropped, and where the dropped fields stood. */
export interface LenientBody {
  readonly value: unknown;
  /** JSON pointers of the unknown fields, at most as many as a reply header can name. */
  readonly ignored: readonly string[];
}

type Fields = { readonly [key: string]: unknown };

const NAMED_FIELDS = 32;

/** Reads `value` by `schema`. The value must have passed the body guard. */
export function readLeniently(schema: Schema, value: unknown): LenientBody {
  const ignored: string[] = [];
  return { value: read(schema, value, '', ignored), ignored };
}

function read(schema: Schema, value: unknown, path: string, ignored: string[]): unknown {
  const whole = resolved(schema);
  if (Array.isArray(value)) {
    const items = whole.items;
    return items ? value.map((item, i) => read(items, item, `${path}/${i}`, ignored)) : value;
  }
  if (value === null || typeof value !== 'object') return value;
  const shape = whole.oneOf ? alternative(whole, value) : whole;
  if (!shape?.properties) return value;
  return readFields(shape, value as Fields, path, ignored);
}

function readFields(shape: Schema, fields: Fields, path: string, ignored: string[]): Fields {
  const kept: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(fields)) {
    const here = path + pointerStep(key);
    const field = Object.hasOwn(shape.properties!, key) ? shape.properties![key]! : null;
    if (field === null) {
      if (shape.additionalProperties !== false) kept[key] = value;
      else if (ignored.length < NAMED_FIELDS) ignored.push(here);
    } else if (value !== null || isNeeded(shape, key, field)) {
      kept[key] = read(field, value, here, ignored);
    }
  }
  return kept;
}

/** Whether a null must be left for the validator to judge. */
function isNeeded(shape: Schema, key: string, field: Schema): boolean {
  const type = resolved(field).type;
  return shape.required?.includes(key) === true || (Array.isArray(type) && type.includes('null'));
}
