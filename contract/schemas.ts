/**
 * Looks up JSON schemas by type name and resolves references between schema files. Used by the
 * validator, the lenient reader and the API documents; does not import the schema compiler.
 */

import { BOUND_ARM } from '../arms/bound-arm.ts';
import { limits } from './limits.ts';
import calc from './schema/calc.json' with { type: 'json' };
import cell from './schema/cell.json' with { type: 'json' };
import common from './schema/common.json' with { type: 'json' };
import config from './schema/config.json' with { type: 'json' };
import controls from './schema/controls.json' with { type: 'json' };
import data from './schema/data.json' with { type: 'json' };
import errors from './schema/errors.json' with { type: 'json' };
import events from './schema/events.json' with { type: 'json' };
import lock from './schema/lock.json' with { type: 'json' };
import session from './schema/session.json' with { type: 'json' };
import sim from './schema/sim.json' with { type: 'json' };
import toolpath from './schema/toolpath.json' with { type: 'json' };
import trajectory from './schema/trajectory.json' with { type: 'json' };
import users from './schema/users.json' with { type: 'json' };
import webhooks from './schema/webhooks.json' with { type: 'json' };
import workflow from './schema/workflow.json' with { type: 'json' };
import type { SchemaTypes } from './types.generated.ts';

/** The name of a type that a schema describes. */
export type SchemaId = keyof SchemaTypes;

/** The keywords of JSON Schema 2020-12 that the schemas use, and five of our own. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
  readonly minItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly maxItems?: number;
  readonly examples?: readonly unknown[];
  /** The message for the sender when this schema fails, instead of a generated one. */
  readonly 'x-problem'?: string;
  /** A failure of this schema suppresses all other problems of the body. */
  readonly 'x-decides'?: boolean;
  /** The limit that `maximum` is: a rating of the arm, which another arm has otherwise. */
  readonly 'x-limit'?: string;
  /**
   * What documents show in place of this schema, where code checks more than the schema: part by
   * part with messages of its own.
   */
  readonly 'x-documented'?: Schema;
  /** The schema has the properties of this one of the same file, all optional, also in its parts. */
  readonly 'x-partial-of'?: string;
}

/** One file of contract/schema. */
export interface SchemaFile {
  readonly $id: string;
  readonly $defs: { readonly [name: string]: Schema };
}

type Definitions = SchemaFile['$defs'];

function mapValues(record: Definitions, change: (schema: Schema) => Schema): Definitions {
  return Object.fromEntries(Object.entries(record).map(([name, one]) => [name, change(one)]));
}

/** An object schema in which no property is required, nor in the parts of the same file. */
function partialOf($defs: Definitions, name: string, isPart = false): Schema {
  const { required, description, examples, ...rest } = $defs[name]!;
  const properties = mapValues(rest.properties!, (property) => {
    const part = property.$ref?.replace('#/$defs/', '') ?? '';
    return !isPart && $defs[part]?.properties ? partialOf($defs, part, true) : property;
  });
  return { ...rest, properties };
}

function withPartials({ $defs, ...file }: SchemaFile): SchemaFile {
  const whole = mapValues($defs, ({ 'x-partial-of': name, ...schema }) =>
    name === undefined ? schema : { ...schema, ...partialOf($defs, name) },
  );
  return { ...file, $defs: whole };
}

/** The schema with the ratings of this process's arm in place of those of the default one. */
function withRatings<Part>(schema: Part): Part {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withRatings) as Part;
  const parts = Object.entries(schema).map(([name, value]) => [name, withRatings(value)] as const);
  const name = (schema as Schema)['x-limit'] as keyof typeof limits | undefined;
  const rating = name === undefined ? {} : { maximum: limits[name] };
  return { ...Object.fromEntries(parts), ...rating } as Part;
}

const hasDefaultArm = BOUND_ARM.fingerprint === '';

/** Every file of contract/schema, with `x-partial-of` expanded. */
export const SCHEMA_FILES: readonly SchemaFile[] = [
  calc,
  cell,
  common,
  config,
  controls,
  data,
  errors,
  events,
  lock,
  session,
  sim,
  toolpath,
  trajectory,
  users,
  webhooks,
  workflow,
].map((file: SchemaFile) => withPartials(hasDefaultArm ? file : withRatings(file)));

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
