/**
 * Registers of the servos that the driver uses, by name (X series, same addresses on all models),
 * and the encoding of their values.
 */
import type { RegisterSpan } from '../servo/bus/register-data.ts';

export interface Register extends RegisterSpan {
  readonly signed: boolean;
}

function unsigned(address: number, length: number): Register {
  return { address, length, signed: false };
}

function signed(address: number, length: number): Register {
  return { address, length, signed: true };
}

export const REGISTER = {
  id: unsigned(7, 1),
  baud: unsigned(8, 1),
  return_delay: unsigned(9, 1),
  drive_mode: unsigned(10, 1),
  operating_mode: unsigned(11, 1),
  secondary_id: unsigned(12, 1),
  homing_offset: signed(20, 4),
  temperature_limit: unsigned(31, 1),
  voltage_max: unsigned(32, 2),
  voltage_min: unsigned(34, 2),
  pwm_limit: unsigned(36, 2),
  current_limit: unsigned(38, 2),
  velocity_limit: unsigned(44, 4),
  position_max: unsigned(48, 4),
  position_min: unsigned(52, 4),
  port_1_mode: unsigned(56, 1),
  port_2_mode: unsigned(57, 1),
  port_3_mode: unsigned(58, 1),
  startup: unsigned(60, 1),
  shutdown: unsigned(63, 1),
  torque: unsigned(64, 1),
  status_level: unsigned(68, 1),
  hardware_error: unsigned(70, 1),
  position_d: unsigned(80, 2),
  position_i: unsigned(82, 2),
  position_p: unsigned(84, 2),
  forward_2: unsigned(88, 2),
  forward_1: unsigned(90, 2),
  watchdog: unsigned(98, 1),
  goal_pwm: signed(100, 2),
  goal_current: signed(102, 2),
  profile_acceleration: unsigned(108, 4),
  profile_velocity: unsigned(112, 4),
  goal_position: signed(116, 4),
  present_position: signed(132, 4),
  voltage: unsigned(144, 2),
  temperature: unsigned(146, 1),
  port_1_data: unsigned(152, 2),
  port_2_data: unsigned(154, 2),
  port_3_data: unsigned(156, 2),
} as const satisfies Readonly<Record<string, Register>>;

/** Health spans, polled in turn: torque to hardware error; watchdog; supply and heat; goal. */
export const HEALTH: readonly RegisterSpan[] = [
  { address: 64, length: 7 },
  { address: 98, length: 1 },
  { address: 144, length: 3 },
  REGISTER.goal_position,
];

export type RegisterName = keyof typeof REGISTER;

/** Watchdog timeout of the servos, in units of 20 ms; at least 10. */
export const WATCHDOG_UNITS = 15;
/** Value of the watchdog register after it has tripped. */
export const WATCHDOG_TRIPPED = 255;
/**
 * Values of the operating mode: position control by voltage within one turn, and by a current that
 * stays within the goal current, which counts turns.
 */
export const OPERATING_MODE = { position: 3, current_based: 5 } as const;

/** Encodes a value as bytes, little-endian. */
export function encodeValue({ length }: RegisterSpan, value: number): number[] {
  return Array.from({ length }, (_, i) => (value >> (8 * i)) & 0xff);
}

/** Decodes a little-endian value. */
export function decodeValue(data: ArrayLike<number>, from: number, register: Register): number {
  let value = 0;
  for (let i = register.length - 1; i >= 0; i--) value = value * 256 + data[from + i]!;
  const half = 2 ** (8 * register.length - 1);
  return register.signed && value >= half ? value - 2 * half : value;
}
/** One step of the velocity registers: 0.229 turns a minute (rad/s). */
export const VELOCITY_STEP_RAD_S = (0.229 * 2 * Math.PI) / 60;

/** The same in steps of the encoder a second. */
export const VELOCITY_STEP_TICKS_S = (0.229 * 4096) / 60;

/** Full scale of the PWM registers: the whole supply voltage. */
export const PWM_SCALE = 885;

/** Baud rates by their code in the servo. */
export const BAUD_CODES: readonly number[] = [
  9600, 57_600, 115_200, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 4_500_000,
];
