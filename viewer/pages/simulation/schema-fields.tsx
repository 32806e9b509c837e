/**
 * The fields of a value that a JSON schema describes: one for each property, with labels and units
 * from its name. The value is that of the wire at all times: a field that nobody has changed keeps
 * it exactly.
 */
import { resolved, type Schema } from '../../../contract/schemas.ts';
import type { Quaternion, Vector } from '../../../contract/types.generated.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import { type Bound, ChoiceField, NumberField, TextField } from '../../ui/fields.tsx';
import { TurnField, VectorFields } from './place-fields.tsx';
import { choiceText, readableName, sideOf, splitUnit, type Unit } from './readable-name.ts';

export type Values = Readonly<Record<string, unknown>>;

/** How the properties of a schema are shown. */
export interface Showing {
  readonly units: readonly Unit[];
  /** Properties that have no field. */
  readonly hidden: readonly string[];
  /** What a choice says that is none. */
  readonly none: string;
}

const JOINTS = [0, 1, 2, 3, 4, 5].map((joint) => [String(joint), jointName(joint)] as const);
/** What an optional part of a value starts with. */
const NEW_GROUPS: Readonly<Record<string, Values>> = {
  encoder: { span_m: 1, at_zero: 0, at_full_scale: 10 },
};

/** A value with the first of all that must be chosen. */
export function firstValues(schema: Schema): Values {
  const required = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (!schema.required?.includes(name)) return [];
    if (name === 'joint') return [[name, 0]];
    const [first] = resolved(property).enum ?? [];
    return first === undefined ? [] : [[name, first]];
  });
  return Object.fromEntries(required);
}

/** A value without its optional parts that have no input, and without empty texts. */
export function sentValues(values: Values): Values {
  const sent = Object.entries(values).map(([name, value]) => {
    const isGroup = name in NEW_GROUPS && (value as Values | undefined)?.['input'] === undefined;
    return [name, isGroup || value === '' ? undefined : value];
  });
  return Object.fromEntries(sent);
}

interface PropertyProps extends Bound<unknown> {
  readonly name: string;
  /** The name after that of the part that it is in. */
  readonly full: string;
  readonly rules: Schema & { readonly minimum?: number; readonly maximum?: number };
  readonly isRequired: boolean;
  readonly showing: Showing;
}

function PropertyChoice({ name, full, rules, isRequired, showing, value, set }: PropertyProps) {
  const isFlag = rules.type === 'boolean';
  const texts = isFlag ? ['true', 'false'] : rules.enum!.map(String);
  const none = sideOf(name) ? 'none' : showing.none;
  const options = [...(isRequired && !isFlag ? [] : ['']), ...texts].map(
    (text) => [text, text ? choiceText(name, text) : none] as const,
  );
  const choose = (text: string) => set(isFlag && text ? text === 'true' : text || undefined);
  const label = readableName(full);
  return <ChoiceField label={label} options={options} value={`${value ?? ''}`} set={choose} />;
}

function PropertyFields(props: PropertyProps) {
  const { name, full, rules, showing, value, set } = props;
  if (name === 'orientation') return <TurnField value={value as Quaternion} set={set} />;
  if (rules.properties?.['x']) {
    return <VectorFields {...splitUnit(full, showing.units)} value={value as Vector} set={set} />;
  }
  if (rules.properties) {
    const group = { ...NEW_GROUPS[name], ...(value as Values | undefined) };
    const required = rules.required?.filter((each) => each !== 'input') ?? [];
    const schema = { ...rules, required };
    return (
      <SchemaFields schema={schema} showing={showing} prefix={`${name}_`} value={group} set={set} />
    );
  }
  if (name === 'joint') {
    const choose = (text: string) => set(Number(text));
    return <ChoiceField label="Joint" options={JOINTS} value={`${value}`} set={choose} />;
  }
  if (rules.enum || rules.type === 'boolean') return <PropertyChoice {...props} />;
  if (rules.type !== 'number' && rules.type !== 'integer') {
    return <TextField label={readableName(full)} value={`${value ?? ''}`} set={set} />;
  }
  const { label, unit, scale } = splitUnit(full, showing.units);
  const bound = (limit: number | undefined) => limit && Number((limit * scale).toPrecision(12));
  return (
    <NumberField
      label={unit ? `${label}, ${unit}` : label}
      scale={scale}
      min={bound(rules.minimum)}
      max={bound(rules.maximum)}
      whole={rules.type === 'integer'}
      value={value as number | undefined}
      set={set}
    />
  );
}

interface SchemaProps extends Bound<Values> {
  readonly schema: Schema;
  readonly showing: Showing;
  /** The name of the part that the value is, before those of its properties. */
  readonly prefix?: string;
}

/** The fields of the properties of a schema. */
export function SchemaFields({ schema, showing, prefix = '', value, set }: SchemaProps) {
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => !showing.hidden.includes(name),
  );
  return names.map((name) => (
    <PropertyFields
      key={name}
      name={name}
      full={prefix + name}
      rules={resolved(schema.properties![name]!)}
      isRequired={schema.required?.includes(name) ?? false}
      showing={showing}
      value={value[name]}
      set={(now) => set({ ...value, [name]: now })}
    />
  ));
}
