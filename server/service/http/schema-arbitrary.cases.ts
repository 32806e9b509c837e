/** Test code: generates bodies from JSON schemas, valid ones and ones with a single error. */

import fc from 'fast-check';
import { resolved, type Schema } from '../../../contract/schemas.ts';
import { unsafeContent } from '../../../contract/unsafe-content.ts';

interface Bounds extends Schema {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

const ITEMS = 3;

/** The code points that are no characters by themselves. */
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

function numbers({ minimum, maximum, exclusiveMinimum, type }: Bounds): fc.Arbitrary<unknown> {
  const low = minimum ?? exclusiveMinimum ?? -1e6;
  const high = maximum ?? 1e6;
  if (type === 'integer') return fc.integer({ min: Math.ceil(low), max: Math.floor(high) });
  const among = fc.double({ min: low, max: high, noNaN: true });
  return fc.oneof(among, fc.constantFrom(low, high, Math.min(high, Math.max(low, 0))));
}

/** All characters. fast-check's own unit of them makes a map, which takes each worker seconds. */
const CHARACTERS = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((code) => String.fromCodePoint(code < FIRST_SURROGATE ? code : code + SURROGATES));

/** Text for a pattern comes from the schema's example; random text rarely matches. */
function texts(schema: Bounds): fc.Arbitrary<unknown> {
  if (schema.pattern !== undefined) {
    const known = (schema.examples ?? ['ada@example.org', '08:00:00']).map(String);
    return fc.oneof(fc.constantFrom(...known), fc.string({ maxLength: 20 }));
  }
  const minLength = schema.minLength ?? 0;
  const maxLength = Math.max(minLength, Math.min(schema.maxLength ?? 20, 40));
  return fc.string({ minLength, maxLength, unit: CHARACTERS });
}

function objects(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {});
  const shape = Object.fromEntries(
    fields.map(([key, field]) => [key, validBodies(field, depth - 1)]),
  );
  const requiredKeys = fields.map(([key]) => key).filter((key) => schema.required?.includes(key));
  return fc.record(shape, { requiredKeys, noNullPrototype: true });
}

/** Bodies that mostly match a schema; deep ones end in their examples. */
export function validBodies(given: Schema, depth = 7): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (depth <= 0) return fc.constant(schema.examples?.[0] ?? (schema.items ? [] : {}));
  if (schema.oneOf)
    return fc.oneof(...schema.oneOf.map((option) => validBodies(option, depth - 1)));
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(
    ...types.map((type) => {
      if (type === 'object') return objects(schema, depth);
      if (type === 'array') {
        const minLength = schema.minItems ?? 0;
        const maxLength = Math.min(schema.maxItems ?? ITEMS, Math.max(minLength, ITEMS));
        return fc.array(validBodies(schema.items ?? {}, depth - 1), { minLength, maxLength });
      }
      if (type === 'string') return texts(schema);
      if (type === 'boolean') return fc.boolean();
      return type === 'null' ? fc.constant(null) : numbers({ ...schema, type });
    }),
  );
}

type Tree = { [key: string]: unknown };

function places(value: unknown): { readonly at: Tree; readonly key: string }[] {
  if (value === null || typeof value !== 'object') return [];
  const at = value as Tree;
  return Object.keys(at).flatMap((key) => [{ at, key }, ...places(at[key])]);
}

const SPOILERS: readonly ((at: Tree, key: string) => void)[] = [
  (at, key) => delete at[key],
  (at, key) => {
    at[key] = null;
  },
  (at, key) => {
    at[key] = [at[key]];
  },
  (at, key) => {
    at[key] = { x: at[key] };
  },
  (at, key) => {
    at[key] = typeof at[key] === 'number' ? -1e9 : -1;
  },
  (at, key) => {
    at[key] = 1e308;
  },
  (at, key) => {
    at[key] = '';
  },
  (at, key) => {
    at[key] = 'x'.repeat(600);
  },
  (at, key) => {
    at[`${key}_`] = at[key];
  },
];

/** Bodies with a single error. */
export function invalidBodies(schema: Schema): fc.Arbitrary<unknown> {
  return fc
    .tuple(validBodies(schema), fc.nat(), fc.nat())
    .map(([body, place, spoiler]) => {
      const copy = structuredClone(body);
      const all = places(copy);
      const chosen = all[place % Math.max(1, all.length)];
      if (chosen) SPOILERS[spoiler % SPOILERS.length]!(chosen.at, chosen.key);
      return copy;
    })
    .filter((body) => unsafeContent(body) === null);
}
