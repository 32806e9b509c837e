/**
 * When a servo refuses a write: locked EEPROM, read-only registers, ranges, goals beyond limits, a
 * tripped watchdog, a shutdown. Apart because these are the rules that integrators run into.
 */
import {
  EEPROM_END,
  EXTENDED_RANGE,
  OPERATING_MODES,
  type RegisterName,
  WATCHED,
} from './control-table.ts';
import type { TableMemory } from './table-memory.ts';

/** Errors that a status carries. */
export const ERROR = {
  none: 0,
  result: 1,
  instruction: 2,
  range: 4,
  short: 5,
  limit: 6,
  access: 7,
} as const;

/** What the watchdog's register holds once it has tripped. */
export const TRIPPED = 255;
const POSITION_MODE = 3;

/** Shut down by itself: torque stays off until a reboot. */
export function isShutDown(memory: TableMemory): boolean {
  return (memory.get('hardware_error') & memory.get('shutdown')) !== 0;
}

function goalAllowed(memory: TableMemory, goal: number): boolean {
  const [low, high] =
    memory.get('operating_mode') === POSITION_MODE
      ? [memory.get('position_min'), memory.get('position_max')]
      : EXTENDED_RANGE;
  return goal >= low && goal <= high;
}

/** The error with which a write of `value` is refused; ERROR.none when it is taken. */
export function refusal(memory: TableMemory, name: RegisterName, value: number): number {
  const { address, range } = memory.table[name];
  if (range === null) return ERROR.access;
  if (address < EEPROM_END && memory.get('torque') === 1) return ERROR.access;
  if (memory.get('watchdog') === TRIPPED && WATCHED.includes(name)) return ERROR.range;
  if (value < range[0] || value > range[1]) return ERROR.range;
  if (name === 'operating_mode' && !OPERATING_MODES.includes(value)) return ERROR.range;
  if (name === 'torque' && value === 1 && isShutDown(memory)) return ERROR.result;
  return name === 'goal_position' && !goalAllowed(memory, value) ? ERROR.limit : ERROR.none;
}
