/**
 * What an arm of servos tells of itself beyond the port: each servo, the bus they share, and how
 * far the arm is from its model where one runs beside it. For figures and diagnosis; nothing is
 * steered by it. A simulated arm has none.
 */
import type { DriverFault } from './arm-driver.ts';

export interface ServoReading {
  /** 0..5, from the base on. */
  readonly joint: number;
  /** The servo that answers for the joint. */
  readonly id: number;
  readonly model: string;
  readonly temperature_c: number;
  readonly voltage_v: number;
  /** Signed as the joint's torque; 0 where the model does not measure it. */
  readonly current_a: number;
  /** Times that it was asked and gave no fresh sample in time. */
  readonly missed_samples: number;
}

export interface BusReading {
  readonly name: string;
  readonly transactions: number;
  readonly timeouts: number;
  readonly checksum_errors: number;
  /** Answers that nobody asked for or waited for any more. */
  readonly unexpected: number;
  /** Packets that the line did not take. */
  readonly unsent: number;
  /** Turns of the cycle left out because the answers of the one before were not there. */
  readonly missed_turns: number;
  /** Time from a question to the last answer, over the last turns (ms). */
  readonly cycle_p50_ms: number;
  readonly cycle_p99_ms: number;
  /** Time from one question to the next: what a late loop makes of the cycle (ms). */
  readonly period_p99_ms: number;
  /** Age of the oldest joint's sample (ms). */
  readonly age_ms: number;
}

/** Real minus model. */
export interface JointDifference {
  readonly joint: number;
  readonly position_rad: number;
  readonly torque_n_m: number;
  readonly position_rms_rad: number;
  readonly position_max_rad: number;
  readonly torque_rms_n_m: number;
  readonly torque_max_n_m: number;
}

export interface ArmReading {
  readonly fault: DriverFault | null;
  readonly bus: BusReading;
  /** Six, from the base on. */
  readonly servos: readonly ServoReading[];
  /** Six, from the base on; null where no model runs beside the arm. */
  readonly mirror: readonly JointDifference[] | null;
}

export interface ArmInstruments {
  /** What there is to tell now; a fresh record. */
  read(): ArmReading;
}
