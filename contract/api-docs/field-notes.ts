/**
 * Descriptions of fields for the generated types, the API documents and docs/reference. Where the
 * schema has none, field-notes.json has one: by `Schema.field`, or by the name of the field where it
 * means the same in all schemas. Units are added from the name, and bounds for the types, which
 * cannot express them.
 */
import { referenceName, type Schema, schemaOf } from '../schemas.ts';
import notes from './field-notes.json' with { type: 'json' };

/** Units by the end of a field's name. */
const UNITS = [
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
] as const;

const NOTES: { readonly [field: string]: string } = notes;

/** Where a field stands: the name of the schema that has it, and its own. */
export interface FieldPlace {
  readonly owner: string;
  readonly name: string;
}

/** The schema that a field refers to, directly, in a list or beside null. */
function referredSchema(field: Schema): Schema | undefined {
  const choice = field.oneOf?.find((one) => one.$ref);
  const reference = field.$ref ?? field.items?.$ref ?? choice?.$ref;
  return reference === undefined ? undefined : schemaOf(referenceName(reference));
}

/** Unit of a field by the end of its name. */
export function unitOf(name: string): string | undefined {
  return UNITS.find(([end]) => name.endsWith(end))?.[1];
}

/** The unit of a field that its description does not say. */
function unspokenUnit(name: string, said: string): string | undefined {
  const unit = unitOf(name);
  return said.split(/[\s();,.]+/).includes(unit ?? '') ? undefined : unit;
}

/** Unit, bounds and default of a field that its description does not say. */
function facts(name: string, field: Schema, said: string): readonly string[] {
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

/** The description of a field without unit and bounds: its own, a note, or that of its schema. */
function statedNote(
  field: Schema,
  { owner, name }: FieldPlace,
  fixed = `Always \`${field.const}\`.`,
): string | undefined {
  return (
    field.description ??
    NOTES[`${owner}.${name}`] ??
    (field.const === undefined ? undefined : fixed) ??
    referredSchema(field)?.description ??
    NOTES[name]
  );
}

/** The description of a field for its type, with units and bounds; undefined when there is none. */
export function fieldNote(field: Schema, place: FieldPlace): string | undefined {
  const said = statedNote(field, place);
  return said && [said, ...facts(place.name, field, said)].join(' ');
}

/**
 * The description of a field for a document, which shows bounds and constants itself: with its
 * unit; undefined when the schema says the same or nothing is known.
 */
function documentNote(field: Schema, place: FieldPlace): string | undefined {
  const said = statedNote(field, place, '');
  if (!said) return undefined;
  const unit = unspokenUnit(place.name, said);
  const note = unit ? `${said} In ${unit}.` : said;
  return note === field.description ? undefined : note;
}

/** The schemas directly inside a schema that describe the same value or its items. */
function partsOf({ items, oneOf = [], anyOf = [], allOf = [] }: Schema): readonly Schema[] {
  return [...(items ? [items] : []), ...oneOf, ...anyOf, ...allOf];
}

/**
 * The descriptions that documents add to the fields of the schema named `owner`, by the names on
 * the way to the field, joined by dots. Throws where two fields of one path would be described
 * differently.
 */
export function documentNotes(owner: string, schema: Schema): { readonly [path: string]: string } {
  const found: { [path: string]: string } = {};
  const collect = (part: Schema, path: string) => {
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      const at = path + name;
      const note = documentNote(field, { owner, name });
      if ((found[at] ?? note) !== note) throw new Error(`${owner}.${at} has two descriptions`);
      if (note) found[at] = note;
      collect(field, `${at}.`);
    }
    for (const inner of partsOf(part)) collect(inner, path);
  };
  collect(schema, '');
  return found;
}
