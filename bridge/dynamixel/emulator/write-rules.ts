/**
 * The rules for writes into the control table: EEPROM lock, read-only registers, ranges, limits,
 * tripped watchdog, shutdown.
 */

import {
  EEPROM_END,
  EXTENDED_RANGE,
  OPERATING_MODES,
  type TableRegister,
  WATCHDOG_LOCKED,
} from './control-table.ts';
import type { TableMemory } from './table-memory.ts';

/** Error numbers of a status. */
export const STATUS_ERROR = {
  none: 0,
  result: 1,
  instruction: 2,
  range: 4,
  short: 5,
  limit: 6,
  access: 7,
} as const;

/** Value of the watchdog register after it has tripped. */
export const TRIPPED = 255;
const POSITION_MODE = 3;

/** True after a shutdown by the servo: torque stays off until a reboot. */
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

/** The error of a write of `value`; STATUS_ERROR.none when it is accepted. */
export function writeError(memory: TableMemory, name: TableRegister, value: number): number {
  const { address, range } = memory.table[name];
  if (range === null) return STATUS_ERROR.access;
  if (address < EEPROM_END && memory.get('torque') === 1) return STATUS_ERROR.access;
  if (memory.get('watchdog') === TRIPPED && WATCHDOG_LOCKED.includes(name))
    return STATUS_ERROR.range;
  if (value < range[0] || value > range[1]) return STATUS_ERROR.range;
  if (name === 'operating_mode' && !OPERATING_MODES.includes(value)) return STATUS_ERROR.range;
  if (name === 'torque' && value === 1 && isShutDown(memory)) return STATUS_ERROR.result;
  return name === 'goal_position' && !goalAllowed(memory, value)
    ? STATUS_ERROR.limit
    : STATUS_ERROR.none;
}
