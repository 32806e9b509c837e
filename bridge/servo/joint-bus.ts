/**
 * The port to a family of servos, in the units of joints. The driver above it (servo-arm.ts) knows
 * angles, torques and faults, and no register, step, packet or model. A family implements it with
 * its own protocol and its own emulator, and passes the same cases.
 */

import type { Result } from '../../contract/result.ts';
import type { ArmRange } from '../../physics/arm/arm-range.ts';
import type { ArmFault, DrivenTool } from '../arm-driver.ts';
import type { ArmReading } from '../arm-instruments.ts';

/** Why joints could not be made ready. */
export interface StartProblem {
  readonly joint: number | null;
  readonly message: string;
}

/** Joints that hold: their angles, and the goals that hold them there (rad). */
export interface StartedJoints {
  readonly position_rad: Float64Array;
  readonly goal_rad: Float64Array;
  /** The range in which the servos take each pose, by calibration and their own limits. */
  readonly range_rad: ArmRange;
}

/** What the servos do after the end of the program; unreached: not all have taken it. */
export type EndOfServos = 'released' | 'held' | 'unreached';

/** Goals (rad), rounded to servo steps, and how long they were active. */
export interface CommandInterval {
  readonly goal_rad: Float64Array;
  readonly duration_ms: number;
}

/** Samples with the time of the servos' own clock, and the goals between them. */
export interface TimedSamples {
  readonly samples: {
    readonly position_rad: Float64Array;
    readonly velocity_rad_s: Float64Array;
    readonly torque_n_m: Float64Array;
  };
  /** Subscribes to the commands between samples of all joints. */
  onCommandIntervals(onIntervals: (intervals: readonly CommandInterval[]) => void): void;
}

/** The latest sample of each joint. */
export interface JointMeasurements {
  readonly position_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
  readonly current_a: Float64Array;
  /** By the current sensors; null where a servo has none. */
  readonly torque_n_m: Float64Array | null;
}

/** How a joint answers load and speed. */
export interface JointLag {
  /** Lag at which the servos of a joint give their full torque (rad); 0 where it is not known. */
  readonly full_lag_rad: readonly number[];
  /** Share of its full torque that a joint loses for each rad/s, by back-EMF or damping. */
  readonly speed_share: readonly number[];
}

export interface JointBus extends JointLag {
  /** Whether its servos stop by themselves when the bus is silent. */
  readonly has_watchdog: boolean;
  /** Null where the servos have no clock. */
  readonly timed: TimedSamples | null;
  readonly measured: JointMeasurements;
  /** Torques of the joints (N m), zero where they are not measured. */
  readonly torque_n_m: Float64Array;
  /** Temperature of the hottest servo of each joint (°C). */
  readonly temperature_c: Float64Array;
  /** Whether the servos of a joint keep within the torque that an exchange states. */
  readonly limits_torque: readonly boolean[];
  /** Age of the oldest joint's sample (s). */
  readonly age_s: number;
  /** Cycles in a row without fresh samples of all joints. */
  readonly failed_cycles: number;
  /** True once replies were corrupt. */
  readonly corrupt: boolean;
  /** The first fault since the start. */
  readonly fault: ArmFault | null;
  /** The gripper on the same line; null: none is driven. */
  readonly drivenTool: DrivenTool | null;
  /** Why the line cannot be used, as a message; null: nothing is known against it. */
  readonly line_problem: string | null;
  /** What the line shows while joints are not read, as a message; null: nothing. */
  readonly line_symptom: string | null;
  /** Whether the emergency stop wired to the servos is pressed; null: none is wired. */
  readonly stop_pressed: boolean | null;

  /** Opens the line and makes the joints hold where they are. Never moves the arm. */
  start(): Promise<Result<StartedJoints, StartProblem>>;
  /** Makes them hold again after a fault. Never moves the arm. */
  recover(): Promise<Result<StartedJoints, StartProblem>>;
  /**
   * Sends goals (rad) for a pose (rad) and requests samples. Never waits. Goals that follow a
   * missing sample wait for the next good one: what waits on a line that is stuck moves nothing.
   * Servos that can limit
   * their torque while they hold a position keep within `torque_max_n_m`.
   */
  exchange(goal_rad: Float64Array, pose_rad: Float64Array, torque_max_n_m: Float64Array): void;
  /** From now on the servos stop by themselves when this program falls silent, where they can. */
  supervise(): void;
  /** Sends no goals until the next start: each servo keeps the one that it has. */
  keepGoals(): void;
  /** Stops the exchange until the next start. */
  suspend(): void;
  /** Ends the supervision of an arm at rest, and closes the line. */
  end(): Promise<EndOfServos>;
  /** Closes the line at once, after a start that failed. */
  close(): Promise<void>;
  /** Counters of the line and of the exchange since the start. */
  readonly statistics: Readonly<Record<string, number>>;
  /** Readings of the servos and of the line. */
  read(): Pick<ArmReading, 'bus' | 'servos' | 'gripper'>;
}
