/** The joints in the calibration of another program, and how its fields are read. */
import type { MountedJoint } from '../mounted-joint.ts';
import { type Fields, isRecord } from '../record.ts';

/** A joint of the other program, as it is mounted. */
export interface ForeignJoint extends Omit<MountedJoint, 'ids' | 'servos' | 'range_ticks'> {
  readonly name: string;
  readonly id: number;
  /** Servos that follow it. */
  readonly followers: readonly number[];
  /** Whether it and they count in reverse, in this order; absent: the file does not say it. */
  readonly reverse?: readonly boolean[];
  /** Lowest and highest position; they may be outside of the turn of the servo (steps). */
  readonly range_ticks: readonly [number, number];
}

export const JOINTS = 6;
const GRIPPER = 'gripper';
export const SHADOW = '_shadow';

/** A whole number of a servo's entry; throws a sentence. */
export function whole(entry: Fields, field: string, name: string): number {
  const value = entry[field];
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new Error(`${name}: ${field} must be a whole number`);
}

export function entryOf(entries: Fields, name: string): Fields {
  const entry = entries[name];
  if (isRecord(entry)) return entry;
  throw new Error(`${name} is not in the file`);
}

/** The six joints of the file, or a sentence that asks for --joints. */
export function selected(
  names: readonly string[],
  wanted: readonly string[] | undefined,
): string[] {
  const joints = wanted ?? names.filter((name) => name !== GRIPPER && !name.endsWith(SHADOW));
  if (joints.length === JOINTS) return [...joints];
  const has = `has ${joints.length} joints (${joints.join(', ')}), and this arm has ${JOINTS}`;
  throw new Error(`The file ${has}: name six of its entries with --joints, from the base on`);
}
