/**
 * Schemas as documents show them: references into one pool, tags with their mapping, and an
 * example of every type. Apart from api-docs.ts, which arranges endpoints around them.
 */
import { referenceName, resolved, SCHEMA_IDS, type Schema, schemaOf } from './schemas.ts';

/** A JSON object of a document. */
export type Json = { readonly [key: string]: unknown };

const POOL = '#/components/schemas/';
/** Keywords that mean something to this house alone. */
const OWN: readonly string[] = ['x-problem', 'x-decides', 'tsType'];

function tagMapping(schema: Schema): Json {
  const tag = schema.discriminator!.propertyName;
  const options = schema.oneOf!.map((option) => {
    const reference = POOL + referenceName(option.$ref!);
    return [String(resolved(option).properties![tag]!.const), reference] as const;
  });
  return { propertyName: tag, mapping: Object.fromEntries(options) };
}

function shown(value: unknown, bare: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => shown(item, bare));
  if (value === null || typeof value !== 'object') return value;
  const schema = value as Schema;
  if (bare && schema.$ref) return poolReference(referenceName(schema.$ref));
  const entries = Object.entries(schema).filter(([key]) => !OWN.includes(key));
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (key === '$ref') return [key, POOL + referenceName(String(item))];
      if (key === 'discriminator') return [key, tagMapping(schema)];
      return [key, key === 'examples' ? item : shown(item, bare)];
    }),
  );
}

/**
 * Every schema under its name, fit for `components.schemas`. References stand bare where the
 * document allows nothing beside them.
 */
export function schemaPool({ bare }: { readonly bare: boolean }): Json {
  return Object.fromEntries(SCHEMA_IDS.map((id) => [id, shown(schemaOf(id), bare)]));
}

/** A reference into the pool. */
export function poolReference(name: string): Json {
  return { $ref: POOL + name };
}

/** A value that fits a schema: its own example, or one put together from its parts. */
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
