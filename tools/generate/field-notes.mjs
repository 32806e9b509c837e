/**
 * Descriptions of fields in the generated types (contract/types.ts). Where the schema has none,
 * field-notes.json has one: by `Schema.field`, or by the name of the field where it means the same
 * in all schemas. Units and bounds are added from the schema.
 */
import { readFileSync } from 'node:fs';

/** Units by the end of a field's name. */
const UNITS = /** @type {const} */ ([
  ['_m_per_s', 'm/s'],
  ['_rad_s', 'rad/s'],
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

/** Unit, bounds and default of a field that its description does not say. */
function facts(
  /** @type {string} */ name,
  /** @type {Schema} */ field,
  /** @type {string} */ said,
) {
  const unit = unitOf(name);
  const saysUnit = unit === undefined || said.split(/[\s();,.]+/).includes(unit);
  const { minimum, exclusiveMinimum, maximum, default: preset } = field;
  const low = minimum ?? exclusiveMinimum;
  const hasRange = low !== undefined && maximum !== undefined && !said.includes(String(maximum));
  const range = hasRange ? `${low} to ${maximum}${unit ? ` ${unit}` : ''}.` : '';
  const inUnit = saysUnit || hasRange ? '' : `In ${unit}.`;
  const usual = preset === undefined || /default/i.test(said) ? '' : `Default ${preset}.`;
  return [inUnit, range, usual].filter((part) => part !== '');
}

/**
 * The description of a field for its type: its own, that of its schema or a note, with units and
 * bounds; undefined when there is none.
 * @param {Schema} field
 * @param {{ owner: string, name: string, schemas: Record<string, Schema> }} place the schema that
 *   has the field, the name of the field, and all schemas by name
 * @returns {string | undefined}
 */
export function fieldNote(field, { owner, name, schemas }) {
  const said =
    field.description ??
    NOTES[`${owner}.${name}`] ??
    (field.const === undefined ? undefined : `Always \`${field.const}\`.`) ??
    schemas[referredName(field) ?? '']?.description ??
    NOTES[name];
  return said && [said, ...facts(name, field, said)].join(' ');
}
