/**
 * Fields of the parts of a cell: those of grippers, sensors, conveyors, buttons and doors are made
 * from the schemas of the API, with the form that edits one. Lengths are in mm, masses in g and
 * angles in degrees here.
 */

import { resolved, type Schema, type SchemaId, schemaOf } from '../../../contract/schemas.ts';
import type { Cell, Quaternion, Vector } from '../../../contract/types.generated.ts';
import { button } from '../../ui/element.ts';
import { RAD_PER_DEG } from '../../ui/units.ts';
import {
  inputLine,
  numberInput,
  selectInput,
  textInput,
  type ValueInput,
} from '../../ui/value-input.ts';
import { degrees, ioName } from '../../ui/value-text.ts';
import { type AnyPart, withoutPart } from './cell-edit.ts';
import { turnOf, uprightTurn } from './part-place.ts';
import { readableName, sideOf } from './schema-form.ts';

export type DeviceList = 'grippers' | 'sensors' | 'conveyors' | 'controls';
type Device = NonNullable<Cell[DeviceList]>[number];
type Values = Readonly<Record<string, unknown>>;

const SCHEMAS: Readonly<Record<DeviceList, SchemaId>> = {
  grippers: 'CellGripper',
  sensors: 'CellSensor',
  conveyors: 'CellConveyor',
  controls: 'CellControl',
};

/** Units of the wire by suffix, longest first: what is shown, and how many are one of the wire. */
const UNITS: readonly (readonly [suffix: string, unit: string, scale: number])[] = [
  ['_m_s', 'mm/s', 1000],
  ['_rad', '°', 1 / RAD_PER_DEG],
  ['_kg', 'g', 1000],
  ['_m', 'mm', 1000],
  ['_n', 'N', 1],
  ['_s', 's', 1],
];
/** Vectors in metres without a unit in their names. */
const LENGTHS = ['from', 'to', 'position'];

/** New devices (SI units); the first free name is added. */
export const NEW_DEVICES: readonly (readonly [DeviceList, Values])[] = [
  [
    'grippers',
    {
      ...{ kind: 'jaws', output: 'ee_d0', tip_m: { x: 0, y: 0, z: 0.1 }, stroke_m: 0.1 },
      ...{ pad_width_m: 0.03, pad_height_m: 0.01, force_n: 20, closing_time_s: 0.2 },
    },
  ],
  [
    'grippers',
    {
      ...{ kind: 'suction', output: 'ee_d0', tip_m: { x: 0, y: 0, z: 0.1 }, radius_m: 0.01 },
      ...{ reach_m: 0.003, force_n: 20, closing_time_s: 0.1 },
    },
  ],
  [
    'sensors',
    { kind: 'beam', input: 'd0', from: { x: 0.3, y: 0.3, z: 0.1 }, to: { x: 0.5, y: 0.3, z: 0.1 } },
  ],
  [
    'sensors',
    {
      ...{ kind: 'presence', input: 'd0', position: { x: 0.4, y: 0.3, z: 0 } },
      size_m: { x: 0.06, y: 0.06, z: 0.06 },
    },
  ],
  [
    'sensors',
    {
      ...{ kind: 'distance', input: 'a0', position: { x: 0.4, y: 0.3, z: 0.4 } },
      ...{ direction: { x: 0, y: 0, z: -1 }, range_m: 0.5, at_zero: 0, at_full_scale: 10 },
    },
  ],
  [
    'sensors',
    { kind: 'weight', input: 'a0', of: '', full_scale_kg: 1, at_zero: 0, at_full_scale: 10 },
  ],
  [
    'conveyors',
    {
      ...{ position: { x: 0.35, y: -0.45, z: 0 }, size_m: { x: 0.5, y: 0.12, z: 0.08 } },
      ...{ speed_m_s: 0.1, output: 'd1' },
    },
  ],
  ['controls', { kind: 'button', input: 'd0' }],
  ['controls', { kind: 'door' }],
];

/** The kind of a device; a conveyor is of its own. */
export const kindOf = (list: DeviceList, values: Values): string =>
  typeof values['kind'] === 'string' ? values['kind'] : list.slice(0, -1);

function rulesOf(list: DeviceList, kind: string): Schema {
  const schema = schemaOf(SCHEMAS[list]);
  const own = schema.oneOf?.find((each) => resolved(each).properties?.['kind']?.const === kind);
  return own ? resolved(own) : schema;
}

function splitUnit(name: string): { label: string; unit: string; scale: number } {
  const found = UNITS.find(([suffix]) => name.endsWith(suffix));
  if (found) {
    const [suffix, unit, scale] = found;
    return { label: readableName(name.slice(0, -suffix.length)), unit, scale };
  }
  const isLength = LENGTHS.includes(name);
  return { label: readableName(name), unit: isLength ? 'mm' : '', scale: isLength ? 1000 : 1 };
}

interface DeviceField {
  readonly elements: readonly HTMLElement[];
  /** The value in the units of the wire; undefined: none. */
  read(): unknown;
}

const one = (input: ValueInput<unknown>, read: () => unknown = input.read): DeviceField => ({
  elements: [input.element],
  read,
});

/** A number in shown units; untouched, it keeps the exact value. */
function numberField(name: string, value: number | undefined, axis = ''): DeviceField {
  const { label, unit, scale } = splitUnit(name);
  const shown = value === undefined ? undefined : Number((value * scale).toFixed(3));
  const text = `${label}${axis && ` ${axis}`}${unit && `, ${unit}`}`;
  const input = numberInput(text, shown === undefined ? {} : { value: shown });
  return one(input, () => {
    const now = input.read();
    return now === shown || now === undefined ? (now === undefined ? now : value) : now / scale;
  });
}

