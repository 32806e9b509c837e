/**
 * Instrument readings of an arm of servos, beyond the driver port: each servo, the bus they share,
 * and the deviation from the model that runs beside it. For metrics and diagnosis only; control
 * does not use them. A simulated arm has none.
 */
import type { ArmFault } from './arm-driver.ts';

export interface ServoMeasurement {
  /** 0..5, from the base on. */
  readonly joint: number;
  readonly id: number;
  readonly model: string;
  readonly temperature_c: number;
  readonly voltage_v: number;
  /** Signed as the joint's torque; 0 where the model does not measure it. */
  readonly current_a: number;
  /** Requests without a fresh sample in time. */
  readonly missed_samples: number;
}

/** The servo of a gripper. */
export interface GripperReading {
  readonly id: number;
  readonly model: string;
  readonly temperature_c: number;
  readonly voltage_v: number;
  readonly current_a: number;
  /** How far it is open: 0 shut, 1 open. */
  readonly opening: number;
  /** What its output says: true closes it. */
  readonly closes: boolean;
  readonly part_present: boolean;
  /** The signals that command it and that it tells. */
  readonly output: string;
  readonly part_present_input: string;
}

export interface BusStatistics {
  readonly name: string;
  readonly transactions: number;
  readonly timeouts: number;
  readonly checksum_errors: number;
  /** Replies that matched no pending request. */
  readonly unexpected: number;
  /** Packets that the transport did not accept. */
  readonly unsent: number;
  /** Cycles skipped because replies of the previous one were still missing. */
  readonly missed_turns: number;
  /** Time from a request to its last reply, over the latest cycles (ms). */
  readonly cycle_p50_ms: number;
  readonly cycle_p99_ms: number;
  /** Time from one request to the next, which grows when the control loop is late (ms). */
  readonly period_p99_ms: number;
  /** Age of the oldest joint's sample (ms). */
  readonly age_ms: number;
}

/** Real minus model. */
export interface JointDeviation {
  readonly joint: number;
  readonly position_rad: number;
  readonly torque_n_m: number;
  readonly position_rms_rad: number;
  readonly position_max_rad: number;
  readonly torque_rms_n_m: number;
  readonly torque_max_n_m: number;
}

export interface ArmReading {
  readonly fault: ArmFault | null;
  readonly bus: BusStatistics;
  /** All servos, from the base on; a joint may have several. */
  readonly servos: readonly ServoMeasurement[];
  /** The servo of the gripper; absent where none is driven. */
  readonly gripper?: GripperReading;
  /** Six, from the base on; null where no model runs beside the arm. */
  readonly mirror: readonly JointDeviation[] | null;
}

export interface ArmInstruments {
  /** The present readings, as a new object. */
  read(): ArmReading;
}
