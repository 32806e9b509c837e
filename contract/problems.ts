/**
 * Turns the errors of the schema compiler into sentences that a person can act on, each with the
 * place in the body. Apart from the validator because wording is a matter of its own.
 */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { pointerStep } from './body-guard.ts';
import { limits } from './limits.ts';
import type { Problem } from './result.ts';
import type { Schema } from './schemas.ts';

type Sentence = (error: ErrorObject, schema: Schema) => string;

const KNOWN_FIELDS_NAMED = 12;

function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function itemCount(error: ErrorObject, schema: Schema): string {
  const { minItems, maxItems } = schema;
  const held = `but has ${(error.data as readonly unknown[]).length}`;
  if (minItems === maxItems) return `must have exactly ${minItems} items, ${held}`;
  const bound = error.keyword === 'minItems' ? `at least ${minItems}` : `at most ${maxItems}`;
  return `must have ${bound} items, ${held}`;
}

function unknownField(_: ErrorObject, schema: Schema): string {
  const known = Object.keys(schema.properties ?? {});
  const shown = known.slice(0, KNOWN_FIELDS_NAMED).join(', ');
  if (known.length === 0) return 'is not a known field: none is known here';
  return `is not a known field; known here: ${shown}${known.length > KNOWN_FIELDS_NAMED ? ', …' : ''}`;
}

function tagSentence(_: ErrorObject, schema: Schema): string {
  const tag = schema.discriminator!.propertyName;
  return `must have a known ${tag}; see the documentation for the kinds that may stand here`;
}

const sentences: { readonly [keyword: string]: Sentence } = {
  required: () => 'is missing, and it is required',
  additionalProperties: unknownField,
  type: (error) =>
    `must be ${[error.params['type']].flat().join(' or ')}, but is ${kindOf(error.data)}`,
  enum: (error) => `must be one of ${listed(error.params['allowedValues'])}`,
  const: (error) => `must be ${JSON.stringify(error.params['allowedValue'])}`,
  minimum: (error) => `must be at least ${error.params['limit']}`,
  maximum: (error) => `must be at most ${error.params['limit']}`,
  exclusiveMinimum: (error) => `must be above ${error.params['limit']}`,
  minLength: (error) => `must have at least ${error.params['limit']} characters`,
  maxLength: (error) => `must have at most ${error.params['limit']} characters`,
  minItems: itemCount,
  maxItems: itemCount,
  minProperties: (_, schema) =>
    `must have one of ${Object.keys(schema.properties ?? {}).join(', ')}`,
  discriminator: tagSentence,
};

/** The field that an error is about, where it is not the value itself. */
function fieldOf(error: ErrorObject): string | null {
  const { params, keyword } = error;
  if (keyword === 'required') return params['missingProperty'];
  if (keyword === 'additionalProperties') return params['additionalProperty'];
  return null;
}

/** The schema whose own words, if it has any, tell about an error. */
function speaker(error: ErrorObject): Schema {
  const schema = error.parentSchema as Schema;
  const field = fieldOf(error);
  const own = error.keyword === 'required' && field !== null ? schema.properties?.[field] : null;
  return own?.['x-problem'] && own['x-decides'] ? own : schema;
}

const SPOKEN: readonly string[] = ['not', 'anyOf', 'const', 'pattern'];

function problemOf(error: ErrorObject): Problem {
  const schema = speaker(error);
  const field = fieldOf(error);
  const path = error.instancePath + (field === null ? '' : pointerStep(field));
  const ownWords = SPOKEN.includes(error.keyword) || schema['x-decides'] === true;
  if (ownWords && schema['x-problem']) return { path, problem: schema['x-problem'] };
  const sentence = sentences[error.keyword];
  return { path, problem: sentence?.(error, schema) ?? error.message ?? 'is not valid' };
}

/** Errors that only say that another one, which is listed too, happened. */
function isEcho(error: ErrorObject): boolean {
  return error.keyword === 'if' || /\/(anyOf|not|if)\//.test(error.schemaPath);
}

/** The problems behind the errors of one body: all, or only those that decide alone. */
export function problemsOf(errors: readonly ErrorObject[]): readonly Problem[] {
  const own = errors.filter((error) => !isEcho(error));
  const deciding = own.filter((error) => speaker(error)['x-decides']);
  const told = deciding.length > 0 ? deciding : own;
  return told.slice(0, limits.reported_problems).map(problemOf);
}
