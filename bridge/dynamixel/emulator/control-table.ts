/**
 * The control tables of the emulated servos, from the maker's manual: one table of the X series
 * with the differences between models. It is written independently of the driver's registers, so
 * that tests compare two readings of the manual.
 */
import { MODELS, type ModelName, type ModelTraits } from './emulated-models.ts';

export interface TableRow {
  readonly address: number;
  readonly size: 1 | 2 | 4;
  /** Lowest and highest value of a write; null for a read-only register. */
  readonly range: readonly [number, number] | null;
  readonly factory: number;
}

/**
 * End of the EEPROM area, which keeps its values without power and is locked while torque is on.
 */
export const EEPROM_END = 64;
const TABLE_END = 148;
const TABLE_END_WITH_PORTS = 158;

const TURNS = 256 * 4096;
const WIDE = 0x7fffffff;

type Range = readonly [number, number];

function row(
  [address, size]: readonly [number, TableRow['size']],
  factory: number,
  range: Range | null,
): TableRow {
  return { address, size, factory, range };
}

function readOnly(address: number, size: 1 | 2 | 4): TableRow {
  return row([address, size], 0, null);
}

const READ_ONLY = {
  registered: readOnly(69, 1),
  hardware_error: readOnly(70, 1),
  tick: readOnly(120, 2),
  moving: readOnly(122, 1),
  moving_status: readOnly(123, 1),
  present_pwm: readOnly(124, 2),
  present_current: readOnly(126, 2),
  present_velocity: readOnly(128, 4),
  present_position: readOnly(132, 4),
  velocity_trajectory: readOnly(136, 4),
  position_trajectory: readOnly(140, 4),
  voltage: readOnly(144, 2),
  temperature: readOnly(146, 1),
  backup_ready: readOnly(147, 1),
};

function eepromRegisters(traits: ModelTraits) {
  const [low, high] = traits.voltage;
  return {
    model: row([0, 2], traits.number, null),
    model_information: row([2, 4], 0, null),
    firmware: row([6, 1], 0, null),
    id: row([7, 1], 1, [0, 252]),
    baud: row([8, 1], 1, [0, traits.baud_max]),
    return_delay: row([9, 1], 250, [0, 254]),
    drive_mode: row([10, 1], 0, [0, traits.ports ? 15 : 13]),
    operating_mode: row([11, 1], 3, [0, 16]),
    secondary_id: row([12, 1], 255, [0, 255]),
    protocol: row([13, 1], 2, [1, 22]),
    homing_offset: row([20, 4], 0, [-1044479, 1044479]),
    moving_threshold: row([24, 4], 10, [0, 1023]),
    temperature_limit: row([31, 1], traits.temperature_c, [0, 100]),
    voltage_max: row([32, 2], high, [low, high]),
    voltage_min: row([34, 2], low, [low, high]),
    pwm_limit: row([36, 2], 885, [0, 885]),
    current_limit: row([38, 2], traits.current, [0, traits.current]),
    velocity_limit: row([44, 4], traits.velocity, [0, 2047]),
    position_max: row([48, 4], 4095, [0, 4095]),
    position_min: row([52, 4], 0, [0, 4095]),
    startup: row([60, 1], 0, [0, 3]),
    shutdown: row([63, 1], traits.shutdown, [0, 63]),
  };
}

function ramRegisters(traits: ModelTraits) {
  return {
    torque: row([64, 1], 0, [0, 1]),
    led: row([65, 1], 0, [0, 1]),
    status_level: row([68, 1], 2, [0, 2]),
    velocity_i: row([76, 2], 1920, [0, 16383]),
    velocity_p: row([78, 2], 100, [0, 16383]),
    position_d: row([80, 2], 0, [0, 16383]),
    position_i: row([82, 2], 0, [0, 16383]),
    position_p: row([84, 2], traits.position_p, [0, 16383]),
    forward_2: row([88, 2], 0, [0, 16383]),
    forward_1: row([90, 2], 0, [0, 16383]),
    watchdog: row([98, 1], 0, [0, 127]),
    goal_pwm: row([100, 2], 885, [-885, 885]),
    goal_current: row([102, 2], traits.current, [-traits.current, traits.current]),
    goal_velocity: row([104, 4], 0, [-2047, 2047]),
    profile_acceleration: row([108, 4], 0, [0, 32767]),
    profile_velocity: row([112, 4], 0, [0, 32767]),
    goal_position: row([116, 4], 0, [-WIDE, WIDE]),
  };
}

/** External ports with factory values: inputs with pull-down. */
const PORTS = {
  port_1_mode: row([56, 1], 3, [0, 3]),
  port_2_mode: row([57, 1], 3, [0, 3]),
  port_3_mode: row([58, 1], 3, [0, 3]),
  port_1_data: row([152, 2], 0, [0, 4095]),
  port_2_data: row([154, 2], 0, [0, 4095]),
  port_3_data: row([156, 2], 0, [0, 4095]),
};

/** The control table of a model by register name, with external ports if it has them. */
export function controlTable(model: ModelName) {
  const traits = MODELS[model];
  const ports = traits.ports ? PORTS : ({} as typeof PORTS);
  return { ...eepromRegisters(traits), ...ramRegisters(traits), ...READ_ONLY, ...ports };
}

/** First address after the table of a model. */
export function tableEnd(model: ModelName): number {
  return MODELS[model].ports ? TABLE_END_WITH_PORTS : TABLE_END;
}

export type ControlTable = ReturnType<typeof controlTable>;
export type TableRegister = keyof ControlTable;

/** Range of goals in extended position mode (steps). */
export const EXTENDED_RANGE: readonly [number, number] = [-TURNS, TURNS];
/** Registers that a tripped bus watchdog locks. */
export const WATCHDOG_LOCKED: readonly TableRegister[] = [
  'goal_pwm',
  'goal_current',
  'goal_velocity',
  'goal_position',
];
/** Registers that a change of the operating mode resets to factory values. */
export const MODE_DEFAULTS: readonly TableRegister[] = [
  'velocity_i',
  'velocity_p',
  'position_d',
  'position_i',
  'position_p',
  'forward_1',
  'forward_2',
  'goal_pwm',
  'goal_current',
  'profile_acceleration',
  'profile_velocity',
];
export const OPERATING_MODES = [0, 1, 3, 4, 5, 16];
