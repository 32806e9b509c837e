/** A value that fits a schema: an example for the documents. */
import { resolved, type Schema } from '../schemas.ts';
import type { Json } from './document-schemas.ts';

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

function exampleOfPlain({ type, minimum = 1 }: Schema): unknown {
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') return Math.max(1, minimum);
  return kind === 'string' ? 'text' : {};
}
