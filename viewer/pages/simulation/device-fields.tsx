/**
 * Grippers, sensors, conveyors, buttons and doors of a cell: what new ones are like, and their
 * fields, which are made from the schemas of the API. Lengths are in mm, masses in g and angles in
 * degrees here.
 */
import { resolved, type Schema, type SchemaId, schemaOf } from '../../../contract/schemas.ts';
import type { Bound } from '../../ui/fields.tsx';
import { MM_PER_M, RAD_PER_DEG } from '../../ui/units.ts';
import type { PartList } from './cell-edit.ts';
import type { Unit } from './readable-name.ts';
import { SchemaFields, type Showing, type Values } from './schema-fields.tsx';

export type DeviceList = Exclude<PartList, 'fixtures' | 'objects'>;

const SCHEMAS: Readonly<Record<DeviceList, SchemaId>> = {
  grippers: 'CellGripper',
  sensors: 'CellSensor',
  conveyors: 'CellConveyor',
  controls: 'CellControl',
};

const UNITS: readonly Unit[] = [
  ['_m_s', 'mm/s', 1000],
  ['_rad', '°', 1 / RAD_PER_DEG],
  ['_kg', 'g', 1000],
  ['_m', 'mm', 1000],
  ['_n', 'N', 1],
  ['_s', 's', 1],
  // Vectors in metres without a unit in their names.
  ['from', 'mm', MM_PER_M],
  ['to', 'mm', MM_PER_M],
  ['position', 'mm', MM_PER_M],
];
const SHOWING: Showing = { units: UNITS, hidden: ['kind', 'name'], none: 'default' };
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

/** The fields of a device. */
export function DeviceFields({ list, ...bound }: Bound<Values> & { readonly list: DeviceList }) {
  const schema = rulesOf(list, kindOf(list, bound.value));
  return <SchemaFields schema={schema} showing={SHOWING} {...bound} />;
}
