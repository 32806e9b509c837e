/** Generates the types of contract/schema (spec §2, §4). */
import { readdirSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { tsImport } from 'tsx/esm/api';

const FOLDER = 'contract/schema';
export const TYPES_FILE = 'contract/types.generated.ts';

const load = (path) => tsImport(`../../contract/${path}`, import.meta.url);

/** Applies `change` to every value of a JSON document, children first. */
function mapJson(value, change) {
  if (Array.isArray(value)) return change(value.map((item) => mapJson(item, change)));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, item]) => [key, mapJson(item, change)]);
  return change(Object.fromEntries(entries));
}

function mapEntries(record, change) {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, change(value, key)]),
  );
}

/** Removes what TypeScript types cannot express: bounds of long arrays, rules between fields. */
function withoutRules(schema) {
  if (Array.isArray(schema)) return schema;
  const { not, if: condition, then, else: otherwise, minItems, maxItems, ...stated } = schema;
  const { 'x-documented': documented, ...rest } = stated;
  if (rest.anyOf?.every((choice) => choice.required)) delete rest.anyOf;
  if (rest.oneOf) {
    const { title, description, oneOf } = rest;
    return { ...(title && { title }), ...(description && { description }), oneOf };
  }
  const isTuple = typeof minItems === 'number' && minItems === maxItems;
  if (rest.$ref) return { $ref: rest.$ref.replace(/^\w+\.json/, '') };
  return { ...rest, ...(isTuple && { minItems, maxItems }) };
}

/** Gives each field of a schema and its parts a description; named types stay names. */
function withNotes(owner, fieldNote) {
  return (schema) => {
    if (Array.isArray(schema) || typeof schema.properties !== 'object') return schema;
    const properties = mapEntries(schema.properties, (field, name) => {
      const description = fieldNote(field, { owner, name });
      const tsType = field.$ref && { tsType: field.$ref.split('/').at(-1) };
      return { ...(tsType ?? field), ...(description && { description }) };
    });
    return { ...schema, properties };
  };
}

/** Indents by the depth of braces and trims line ends. */
function indented(text) {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('}')) depth--;
    const shown = line && '  '.repeat(depth) + line.trimEnd();
    if (line.endsWith('{')) depth++;
    return shown;
  });
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The schemas of all files by name. Throws when a file or a name would be lost. */
function schemasOf(files) {
  const known = new Set(files.map(({ $id }) => $id));
  for (const name of readdirSync(FOLDER)) {
    if (!known.has(name))
      throw new Error(`contract/schemas.ts does not import schema/${name}; add it to SCHEMA_FILES`);
  }
  const schemas = {};
  for (const [name, schema] of files.flatMap((file) => Object.entries(file.$defs))) {
    if (schemas[name]) throw new Error(`contract/schema has two schemas named ${name}; rename one`);
    schemas[name] = schema;
  }
  return schemas;
}

/** The file of the types. */
export async function schemaTypes() {
  const { SCHEMA_FILES } = await load('schemas.ts');
  const { fieldNote } = await load('api-docs/field-notes.ts');
  const all = mapEntries(schemasOf(SCHEMA_FILES), (schema, name) =>
    mapJson(schema, withNotes(name, fieldNote)),
  );
  const names = Object.keys(all);
  const root = { title: 'SchemaTypes', type: 'object', additionalProperties: false };
  const properties = mapEntries(all, () => ({}));
  for (const name of names) properties[name] = { $ref: `#/$defs/${name}` };
  const schema = { ...root, required: names, properties, $defs: mapJson(all, withoutRules) };
  const text = await compile(schema, 'SchemaTypes', {
    bannerComment: `// GENERATED from ${FOLDER} by tools/generate.mjs; do not edit.
import type { MotionError } from './motion-errors.ts';\n`,
    format: false,
  });
  return indented(text);
}
