/**
 * Converts the JSON schemas for OpenAPI and AsyncAPI documents: references point into
 * `components.schemas`, discriminators get their mapping, and every type gets an example.
 */
import {
  referenceName,
  resolved,
  SCHEMA_IDS,
  type Schema,
  type SchemaId,
  schemaOf,
} from './schemas.ts';

/** A JSON object of a document. */
export type Json = { readonly [key: string]: unknown };

const POOL = '#/components/schemas/';
/** Keywords of this project that documents must not contain. */
const INTERNAL_KEYWORDS: readonly string[] = ['x-problem', 'x-decides', 'tsType'];

function tagMapping(schema: Schema): Json {
  const tag = schema.discriminator!.propertyName;
  const options = schema.oneOf!.map((option) => {
    const reference = POOL + referenceName(option.$ref!);
    return [String(resolved(option).properties![tag]!.const), reference] as const;
  });
  return { propertyName: tag, mapping: Object.fromEntries(options) };
}

function publicSchema(value: unknown, bare: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => publicSchema(item, bare));
  if (value === null || typeof value !== 'object') return value;
  const schema = value as Schema;
  if (bare && schema.$ref) return poolReference(referenceName(schema.$ref));
  const hidden = bare ? [...INTERNAL_KEYWORDS, 'discriminator'] : INTERNAL_KEYWORDS;
  const entries = Object.entries(schema).filter(([key]) => !hidden.includes(key));
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (key === '$ref') return [key, POOL + referenceName(String(item))];
      if (key === 'discriminator') return [key, tagMapping(schema)];
      return [key, key === 'examples' ? item : publicSchema(item, bare)];
    }),
  );
}

/** The schemas by name, for `components.schemas` of an OpenAPI document. */
export function schemaPool(): Json {
  return Object.fromEntries(SCHEMA_IDS.map((id) => [id, publicSchema(schemaOf(id), false)]));
}

/**
 * The named schemas and those that they refer to, for `components.schemas` of an AsyncAPI document:
 * a reference has no sibling keywords there. Discriminators are left out: linters do not agree on
 * their form, and the tag of each variant is a constant.
 */
export function reachableSchemas(roots: readonly SchemaId[]): Json {
  const reached = new Set(roots);
  for (const id of reached) {
    const text = JSON.stringify(schemaOf(id));
    for (const [, name] of text.matchAll(/"\$ref":"[^"]*\/(\w+)"/g)) reached.add(name as SchemaId);
  }
  const known = SCHEMA_IDS.filter((id) => reached.has(id));
  return Object.fromEntries(known.map((id) => [id, publicSchema(schemaOf(id), true)]));
}

/** A reference into the pool. */
export function poolReference(name: string): Json {
  return { $ref: POOL + name };
}

/** A value that fits a schema: the example of the schema, or one built from its parts. */
export function exampleOf(schema: Schema): unknown {
  const whole = resolved(schema);
  if (whole.examples) return whole.examples[0];
  if (whole.const !== undefined) return whole.const;
  if (whole.enum) return whole.enum[0];
  if (whole.oneOf) return exampleOf(whole.oneOf[0]!);
  if (whole.properties) return exampleOfObject(whole);
  if (whole.items) {
    return Array.from({ length: whole.minItems ?? 1 }, () => exampleOf(whole.items!));
  }
  return exampleOfPlain(whole);
}

function exampleOfObject(schema: Schema): Json {
  const names = schema.required ?? Object.keys(schema.properties!);
  return Object.fromEntries(names.map((name) => [name, exampleOf(schema.properties![name]!)]));
}

function exampleOfPlain({ type }: Schema): unknown {
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') return 1;
  return kind === 'string' ? 'text' : {};
}
