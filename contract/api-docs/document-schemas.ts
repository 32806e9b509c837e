/**
 * Converts the JSON schemas for OpenAPI and AsyncAPI documents: references point into
 * `components.schemas`, discriminators get their mapping, and every field a description with its
 * unit.
 */

import {
  referenceName,
  resolved,
  SCHEMA_IDS,
  type Schema,
  type SchemaId,
  schemaOf,
} from '../schemas.ts';
import { documentNotes } from './field-notes.ts';

/** A JSON object of a document. */
export type Json = { readonly [key: string]: unknown };

const POOL = '#/components/schemas/';
/** Keywords of this project that documents must not contain. */
const INTERNAL_KEYWORDS: readonly string[] = ['x-problem', 'x-decides', 'x-limit', 'tsType'];

function tagMapping(schema: Schema): Json {
  const tag = schema.discriminator!.propertyName;
  const options = schema.oneOf!.map((option) => {
    const reference = POOL + referenceName(option.$ref!);
    return [String(resolved(option).properties![tag]!.const), reference] as const;
  });
  return { propertyName: tag, mapping: Object.fromEntries(options) };
}

/** The values of the tag of a union. */
function tagSchema({ oneOf = [] }: Schema, tag: string): Schema {
  const values = oneOf.map((option) => resolved(option).properties![tag]!.const);
  return { type: 'string', enum: values, description: 'Which member of the union it is.' };
}

/** The schema with a definition of every required property, as linters expect. */
function withRequired(schema: Schema): Schema {
  const { required, properties = {}, discriminator } = schema;
  const missing = Array.isArray(required) ? required.filter((name) => !(name in properties)) : [];
  if (missing.length === 0) return schema;
  const added = missing.map((name) => {
    const isTag = name === discriminator?.propertyName;
    return [name, isTag ? tagSchema(schema, name) : {}] as const;
  });
  return { ...schema, properties: { ...properties, ...Object.fromEntries(added) } };
}

/** How a schema is written into a document. */
interface SchemaStyle {
  /** For AsyncAPI: a reference has no sibling keywords there, and discriminators are left out. */
  readonly bare?: boolean;
  /** Unknown fields are accepted. */
  readonly open?: boolean;
}

function publicSchema(value: unknown, style: SchemaStyle): unknown {
  if (Array.isArray(value)) return value.map((item) => publicSchema(item, style));
  if (value === null || typeof value !== 'object') return value;
  const schema = value as Schema;
  if (style.bare && schema.$ref) return poolReference(referenceName(schema.$ref));
  const hidden = [...INTERNAL_KEYWORDS, ...(style.bare ? ['discriminator'] : [])];
  const isHidden = (key: string, item: unknown) =>
    hidden.includes(key) || (style.open && key === 'additionalProperties' && item === false);
  const entries = Object.entries(withRequired(schema)).filter(
    ([key, item]) => !isHidden(key, item),
  );
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (key === '$ref') return [key, POOL + referenceName(String(item))];
      if (key === 'discriminator') return [key, tagMapping(schema)];
      return [key, key === 'examples' ? item : publicSchema(item, style)];
    }),
  );
}

/** Parts of a schema that describe the same value or its items. */
const PARTS = ['items', 'oneOf', 'anyOf', 'allOf'] as const;

/** The schema with the descriptions of its fields, by the path to the field. */
function described(schema: Schema, notes: Readonly<Record<string, string>>, path = ''): Schema {
  const copy: { [key: string]: unknown } = { ...schema };
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const at = path + name;
      const inner = described(field, notes, `${at}.`);
      return [name, notes[at] ? { ...inner, description: notes[at] } : inner] as const;
    });
    copy['properties'] = Object.fromEntries(fields);
  }
  for (const key of PARTS) {
    const part = copy[key] as Schema | readonly Schema[] | undefined;
    if (Array.isArray(part)) copy[key] = part.map((one) => described(one, notes, path));
    else if (part) copy[key] = described(part as Schema, notes, path);
  }
  return copy;
}

/** The schema with what documents show in place of its parts (`x-documented`). */
export function documentedForm<Part>(value: Part): Part {
  if (Array.isArray(value)) return value.map(documentedForm) as Part;
  if (value === null || typeof value !== 'object') return value;
  const { 'x-documented': shown, ...own } = value as Schema;
  const { description } = own;
  const form = shown ? { ...(description && { description }), ...shown } : own;
  const entries = Object.entries(form).map(([key, part]) => {
    return [key, key === 'examples' ? part : documentedForm(part)] as const;
  });
  return Object.fromEntries(entries) as Part;
}

function documentSchema(id: SchemaId, style: SchemaStyle): unknown {
  const schema = documentedForm(schemaOf(id));
  return publicSchema(described(schema, documentNotes(id, schema)), style);
}

function reachableFrom(roots: readonly SchemaId[]): SchemaId[] {
  const reached = new Set(roots);
  for (const id of reached) {
    const text = JSON.stringify(schemaOf(id));
    for (const [, name] of text.matchAll(/"\$ref":"[^"]*\/(\w+)"/g)) reached.add(name as SchemaId);
  }
  return SCHEMA_IDS.filter((id) => reached.has(id));
}

/** The tight schema of workflow definitions; unknown keys in them are stored (D3). */
export const DOCUMENTED_AS: Partial<Record<SchemaId, SchemaId>> = {
  WorkflowDocument: 'WorkflowDefinition',
};

/** The named schemas and those that they refer to, for an OpenAPI document. */
export function schemaPool(roots: readonly SchemaId[]): Json {
  const wanted = roots.map((id) => DOCUMENTED_AS[id] ?? id);
  const open = new Set(reachableFrom(['WorkflowDefinition']));
  const known = reachableFrom(wanted);
  return Object.fromEntries(known.map((id) => [id, documentSchema(id, { open: open.has(id) })]));
}

/** The named schemas and those that they refer to, for an AsyncAPI document. */
export function reachableSchemas(roots: readonly SchemaId[]): Json {
  const known = reachableFrom(roots);
  return Object.fromEntries(known.map((id) => [id, documentSchema(id, { bare: true })]));
}

/** A reference into the pool. */
export function poolReference(name: string): Json {
  return { $ref: POOL + (DOCUMENTED_AS[name as SchemaId] ?? name) };
}
