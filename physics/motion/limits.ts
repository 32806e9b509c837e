/**
 * What a motion may demand of the joints and of the tool: the numbers that all timing is held to
 * (arm-model.json, group `motion`). They stand apart because planning, stops and the check of
 * setpoints hold to different shares of one record. Spec §2.4.
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

/** Shares of the limits of one record that another may use. */
export interface LimitShares {
  readonly velocity: number;
  readonly acceleration: number;
  readonly jerk: number;
}

/** The same limits, each times its share. */
export function scaleLimits(limits: MotionLimits, shares: LimitShares): MotionLimits {
  return {
    velocity_rad_s: limits.velocity_rad_s.map((value) => value * shares.velocity),
    acceleration_rad_s2: limits.acceleration_rad_s2.map((value) => value * shares.acceleration),
    jerk_rad_s3: limits.jerk_rad_s3.map((value) => value * shares.jerk),
    tool_acceleration_m_s2: limits.tool_acceleration_m_s2 * shares.acceleration,
  };
}

/** The limits of the arm: no emitted setpoint of a sound motion is beyond them. */
export const ARM_LIMITS: MotionLimits = {
  velocity_rad_s: VELOCITY_MAX_RAD_S,
  acceleration_rad_s2: ACCELERATION_MAX_RAD_S2,
  jerk_rad_s3: JERK_MAX_RAD_S3,
  tool_acceleration_m_s2: TOOL_ACCELERATION_MAX_M_S2,
};

/** Planning stays this far inside each limit, the tool speed cap included. */
export const PLANNING_SHARE = 0.9999;

/** What motions are planned to. */
export const PLANNING_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, {
  velocity: PLANNING_SHARE,
  acceleration: PLANNING_SHARE,
  jerk: PLANNING_SHARE,
});

/**
 * A time-optimal motion sits on its limits, so a stop that leaves it needs more than they allow:
 * with these shares nearly every pause finds a stop at its first tick.
 */
export const PAUSE_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, {
  velocity: 1,
  acceleration: 1.2,
  jerk: 2,
});

/** A protective stop or an emergency stop brakes harder than a pause. */
export const PROTECTIVE_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, {
  velocity: 1,
  acceleration: 2,
  jerk: 5,
});
