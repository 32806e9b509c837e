/**
 * A form made from a JSON schema: one input for each property, with labels and units from its
 * name.
 */
import { resolved, type Schema, type SchemaId, schemaOf } from '../../../contract/schemas.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import { numberInput, selectInput, textInput, type ValueInput } from '../../ui/value-input.ts';
import { ioName } from '../../ui/value-text.ts';

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
  (joint) => [joint, jointName(Number(joint))] as const,
);

/** `sensor_noise` as "Sensor noise". */
export function readableName(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a field such as `part_present_input` holds an input or an output of the arm. */
export function sideOf(field: string): 'input' | 'output' | null {
  if (field.endsWith('input')) return 'input';
  return field.endsWith('output') ? 'output' : null;
}

/** A choice as text: lines of the arm have the names of the Live page, other words are readable. */
export function choiceText(field: string, value: string): string {
  const side = sideOf(field);
  return side ? ioName(value, side) : readableName(value);
}

/** `delay_s` as "Delay, s". */
export function fieldLabel(name: string): string {
  const [label, unit] = splitUnit(name);
  return unit ? `${label}, ${unit}` : label;
}

/** `delay_s` and 0.5 as "delay 0.5 s". */
export function valueText(name: string, value: number): string {
  const [label, unit] = splitUnit(name);
  return `${label.toLowerCase()} ${value}${unit && ` ${unit}`}`;
}

/** Splits a wire name into a readable name and its unit; the unit may be empty. */
function splitUnit(name: string): readonly [label: string, unit: string] {
  const unit = Object.keys(UNITS)
    .sort((a, b) => b.length - a.length)
    .find((suffix) => name.endsWith(`_${suffix}`));
  if (!unit) return [readableName(name), ''];
  return [readableName(name.slice(0, -unit.length - 1)), UNITS[unit]!];
}

function fieldFor(name: string, schema: Schema, required: boolean): ValueInput<string | number> {
  const rules = resolved(schema) as Bounds;
  const label = fieldLabel(name);
  if (name === 'joint') {
    const joint = selectInput(label, JOINTS);
    return { element: joint.element, read: () => Number(joint.read()) };
  }
  if (rules.enum) {
    const options = rules.enum.map((value) => [`${value}`, choiceText(name, `${value}`)] as const);
    return selectInput(label, required ? options : [['', 'any'], ...options]);
  }
  if (rules.type !== 'number' && rules.type !== 'integer') return textInput(label);
  const { minimum, maximum } = rules;
  return numberInput(label, {
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    whole: rules.type === 'integer',
  });
}

export interface SchemaForm {
  readonly elements: readonly HTMLElement[];
  /** The request body without the empty fields. */
  read(): object;
}

/** A form with one field for each property except the tag. */
function createSchemaForm(rules: Schema, tag: string): SchemaForm {
  const properties = Object.entries(rules.properties ?? {}).filter(([name]) => name !== tag);
  const fields = properties.map(([name, schema]) => {
    return [name, fieldFor(name, schema, rules.required?.includes(name) ?? false)] as const;
  });
  return {
    elements: fields.map(([, field]) => field.element),
    read: () =>
      Object.fromEntries(
        fields.map(([name, { read }]) => [name, read()]).filter(([, value]) => value !== undefined),
      ),
  };
}

export interface SchemaVariant {
  readonly name: string;
  readonly description: string;
  form(): SchemaForm;
}

/** The variants of a tagged union schema, each with its form. */
export function schemaVariants(id: SchemaId): readonly SchemaVariant[] {
  const { oneOf = [], discriminator } = schemaOf(id);
  const tag = discriminator?.propertyName ?? 'kind';
  return oneOf.map((each) => {
    const rules = resolved(each);
    const name = String(rules.properties?.[tag]?.const);
    return {
      name,
      description: rules.description ?? '',
      form() {
        const form = createSchemaForm(rules, tag);
        return { elements: form.elements, read: () => ({ [tag]: name, ...form.read() }) };
      },
    };
  });
}
