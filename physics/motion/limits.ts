/**
 * Motion limits of joints and tool (group `motion` of the arm), and the shares of them that
 * planning and stops use. §2.4.
 */
import {
  ACCELERATION_MAX_RAD_S2,
  JERK_MAX_RAD_S3,
  TOOL_ACCELERATION_MAX_M_S2,
  VELOCITY_MAX_RAD_S,
} from '../arm/arm-model.ts';

/** Limits of the six joints (rad/s, rad/s², rad/s³) and of the tool point (m/s²). */
export interface MotionLimits {
  readonly velocity_rad_s: Float64Array;
  readonly acceleration_rad_s2: Float64Array;
  readonly jerk_rad_s3: Float64Array;
  readonly tool_acceleration_m_s2: number;
}

/** Factors for the limits of a record. */
export interface LimitShares {
  readonly velocity: number;
  readonly acceleration: number;
  readonly jerk: number;
}

/** The limits, each multiplied by its factor. */
export function scaleLimits(limits: MotionLimits, shares: LimitShares): MotionLimits {
  return {
    velocity_rad_s: limits.velocity_rad_s.map((value) => value * shares.velocity),
    acceleration_rad_s2: limits.acceleration_rad_s2.map((value) => value * shares.acceleration),
    jerk_rad_s3: limits.jerk_rad_s3.map((value) => value * shares.jerk),
    tool_acceleration_m_s2: limits.tool_acceleration_m_s2 * shares.acceleration,
  };
}

/** Limits of the arm: no emitted setpoint of a valid motion exceeds them. */
export const ARM_LIMITS: MotionLimits = {
  velocity_rad_s: VELOCITY_MAX_RAD_S,
  acceleration_rad_s2: ACCELERATION_MAX_RAD_S2,
  jerk_rad_s3: JERK_MAX_RAD_S3,
  tool_acceleration_m_s2: TOOL_ACCELERATION_MAX_M_S2,
};

/** Share of each limit that planning uses, the tool speed cap included. */
export const PLANNING_SHARE = 0.9999;

/** Limits that motions are planned to. */
export const PLANNING_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, {
  velocity: PLANNING_SHARE,
  acceleration: PLANNING_SHARE,
  jerk: PLANNING_SHARE,
});

export const PAUSE_SHARES: LimitShares = { velocity: 1, acceleration: 1.2, jerk: 2 };
export const PROTECTIVE_SHARES: LimitShares = { velocity: 1, acceleration: 2, jerk: 5 };

/**
 * Limits of a pause. A time-optimal motion is at its limits, so a stop that leaves it needs more:
 * with these factors nearly every pause finds a stop at its first tick.
 */
export const PAUSE_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, PAUSE_SHARES);

/** Limits of a protective or emergency stop, which brake harder than a pause. */
export const PROTECTIVE_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, PROTECTIVE_SHARES);
