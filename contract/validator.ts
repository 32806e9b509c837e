/**
 * Validates JSON bodies against their schemas (spec §2, §4, §7). The only file that runs the
 * schema compiler (Ajv). Compiles each schema on first use, which keeps start-up fast.
 */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { BOUND_ARM } from '../arms/bound-arm.ts';
import { isLargerThan } from './json-tree.ts';
import { readLeniently } from './lenient-body.ts';
import { limits } from './limits.ts';
import type { Problem } from './problem.ts';
import { failure, type Result, success } from './result.ts';
import type { Dialect } from './routes/row.ts';
import { problemsOf } from './schema-problems.ts';
import { SCHEMA_FILES, type SchemaId, schemaAddress, schemaOf } from './schemas.ts';
import type { SchemaTypes } from './types.generated.ts';
import { unsafeContent } from './unsafe-content.ts';

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
  ajv.addVocabulary(['x-problem', 'x-decides', 'x-limit', 'x-documented', 'tsType']);
  for (const file of SCHEMA_FILES) ajv.addSchema(file);
  return ajv;
}

function checkOf(id: SchemaId, mode: Thoroughness): ValidateFunction {
  const known = compiled.get(`${mode} ${id}`);
  if (known) return known;
  // The build knows the ratings of the default arm only.
  const isAhead = mode === 'all' && BOUND_ARM.fingerprint === '';
  const check = (isAhead ? compiledAhead(id) : null) ?? compile(id, mode);
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
