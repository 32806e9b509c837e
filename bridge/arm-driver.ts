/**
 * The port between the robot and whatever stands behind the joints: a simulated plant, a servo
 * bus, or both. Nothing above this file asks which. The case suite of arm-driver.cases.ts says in
 * tests what the members promise here.
 */

/** Plant steps in one tick, and samples in a setpoint: one before, the tick's four, one after. */
export const STEPS_PER_TICK = 4;
export const SETPOINT_SAMPLES = STEPS_PER_TICK + 2;
export const TICK_S = 0.004;

export type DetectionSensitivity = 'low' | 'medium' | 'high';

/** What the robot wants of the joints during one tick. */
export interface Setpoint {
  /** follow: track the samples; hold: stay where you are; limp: gravity compensation only. */
  readonly mode: 'follow' | 'hold' | 'limp';
  /** Joint angles (rad), SETPOINT_SAMPLES rows of six, 1 ms apart, the first 1 ms before the tick.
   * Read only in mode follow; the caller may reuse the array after the call. */
  readonly samples: Float64Array;
  readonly payload_kg: number;
  /** Collision detection: null when disabled. */
  readonly detection: DetectionSensitivity | null;
}

export type DriverFaultKind =
  | 'lost'
  | 'overheated'
  | 'overload'
  | 'encoder'
  | 'following_error'
  | 'voltage'
  | 'stale'
  | 'bus';

/** Why the joints cannot be moved; stays until `recover` succeeds. */
export interface DriverFault {
  readonly kind: DriverFaultKind;
  /** 0..5, or null when the cause is no single joint's. */
  readonly joint: number | null;
  /** A sentence for the log and for error details. */
  readonly message: string;
}

/** A touch that the residual of the joints (or a stall) revealed. */
export interface ContactReport {
  /** Joint whose residual crossed its threshold. */
  readonly joint: number;
  /** Plant time of the crossing, in seconds since the driver's start. */
  readonly at_s: number;
}

/** What the joints report after a tick. Arrays belong to the driver and change with the next. */
export interface Feedback {
  /** Measured joint angles (rad) and velocities (rad/s) at the end of the tick. */
  readonly position_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
  readonly temperature_c: Float64Array;
  /** Motor torque at each joint's output (N m), as far as the driver knows it. */
  readonly torque_n_m: Float64Array;
  /** Age of the sample (s); 0 for a simulated arm. */
  readonly age_s: number;
  readonly fault: DriverFault | null;
  readonly contact: ContactReport | null;
  /** True while the emergency stop that is wired to the joints is on: they brake by themselves.
   * Absent where none is wired. */
  readonly estop?: boolean;
  /** True while nothing moves and the driver would stay so if it were not called. */
  readonly at_rest: boolean;
}

export interface ArmDriver {
  /** Short name on the wire and in logs: rapier, fast, servo, mirrored. */
  readonly name: string;
  /** real-time: refuses accelerated and stepped clocks, as a bus must. */
  readonly pace: 'any' | 'real-time';
  /** Makes the joints ready and answers where they stand. Never moves the arm. */
  start(): Promise<Feedback>;
  /** Advances by one tick of `dt_s`. Never blocks, never throws; faults come in the feedback.
   * The caller may change the setpoint after the call. */
  exchange(setpoint: Setpoint, dt_s: number): Feedback;
  /** Clears faults whose cause has gone, and contact latches; true when none is left. Never moves
   * the arm. */
  recover(): boolean;
  /** Brings the joints to rest and releases what `start` took. Safe to call twice. */
  stop(): Promise<void>;
}
