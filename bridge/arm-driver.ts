/**
 * The driver port: what the robot needs of the joints. A simulated plant, a servo bus, or both at
 * once (mirrored) implement it; code above this file does not know which. arm-driver.cases.ts is
 * the conformance suite of the port. Angles in rad, torques in N m, time in s.
 */

import type { ArmRange } from '../physics/arm/arm-range.ts';

/** Plant steps in one tick, and samples in a setpoint: one before, the tick's four, one after. */
export const STEPS_PER_TICK = 4;
export const SETPOINT_SAMPLES = STEPS_PER_TICK + 2;
export const TICK_S = 0.004;

export type DetectionSensitivity = 'low' | 'medium' | 'high';

/** A tool as a body: a flat-ended cylinder from the flange centre to its tip (flange frame, m). */
export interface MountedTool {
  readonly tip_m: readonly [number, number, number];
  readonly radius_m: number;
}

/** The command to the joints for one tick. */
export interface Setpoint {
  /** follow: track the samples; hold: keep the position; backdrive: gravity compensation only. */
  readonly mode: 'follow' | 'hold' | 'backdrive';
  /** Joint angles (rad), SETPOINT_SAMPLES rows of six, 1 ms apart, the first 1 ms before the tick.
   * Read only in mode follow; the caller may reuse the array after the call. */
  readonly samples: Float64Array;
  /** Payload (kg) that the control expects; the real load may differ. */
  readonly payload_kg: number;
  /** Tool at the flange; absent or null for none. */
  readonly tool?: MountedTool | null;
  /** Collision detection: null when disabled. */
  readonly detection: DetectionSensitivity | null;
}

export const ARM_FAULT_KINDS = [
  'lost',
  'overheated',
  'overload',
  'encoder',
  'following_error',
  'voltage',
  'stale',
  'bus',
] as const;

export type ArmFaultKind = (typeof ARM_FAULT_KINDS)[number];

/** Why the joints cannot be moved. Latched until `recover` succeeds. */
export interface ArmFault {
  readonly kind: ArmFaultKind;
  /** 0..5, or null when no single joint is the cause. */
  readonly joint: number | null;
  /** A sentence for the log and for error details. */
  readonly message: string;
  /** True where the joint may have lost its torque, so that nothing else explains the fault. */
  readonly limp?: boolean;
}

/** A contact detected from the torque residual of a joint, or from a stall. */
export interface ContactReport {
  /** Joint whose residual crossed its threshold. */
  readonly joint: number;
  /** Plant time of the crossing, in seconds since the driver's start. */
  readonly at_s: number;
  /**
   * True where the joint fell behind its goal without a torque that shows a contact: too much load
   * at this speed does the same.
   */
  readonly lags?: boolean;
}

export const REACTION_PHASES = ['braking', 'retreating', 'giving way', 'holding'] as const;

/** What the arm does about a contact, until it is acknowledged or recovered (D30). */
export interface ContactReactionReport {
  /** `holding` once the force is small; `giving way` may last while something pushes on. */
  readonly phase: (typeof REACTION_PHASES)[number];
  /** External force at the touching place as the driver estimates it: now and at most (N). */
  readonly force_n: number;
  readonly peak_n: number;
  /** How far the fastest joint went back along its way, and gave way to the force (rad). */
  readonly retreated_rad: number;
  readonly yielded_rad: number;
  /** How often the arm gave way again because something pressed it while it was held. */
  readonly relieved: number;
}

/**
 * The state of the joints after a tick. The driver owns the arrays and overwrites them next tick.
 */
export interface Feedback {
  /** Measured joint angles (rad) and velocities (rad/s) at the end of the tick. */
  readonly position_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
  /** The pose that the drives hold (rad), where the next motion starts, for drivers that know it
   * apart from the measured one; absent: the measured one. Valid while the arm stands. */
  readonly held_rad?: Float64Array;
  readonly temperature_c: Float64Array;
  /** Motor torque at the output of each joint (N m), as far as the driver can measure it. */
  readonly torque_n_m: Float64Array;
  /** Age of the sample (s); 0 for a simulated arm. */
  readonly age_s: number;
  readonly fault: ArmFault | null;
  readonly contact: ContactReport | null;
  /** Null without a reaction to a contact; absent for drivers that report none. */
  readonly reaction?: ContactReactionReport | null;
  /** True while the emergency stop wired to the joints is engaged; the driver brakes by itself.
   * Absent where none is wired. */
  readonly estop?: boolean;
  /** True where the driver itself reports a joint that does not hold, as a fault or a contact: it
   * knows what its drives give. Absent where the robot compares the pose with its rest (D30). */
  readonly watches_hold?: true;
  /** True while no joint moves, as far as the driver can measure. */
  readonly standing: boolean;
  /** True while nothing moves and nothing would move without further calls. */
  readonly at_rest: boolean;
}

/**
 * A tool that a driver moves itself: digital outputs of the arm command it, and it drives digital
 * inputs. A driver without one leaves both to the cell, or to what is wired.
 */
export interface DrivenTool {
  /**
   * The outputs as the tool stands: a start, and a power cycle of the robot, take them over, so that
   * neither moves the tool. Empty before the start.
   */
  readonly standingOutputs: ReadonlyMap<string, boolean>;
  /** The inputs that it drives, by their keys. */
  readonly inputValues: ReadonlyMap<string, boolean>;
  /** Takes the outputs of this tick; the tool follows one that has changed. */
  setOutputs(outputs: Readonly<Record<string, unknown>>): void;
}

export interface ArmDriver {
  /** Short name in the API and in logs: rapier, fast, servo, mirrored. */
  readonly name: string;
  /** real-time: rejects accelerated and stepped clocks, as a servo bus must. */
  readonly pace: 'any' | 'real-time';
  /** Makes the joints ready and returns their positions. Never moves the arm. */
  start(): Promise<Feedback>;
  /** Advances by one tick of `dt_s`. Never blocks or throws; faults are in the feedback.
   * The caller may reuse the setpoint after the call. */
  exchange(setpoint: Setpoint, dt_s: number): Feedback;
  /** Range of the joints of a real arm, where it is narrower than the model's; known once `start`
   * is done. Motions keep to it; null or absent: the range of the model. */
  readonly range_rad?: ArmRange | null;
  /** A tool that the driver moves by outputs; null or absent: none. */
  readonly drivenTool?: DrivenTool | null;
  /** Why the arm cannot be guided by hand; null or absent where it can. In that case a setpoint of
   * mode backdrive holds the arm. */
  readonly guidingRefusal?: string | null;
  /** Clears contact latches and faults whose cause is gone; returns true when no fault is left.
   * Never moves the arm. */
  recover(): boolean;
  /** Brings the joints to rest and releases what `start` acquired. Safe to call twice. */
  stop(): Promise<void>;
}

/** Feedback as the driver that owns it writes it. */
export type MutableFeedback = { -readonly [Key in keyof Feedback]: Feedback[Key] };

/** The fault of joints without data: not started, stopped or still restarting. */
export function unavailableFault(message: string): ArmFault {
  return { kind: 'lost', joint: null, message };
}

/** All zeros, with the fault of an arm that is not started. */
export function emptyFeedback(): MutableFeedback {
  return {
    position_rad: new Float64Array(6),
    velocity_rad_s: new Float64Array(6),
    temperature_c: new Float64Array(6),
    torque_n_m: new Float64Array(6),
    age_s: 0,
    fault: unavailableFault('The arm is not started'),
    contact: null,
    standing: true,
    at_rest: false,
  };
}
