/** The kinds of faults in the contract, and faults as text. Pure. */
import { resolved, type Schema, schemaOf } from '../../../contract/schemas.ts';
import type { SimFault } from '../../../contract/types.generated.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import { ioName } from '../../ui/value-text.ts';
import { readableName, splitUnit, type Unit } from './readable-name.ts';

/** The units of the fields of faults. */
export const FAULT_UNITS: readonly Unit[] = [
  ['_s', 's', 1],
  ['_rad', 'rad', 1],
  ['_rad_s', 'rad/s', 1],
  ['_c', '°C', 1],
];

/** The schemas of the faults that can be added, by their kinds. */
export const FAULT_KINDS: ReadonlyMap<string, Schema> = new Map(
  schemaOf('AddFaultBody').oneOf!.map((each) => {
    const rules = resolved(each);
    return [String(rules.properties?.['kind']?.const), rules];
  }),
);

/** `delay_s` and 0.5 as "delay 0.5 s". */
function valueText(name: string, value: number): string {
  const { label, unit } = splitUnit(name, FAULT_UNITS);
  return `${label.toLowerCase()} ${value}${unit && ` ${unit}`}`;
}

/** A fault as text: its kind, then its fields. */
export function faultText({ fault }: SimFault): string {
  const { kind, ...fields } = fault;
  const parts = Object.entries(fields).map(([name, value]) => {
    if (name === 'joint') return jointName(Number(value));
    if (name === 'input') return ioName(String(value), 'input');
    return typeof value === 'number' ? valueText(name, value) : String(value).replaceAll('_', ' ');
  });
  return [readableName(kind), ...parts].join(', ');
}
