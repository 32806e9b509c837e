/**
 * Judges bodies by their schemas: the only place that knows the schema compiler. Each schema is
 * compiled when it is first needed, so that a start pays for none (spec §2, §4, §7).
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { guardProblem } from './body-guard.ts';
import { readLeniently } from './lenient-reading.ts';
import { problemsOf } from './problems.ts';
import { failure, type Problem, type Result, success } from './result.ts';
import type { Dialect } from './routes/row.ts';
import { SCHEMA_FILES, type SchemaId, schemaAddress, schemaOf } from './schemas.ts';
import type { SchemaTypes } from './types.ts';

/** A body that fits its schema. */
export interface ValidBody<Type> {
  readonly value: Type;
  /** JSON pointers of fields that were dropped; empty in the documented dialect. */
  readonly ignored: readonly string[];
}

let compiler: Ajv2020 | null = null;
const compiled = new Map<SchemaId, ValidateFunction>();

function createCompiler(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    discriminator: true,
    strictRequired: false,
    strictTypes: false,
    strictTuples: false,
    validateSchema: false,
  });
  ajv.addVocabulary(['x-problem', 'x-decides', 'tsType']);
  for (const file of SCHEMA_FILES) ajv.addSchema(file);
  return ajv;
}

function checkOf(id: SchemaId): ValidateFunction {
  const known = compiled.get(id);
  if (known) return known;
  compiler ??= createCompiler();
  const check = compiler.getSchema(schemaAddress(id))!;
  compiled.set(id, check);
  return check;
}

/**
 * Judges a parsed JSON value. In the fielded dialect null counts as absent where a field is
 * optional, and unknown fields are dropped and named in `ignored`; the value is then a copy.
 * The problems are sentences with JSON pointers, at most as many as limits.ts says.
 */
export function validate<Id extends SchemaId>(
  id: Id,
  value: unknown,
  options: { readonly dialect: Dialect },
): Result<ValidBody<SchemaTypes[Id]>, readonly Problem[]> {
  const unfit = guardProblem(value);
  if (unfit) return failure([unfit]);
  const lenient = options.dialect === 'fielded';
  const body = lenient ? readLeniently(schemaOf(id), value) : { value, ignored: [] };
  const check = checkOf(id);
  if (!check(body.value)) return failure(problemsOf(check.errors ?? []));
  return success({ value: body.value as SchemaTypes[Id], ignored: body.ignored });
}