function vectorField(name: string, value: Vector): DeviceField {
  const axes = (['x', 'y', 'z'] as const).map((axis) => numberField(name, value[axis], axis));
  return {
    elements: axes.flatMap(({ elements }) => elements),
    read() {
      const [x, y, z] = axes.map((axis) => axis.read() ?? 0);
      return { x, y, z };
    },
  };
}

function turnField(value: Quaternion | undefined): DeviceField {
  const shown = Number(degrees(turnOf(value)).toFixed(1));
  const input = numberInput('Turn, °', { value: shown });
  return one(input, () => {
    const now = input.read() ?? 0;
    return now === shown ? value : uprightTurn(now * RAD_PER_DEG);
  });
}

function choiceField(name: string, value: unknown, choices: readonly string[]): DeviceField {
  const input = selectInput(
    readableName(name),
    choices.map((each) => {
      const side = sideOf(name);
      return [each, side ? ioName(each, side) || 'none' : each || 'default'] as const;
    }),
  );
  input.element.querySelector('select')!.value = `${value ?? ''}`;
  return one(input);
}

/** What an optional part of a device starts with. */
const NEW_GROUPS: Readonly<Record<string, Values>> = {
  encoder: { span_m: 1, at_zero: 0, at_full_scale: 10 },
};

/** The fields of an optional part of a device; a device has none without its input. */
function groupField(name: string, rules: Schema, value: unknown): DeviceField {
  const required = rules.required?.filter((each) => each !== 'input') ?? [];
  const start = { ...NEW_GROUPS[name], ...(value as Values | undefined) };
  const { elements, read } = fieldsOf({ ...rules, required }, start, `${name}_`);
  return {
    elements,
    read() {
      const values = read();
      return values['input'] === undefined ? undefined : values;
    },
  };
}

interface FieldStart {
  readonly value: unknown;
  /** The name on the wire, after that of the part that it is in. */
  readonly label: string;
}

/** The field of a property; null for one that the form leaves as it is. */
function fieldOf(name: string, schema: Schema, { value, label }: FieldStart): DeviceField | null {
  const rules = resolved(schema.properties![name]!);
  if (name === 'kind' || name === 'name') return null;
  if (name === 'orientation') return turnField(value as Quaternion | undefined);
  if (rules.properties?.['x']) {
    return vectorField(label, (value as Vector | undefined) ?? { x: 0, y: 0, z: 0 });
  }
  if (rules.properties) return groupField(name, rules, value);
  if (rules.enum) {
    const none = schema.required?.includes(name) ? [] : [''];
    return choiceField(label, value, [...none, ...rules.enum.map(String)]);
  }
  if (rules.type === 'boolean') {
    const choice = choiceField(label, value, ['', 'true', 'false']);
    const read = () => (choice.read() === undefined ? undefined : choice.read() === 'true');
    return { elements: choice.elements, read };
  }
  if (rules.type === 'number') return numberField(label, value as number | undefined);
  return one(textInput(readableName(label), `${value ?? ''}`));
}

interface DeviceFields {
  readonly elements: readonly HTMLElement[];
  /** What the user set, in wire units. */
  read(): Values;
}

function fieldsOf(rules: Schema, values: Values, prefix = ''): DeviceFields {
  const fields = Object.keys(rules.properties ?? {}).flatMap((name) => {
    const field = fieldOf(name, rules, { value: values[name], label: prefix + name });
    return field ? [[name, field] as const] : [];
  });
  return {
    elements: fields.flatMap(([, field]) => field.elements),
    read: () => Object.fromEntries(fields.map(([name, field]) => [name, field.read()])),
  };
}

/** The fields of a device with its values. */
export function deviceFields(list: DeviceList, values: Values): DeviceFields {
  return fieldsOf(rulesOf(list, kindOf(list, values)), values);
}

/** A cell with a new device at the end of its list. */
export function withDevice(cell: Cell, list: DeviceList, device: Values): Cell {
  const added = device as object as AnyPart;
  return { ...cell, [list]: [...(cell[list] ?? []), added] };
}

/** The list that a device is in, and the device; null for another part. */
function findDevice(cell: Cell, name: string): readonly [DeviceList, Device] | null {
  for (const list of Object.keys(SCHEMAS) as DeviceList[]) {
    const found = cell[list]?.find((each) => each.name === name);
    if (found) return [list, found];
  }
  return null;
}

export interface DeviceEdits {
  edit(change: (now: Cell) => Cell, of?: string): unknown;
  /** Edits a part; what stands on it goes along. */
  place(name: string, edit: (part: AnyPart) => object): void;
}

/** The form of a gripper, sensor, conveyor, button or door; null for another part. */
export function deviceForm(cell: Cell, name: string, actions: DeviceEdits): HTMLElement[] | null {
  const found = findDevice(cell, name);
  if (!found) return null;
  const fields = deviceFields(found[0], { ...found[1] });
  const change = (): void => actions.place(name, fields.read);
  const remove = (): void => void actions.edit((now) => withoutPart(now, name), name);
  return [
    inputLine(...fields.elements),
    inputLine(
      button({ class: 'primary' }, change, 'Change'),
      button({ class: 'plain' }, remove, 'Remove'),
    ),
  ];
}
