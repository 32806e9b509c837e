/** Generates the types of contract/schema, and the descriptions of their fields (spec §2, §4). */
import { readdirSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { tsImport } from 'tsx/esm/api';
import { documentNotes, fieldNote } from './field-notes.mjs';

const folder = 'contract/schema';
const banner = (from) => `// GENERATED from ${from} by tools/generate.mjs; do not edit.\n`;

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
  const { not, if: condition, then, else: otherwise, minItems, maxItems, ...rest } = schema;
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
function withNotes(owner, schemas) {
  return (schema) => {
    if (Array.isArray(schema) || typeof schema.properties !== 'object') return schema;
    const properties = mapEntries(schema.properties, (field, name) => {
      const description = fieldNote(field, { owner, name, schemas });
      const tsType = field.$ref && { tsType: field.$ref.split('/').at(-1) };
      return { ...(tsType ?? field), ...(description && { description }) };
    });
    return { ...schema, properties };
  };
}

async function typesOf(files) {
  const schemas = Object.assign({}, ...files.map((file) => file.$defs));
  const all = mapEntries(schemas, (schema, name) => mapJson(schema, withNotes(name, schemas)));
  const names = Object.keys(all);
  const root = { title: 'SchemaTypes', type: 'object', additionalProperties: false };
  const properties = mapEntries(all, () => ({}));
  for (const name of names) properties[name] = { $ref: `#/$defs/${name}` };
  const schema = { ...root, required: names, properties, $defs: mapJson(all, withoutRules) };
  const text = await compile(schema, 'SchemaTypes', {
    bannerComment: `${banner(folder)}import type { MotionError } from './motion-errors.ts';\n`,
    format: false,
  });
  return indented(text);
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

/** The descriptions of fields for documents, by schema and path of the field. */
function notesModule(files) {
  const schemas = Object.assign({}, ...files.map((file) => file.$defs));
  const all = Object.keys(schemas).map((owner) => [owner, documentNotes(owner, schemas)]);
  const known = Object.fromEntries(all.filter(([, notes]) => Object.keys(notes).length > 0));
  const type = '{ readonly [schema: string]: { readonly [path: string]: string } }';
  const source = 'contract/schema and tools/generate/field-notes.json';
  return (
    `// GENERATED from ${source} by tools/generate.mjs; do not edit.\n` +
    `export const FIELD_NOTES: ${type} = ${JSON.stringify(known, null, 1)};\n`
  );
}

/** The generated files as [path, text] pairs. */
export async function schemaFiles() {
  const { SCHEMA_FILES: files } = await tsImport('../../contract/schemas.ts', import.meta.url);
  const known = new Set(files.map(({ $id }) => $id));
  for (const name of readdirSync(folder)) {
    if (!known.has(name))
      throw new Error(`contract/schemas.ts does not import schema/${name}; add it to SCHEMA_FILES`);
  }
  const seen = new Set();
  for (const name of files.flatMap((file) => Object.keys(file.$defs))) {
    if (seen.has(name))
      throw new Error(`contract/schema has two schemas named ${name}; rename one`);
    seen.add(name);
  }
  return [
    ['contract/types.ts', await typesOf(files)],
    ['contract/field-notes.generated.ts', notesModule(files)],
  ];
}
