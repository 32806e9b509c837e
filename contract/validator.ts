/**
 * Validates JSON bodies against their schemas (spec §2, §4, §7) and formats each error as a JSON
 * pointer with a sentence. The only file that imports the schema compiler (Ajv). Compiles each
 * schema on first use, which keeps start-up fast. Also: what schemas cannot say of hooks.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { limits } from './limits.ts';
import { failure, type Problem, type Result, success } from './refusal.ts';
import type { Dialect } from './routes/row.ts';
import {
  isLargerThan,
  pointerSegment,
  readLeniently,
  SCHEMA_FILES,
  type Schema,
  type SchemaId,
  schemaAddress,
  schemaOf,
  tagValues,
  unsafeContent,
} from './schemas.ts';
import type { Hook, HookTypeName, SchemaTypes } from './types.ts';

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

/** The problems of one body: the deciding ones (`x-decides`) if there are any, else all. */
export function problemsOf(errors: readonly ErrorObject[]): readonly Problem[] {
  const own = errors.filter((error) => !isConsequence(error));
  const deciding = own.filter((error) => reportingSchema(error)['x-decides']);
  const reported = deciding.length > 0 ? deciding : own;
  return reported.slice(0, limits.reported_problems).map(problemOf);
}

/** A body that fits its schema. */
export interface ValidBody<Type> {
  readonly value: Type;
  /** JSON pointers of fields that were dropped; empty in the documented dialect. */
  readonly ignored: readonly string[];
}

/** Finds a validator that the build compiled ahead, which replaces this line: sources have none. */
const compiledAhead = (_id: SchemaId): ValidateFunction | null => null;

/** Validators that list all problems of a body, or stop at the first one. */
type Thoroughness = 'all' | 'first';

const compilers: { [mode in Thoroughness]?: Ajv2020 } = {};
const compiled = new Map<string, ValidateFunction>();

/** Creates a schema compiler; `isAhead` for the build, which keeps the generated code. */
export function createCompiler(mode: Thoroughness, isAhead = false): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: mode === 'all',
    verbose: true,
    discriminator: true,
    strictRequired: false,
    strictTypes: false,
    strictTuples: false,
    validateSchema: false,
    // Half of the time to compile a schema; V8 optimises the generated code anyway.
    code: { optimize: isAhead, source: isAhead },
  });
  ajv.addVocabulary(['x-problem', 'x-decides', 'x-documented-enum', 'tsType']);
  for (const file of SCHEMA_FILES) ajv.addSchema(file);
  return ajv;
}

function checkOf(id: SchemaId, mode: Thoroughness): ValidateFunction {
  const known = compiled.get(`${mode} ${id}`);
  if (known) return known;
  const check = (mode === 'all' ? compiledAhead(id) : null) ?? compile(id, mode);
  compiled.set(`${mode} ${id}`, check);
  return check;
}

function compile(id: SchemaId, mode: Thoroughness): ValidateFunction {
  compilers[mode] ??= createCompiler(mode);
  return compilers[mode].getSchema(schemaAddress(id))!;
}

/** Compiles a schema ahead of its first use, which takes milliseconds. */
export function compileSchema(id: SchemaId): void {
  checkOf(id, 'all');
}

/**
 * Validates a parsed JSON value. In the fielded dialect null counts as absent for optional fields,
 * and unknown fields are dropped and listed in `ignored`; the value is then a copy. Returns at most
 * `limits.reported_problems` problems, and only the first one of a body with more than
 * `limits.listed_values` values.
 */
export function validate<Id extends SchemaId>(
  id: Id,
  value: unknown,
  options: { readonly dialect: Dialect },
): Result<ValidBody<SchemaTypes[Id]>, readonly Problem[]> {
  const unfit = unsafeContent(value);
  if (unfit) return failure([unfit]);
  const lenient = options.dialect === 'fielded';
  const body = lenient ? readLeniently(schemaOf(id), value) : { value, ignored: [] };
  // The time to list all problems grows with the square of their number.
  const check = checkOf(id, isLargerThan(body.value, limits.listed_values) ? 'first' : 'all');
  if (!check(body.value)) return failure(problemsOf(check.errors ?? []));
  return success({ value: body.value as SchemaTypes[Id], ignored: body.ignored });
}

/**
 * What schemas cannot say of webhook definitions: the event type of a hook (webhooks §2.1, §2.2,
 * D42), and its custom headers, which cannot override headers that the sender sets or that frame
 * the message.
 */

const BY_FILTER: { readonly [Filter in NonNullable<Hook['filter']>]: HookTypeName } = {
  on_run_state_change: 'RunStateChangeHook',
  on_task_state_change: 'TaskStateChangeHook',
  on_safety_state_change: 'SafetyStateChangeHook',
  on_labware_movement: 'LabwareMovementHook',
  on_new_plan: 'NewPlanHook',
};

/** The type of a hook: from `type`, the deprecated `filter`, or type-specific fields; else null. */
export function hookTypeOf(hook: Hook): HookTypeName | null {
  if (hook.type !== undefined) return hook.type;
  if (hook.filter !== undefined) return BY_FILTER[hook.filter];
  if (hook.task_ids !== undefined) return 'TaskStateChangeHook';
  if (hook.labware_ids !== undefined || hook.trigger_on !== undefined) return 'LabwareMovementHook';
  return null;
}

const NAME = /^[A-Za-z0-9-]{1,64}$/;
const VALUE = /^[\t\x20-\x7e]{0,1024}$/;
const OWN = /^(content-(type|length|encoding)|user-agent|webhook-.*|x-hook-.*)$/;
const FRAMING =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/;

/** The problem of one custom header, or null. */
function hookHeaderProblem(name: string, value: unknown): string | null {
  if (!NAME.test(name) || typeof value !== 'string' || !VALUE.test(value)) {
    return 'must be a valid header name with a printable text value';
  }
  const lower = name.toLowerCase();
  if (OWN.test(lower)) return 'is set by the sender; remove it';
  return FRAMING.test(lower) ? 'controls the framing of the message; remove it' : null;
}

/** The problems of the custom headers of a hook, by header name; no more than a reply lists. */
export function hookHeaderProblems(headers: object = {}): (readonly [string, string])[] {
  const names = Object.keys(headers);
  if (names.length > limits.hook_headers) {
    return [[names[limits.hook_headers]!, `is one of more than ${limits.hook_headers} headers`]];
  }
  const problems: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const fault = hookHeaderProblem(name, value);
    if (fault !== null) problems.push([name, fault]);
    if (problems.length >= limits.reported_problems) break;
  }
  return problems;
}
