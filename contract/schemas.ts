/**
 * Looks up JSON schemas by type name and resolves references between schema files. Used by the
 * validator, the lenient reader and the API documents; does not import the schema compiler.
 */

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
