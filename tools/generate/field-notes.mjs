/**
 * Descriptions of fields in the generated types (contract/types.ts), the API documents and
 * docs/reference. Where the schema has none, field-notes.json has one: by `Schema.field`, or by the
 * name of the field where it means the same in all schemas. Units are added from the name, and
 * bounds for the types, which cannot express them.
 */
import { readFileSync } from 'node:fs';

/** Units by the end of a field's name. */
const UNITS = /** @type {const} */ ([
  ['_m_per_s', 'm/s'],
  ['_n_per_m', 'N/m'],
  ['_n_m_s', 'N·m·s/rad'],
  ['_rad_s', 'rad/s'],
  ['_m_s', 'm/s'],
  ['_n_m', 'N·m'],
  ['_kg', 'kg'],
  ['_rad', 'rad'],
  ['_deg', '°'],
  ['_mm', 'mm'],
  ['_ms', 'ms'],
  ['_n', 'N'],
  ['_m', 'm'],
  ['_s', 's'],
  ['_c', '°C'],
  ['_bytes', 'bytes'],
]);

/** @type {Readonly<Record<string, string>>} */
const NOTES = JSON.parse(readFileSync(new URL('field-notes.json', import.meta.url), 'utf8'));

/** @typedef {Record<string, any>} Schema */

/** The name of the schema that a field refers to, directly, in a list or beside null. */
function referredName(/** @type {Schema} */ field) {
  const choice = field.oneOf?.find((/** @type {Schema} */ one) => one.$ref);
  return (field.$ref ?? field.items?.$ref ?? choice?.$ref)?.split('/').at(-1);
}

/** Unit of a field by the end of its name. */
export function unitOf(/** @type {string} */ name) {
  return UNITS.find(([end]) => name.endsWith(end))?.[1];
}

/** The unit of a field that its description does not say. */
function unspokenUnit(/** @type {string} */ name, /** @type {string} */ said) {
  const unit = unitOf(name);
  return said.split(/[\s();,.]+/).includes(unit ?? '') ? undefined : unit;
}

/** Unit, bounds and default of a field that its description does not say. */
function facts(
  /** @type {string} */ name,
  /** @type {Schema} */ field,
  /** @type {string} */ said,
) {
  const unit = unitOf(name);
  const saysUnit = unspokenUnit(name, said) === undefined;
  const { minimum, exclusiveMinimum, maximum, default: preset } = field;
  const low = minimum ?? exclusiveMinimum;
  const hasRange = low !== undefined && maximum !== undefined && !said.includes(String(maximum));
  const range = hasRange ? `${low} to ${maximum}${unit ? ` ${unit}` : ''}.` : '';
  const inUnit = saysUnit || hasRange ? '' : `In ${unit}.`;
  const usual = preset === undefined || /default/i.test(said) ? '' : `Default ${preset}.`;
  return [inUnit, range, usual].filter((part) => part !== '');
}

/**
 * @typedef {{ owner: string, name: string, schemas: Record<string, Schema> }} Place the schema that
 *   has the field, the name of the field, and all schemas by name
 */

/** The description of a field without unit and bounds: its own, a note, or that of its schema. */
function statedNote(
  /** @type {Schema} */ field,
  /** @type {Place} */ { owner, name, schemas },
  fixed = `Always \`${field.const}\`.`,
) {
  return (
    field.description ??
    NOTES[`${owner}.${name}`] ??
    (field.const === undefined ? undefined : fixed) ??
    schemas[referredName(field) ?? '']?.description ??
    NOTES[name]
  );
}

/**
 * The description of a field for its type, with units and bounds; undefined when there is none.
 * @param {Schema} field
 * @param {Place} place
 * @returns {string | undefined}
 */
export function fieldNote(field, place) {
  const said = statedNote(field, place);
  return said && [said, ...facts(place.name, field, said)].join(' ');
}

/**
 * The description of a field for a document, which shows bounds and constants itself: with its
 * unit; undefined when the schema says the same or nothing is known.
 */
function documentNote(/** @type {Schema} */ field, /** @type {Place} */ place) {
  const said = statedNote(field, place, '');
  if (!said) return undefined;
  const unit = unspokenUnit(place.name, said);
  const note = unit ? `${said} In ${unit}.` : said;
  return note === field.description ? undefined : note;
}

/** The schemas directly inside a schema that describe the same value or its items. */
function partsOf(/** @type {Schema} */ { items, oneOf = [], anyOf = [], allOf = [] }) {
  return /** @type {Schema[]} */ ([...(items ? [items] : []), ...oneOf, ...anyOf, ...allOf]);
}

/**
 * The descriptions that documents add to the fields of a schema, by the names on the way to the
 * field, joined by dots.
 * @param {string} owner
 * @param {Record<string, Schema>} schemas
 */
export function documentNotes(owner, schemas) {
  /** @type {Record<string, string>} */
  const notes = {};
  /** @type {(schema: Schema, path: string) => void} */
  const collect = (schema, path) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const at = path + name;
      const note = documentNote(field, { owner, name, schemas });
      if ((notes[at] ?? note) !== note) throw new Error(`${owner}.${at} has two descriptions`);
      if (note) notes[at] = note;
      collect(field, `${at}.`);
    }
    for (const part of partsOf(schema)) collect(part, path);
  };
  collect(schemas[owner] ?? {}, '');
  return notes;
}
