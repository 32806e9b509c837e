/** The problems of a body that does not fit its schema: each a JSON pointer with a sentence. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { pointerSegment } from './json-pointer.ts';
import { limits } from './limits.ts';
import type { Problem } from './problem.ts';
import { type Schema, tagValues } from './schemas.ts';

type ProblemFormatter = (error: ErrorObject, schema: Schema) => string;

const LISTED_FIELDS_MAX = 12;

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
  const shown = known.slice(0, LISTED_FIELDS_MAX).join(', ');
  if (known.length === 0) return 'is not a known field: this object takes none';
  const more = known.length > LISTED_FIELDS_MAX ? ', …' : '';
  return `is not a known field; known fields: ${shown}${more}`;
}

function unknownTag(_: ErrorObject, schema: Schema): string {
  const tag = schema.discriminator!.propertyName;
  return `must have a ${tag} that is one of ${listed(tagValues(schema))}`;
}

const PROBLEM_FORMATTERS: { readonly [keyword: string]: ProblemFormatter } = {
  required: () => 'is missing, and it is required',
  additionalProperties: unknownField,
  type: (error) =>
    `must be ${[error.params['type']].flat().join(' or ')}, but is ${kindOf(error.data)}`,
  enum: (error) => `must be one of ${listed(error.params['allowedValues'])}`,
  const: (error) => `must be ${JSON.stringify(error.params['allowedValue'])}`,
  minimum: (error) => `must be at least ${error.params['limit']}`,
  maximum: (error) => `must be at most ${error.params['limit']}`,
  exclusiveMinimum: (error) => `must be above ${error.params['limit']}`,
  minLength: ({ params: { limit } }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`,
  maxLength: (error) => `must have at most ${error.params['limit']} characters`,
  minItems: itemCount,
  maxItems: itemCount,
  minProperties: (_, schema) =>
    `must have one of ${Object.keys(schema.properties ?? {}).join(', ')}`,
  discriminator: unknownTag,
};

/** The field that an error concerns, or null when it concerns the value itself. */
function fieldOf(error: ErrorObject): string | null {
  const { params, keyword } = error;
  if (keyword === 'required') return params['missingProperty'];
  if (keyword === 'additionalProperties') return params['additionalProperty'];
  return null;
}

/** The schema whose `x-problem` text, if any, describes an error. */
function reportingSchema(error: ErrorObject): Schema {
  const schema = error.parentSchema as Schema;
  const field = fieldOf(error);
  const own = error.keyword === 'required' && field !== null ? schema.properties?.[field] : null;
  return own?.['x-problem'] && own['x-decides'] ? own : schema;
}

const CUSTOM_TEXT_KEYWORDS: readonly string[] = ['not', 'anyOf', 'oneOf', 'const', 'pattern'];

function problemOf(error: ErrorObject): Problem {
  const schema = reportingSchema(error);
  const field = fieldOf(error);
  const path = error.instancePath + (field === null ? '' : pointerSegment(field));
  const usesCustomText =
    CUSTOM_TEXT_KEYWORDS.includes(error.keyword) || schema['x-decides'] === true;
  if (usesCustomText && schema['x-problem']) return { path, problem: schema['x-problem'] };
  const sentence = PROBLEM_FORMATTERS[error.keyword];
  return { path, problem: sentence?.(error, schema) ?? error.message ?? 'is not valid' };
}

/** Whether an error only follows from another one that is listed too. */
function isConsequence(error: ErrorObject): boolean {
  return error.keyword === 'if' || /\/(anyOf|oneOf|not|if)\//.test(error.schemaPath);
}

/** Whether another error at the same place names a narrower bound, which the value exceeds too. */
function isWiderBound(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  const sign = { maximum: 1, minimum: -1 }[error.keyword];
  if (sign === undefined) return false;
  return all.some(
    ({ keyword, instancePath, params }) =>
      keyword === error.keyword &&
      instancePath === error.instancePath &&
      sign * params['limit'] < sign * error.params['limit'],
  );
}

/** The problems of one body: the deciding ones (`x-decides`) if there are any, else all. */
export function problemsOf(errors: readonly ErrorObject[]): readonly Problem[] {
  const own = errors.filter((error) => !isConsequence(error));
  const deciding = own.filter((error) => reportingSchema(error)['x-decides']);
  const reported = (deciding.length > 0 ? deciding : own).filter(
    (error, _, all) => !isWiderBound(error, all),
  );
  return reported.slice(0, limits.reported_problems).map(problemOf);
}
