/**
 * Registers of Feetech's STS servos by name, and their values: little-endian, signed ones with
 * their sign in a bit. Addresses are those of the vendor's memory table (STS3215, version 3.6).
 */
import type { RegisterSpan } from '../servo/bus/register-data.ts';

export interface StsRegister extends RegisterSpan {
  /** Bit of the sign; absent: never negative. */
  readonly sign_bit?: number;
}

function byte(address: number): StsRegister {
  return { address, length: 1 };
}

function word(address: number, sign_bit?: number): StsRegister {
  return { address, length: 2, ...(sign_bit !== undefined && { sign_bit }) };
}

export const STS_REGISTER = {
  firmware: word(0),
  model: word(3),
  baud: byte(6),
  return_delay: byte(7),
  status_level: byte(8),
  position_min: word(9),
  position_max: word(11),
  temperature_limit: byte(13),
  voltage_max: byte(14),
  voltage_min: byte(15),
  torque_max: word(16),
  phase: byte(18),
  unloading: byte(19),
  position_p: byte(21),
  position_d: byte(22),
  position_i: byte(23),
  startup_force: word(24),
  dead_forward: byte(26),
  dead_backward: byte(27),
  protection_current: word(28),
  resolution: byte(30),
  homing_offset: word(31, 11),
  operating_mode: byte(33),
  protective_torque: byte(34),
  protection_time: byte(35),
  overload_torque: byte(36),
  protection_current_time: byte(38),
  torque: byte(40),
  acceleration: byte(41),
  goal_position: word(42, 15),
  goal_time: word(44, 10),
  goal_speed: word(46, 15),
  torque_limit: word(48),
  lock: byte(55),
  present_position: word(56, 15),
  present_speed: word(58, 15),
  present_load: word(60, 10),
  voltage: byte(62),
  temperature: byte(63),
  status: byte(65),
  present_current: word(69, 15),
} as const satisfies Readonly<Record<string, StsRegister>>;

export type StsRegisterName = keyof typeof STS_REGISTER;

/** The register's value in data that start at address `from`. */
export function stsValue(data: ArrayLike<number>, from: number, register: StsRegister): number {
  const at = register.address - from;
  const raw = data[at]! + (register.length === 2 ? 256 * data[at + 1]! : 0);
  const sign = register.sign_bit === undefined ? 0 : 1 << register.sign_bit;
  return (raw & sign) === 0 ? raw : -(raw & ~sign);
}

/** A value as the bytes of its register. */
export function stsData({ length, sign_bit }: StsRegister, value: number): number[] {
  const raw = value < 0 && sign_bit !== undefined ? -value | (1 << sign_bit) : value;
  return length === 1 ? [raw & 0xff] : [raw & 0xff, (raw >> 8) & 0xff];
}

/** Phase bits that make positions count turns, and count the other way. */
export const PHASE_TURNS = 0x10;
export const PHASE_REVERSED = 0x80;

/** Unit of the current registers (A). */
export const CURRENT_STEP_A = 0.0065;

/** Full scale of torque limits: the torque at stall. */
export const FULL_TORQUE = 1000;

/** Baud rates by their code in the servo. */
export const BAUDS = [1_000_000, 500_000, 250_000, 128_000, 115_200, 76_800, 57_600, 38_400];
