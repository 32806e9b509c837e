/**
 * A form made of a schema of the wire: one entry a field, read back as a body. So the Bench page
 * offers every kind of fault that the contract knows, with its bounds, and no list of its own.
 */
import { resolved, type Schema, type SchemaId, schemaOf } from '../../contract/schemas.ts';
import { choiceEntry, type Entry, numberEntry, wordEntry } from './entries.ts';

interface Bounds extends Schema {
  readonly minimum?: number;
  readonly maximum?: number;
}

const UNITS: Readonly<Record<string, string>> = {
  s: 's',
  rad: 'rad',
  rad_s: 'rad/s',
  c: '°C',
};
const JOINTS = ['0', '1', '2', '3', '4', '5'].map(
  (joint) => [joint, `J${Number(joint) + 1}`] as const,
);

/** `sensor_noise` as people read it. */
export function plainWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `delay_s` as the head of an entry: the unit stands apart from the name. */
export function entryWords(name: string): string {
  const [words, unit] = parted(name);
  return unit ? `${words}, ${unit}` : words;
}

/** A value with its name and unit, as in "delay 0.5 s". */
export function valueWords(name: string, value: number): string {
  const [words, unit] = parted(name);
  return `${words.toLowerCase()} ${value}${unit && ` ${unit}`}`;
}

/** A name of the wire as words, and its unit; empty without one. */
function parted(name: string): readonly [words: string, unit: string] {
  const unit = Object.keys(UNITS)
    .sort((a, b) => b.length - a.length)
    .find((each) => name.endsWith(`_${each}`));
  if (!unit) return [plainWords(name), ''];
  return [plainWords(name.slice(0, -unit.length - 1)), UNITS[unit]!];
}

function entryOf(name: string, schema: Schema, required: boolean): Entry<string | number> {
  const rules = resolved(schema) as Bounds;
  const words = entryWords(name);
  if (name === 'joint') {
    const joint = choiceEntry(words, JOINTS);
    return { element: joint.element, read: () => Number(joint.read()) };
  }
  if (rules.enum) {
    const options = rules.enum.map((value) => [`${value}`, plainWords(`${value}`)] as const);
    return choiceEntry(words, required ? options : [['', 'any'], ...options]);
  }
  if (rules.type !== 'number' && rules.type !== 'integer') return wordEntry(words);
  const { minimum: low, maximum: high } = rules;
  const step = rules.type === 'integer' ? 1 : 'any';
  return numberEntry(words, { ...(low !== undefined && { low }), ...(high && { high }), step });
}

export interface SchemaForm {
  readonly elements: readonly HTMLElement[];
  /** The body as filled in; fields left empty are left out. */
  read(): object;
}

/** Entries for the fields of an object but its tag. */
function formOf(rules: Schema, tag: string): SchemaForm {
  const fields = Object.entries(rules.properties ?? {}).filter(([name]) => name !== tag);
  const entries = fields.map(([name, schema]) => {
    return [name, entryOf(name, schema, rules.required?.includes(name) ?? false)] as const;
  });
  return {
    elements: entries.map(([, entry]) => entry.element),
    read: () =>
      Object.fromEntries(
        entries
          .map(([name, { read }]) => [name, read()])
          .filter(([, value]) => value !== undefined),
      ),
  };
}

export interface Kind {
  readonly name: string;
  readonly description: string;
  form(): SchemaForm;
}

/** The alternatives of a tagged schema, each with its form. */
export function kindsOf(id: SchemaId): readonly Kind[] {
  const { oneOf = [], discriminator } = schemaOf(id);
  const tag = discriminator?.propertyName ?? 'kind';
  return oneOf.map((each) => {
    const rules = resolved(each);
    const name = String(rules.properties?.[tag]?.const);
    return {
      name,
      description: rules.description ?? '',
      form() {
        const form = formOf(rules, tag);
        return { elements: form.elements, read: () => ({ [tag]: name, ...form.read() }) };
      },
    };
  });
}
