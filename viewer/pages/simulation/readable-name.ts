/** Names of the wire as people read them. Pure. */
import { ioName } from '../../ui/value-text.ts';

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

/**
 * A unit by the suffix of a name, or by a whole name: how it is shown, and how many of it are one of
 * the wire.
 */
export type Unit = readonly [suffix: string, unit: string, scale: number];

/** The readable name without its unit, and the unit; of two suffixes the longer one counts. */
export function splitUnit(name: string, units: readonly Unit[]) {
  const isWhole = units.find(([whole]) => whole === name);
  if (isWhole) return { label: readableName(name), unit: isWhole[1], scale: isWhole[2] };
  const fitting = units.filter(([suffix]) => suffix.startsWith('_') && name.endsWith(suffix));
  const [suffix, unit, scale] = fitting.sort(([a], [b]) => b.length - a.length)[0] ?? ['', '', 1];
  const label = readableName(suffix ? name.slice(0, -suffix.length) : name);
  return { label, unit, scale };
}
