/**
 * The timing of an arm's planner, its law and the limits of its joints, and the limits that
 * motions and stops of such an arm keep.
 */
import {
  ARM_LIMITS,
  type MotionLimits,
  PAUSE_LIMITS,
  PAUSE_SHARES,
  PLANNING_LIMITS,
  PROTECTIVE_LIMITS,
  PROTECTIVE_SHARES,
  scaleLimits,
} from './limits.ts';

/**
 * How an arm times a straight joint motion, as fast as its limits of speed and acceleration allow.
 * double_s: also of jerk; filtered: a trapezoid of speed averaged over `ramp_s`; cycloidal and
 * half_sine: ramps of speed with an acceleration of that form; quintic and septic: one polynomial.
 */
export type TimingLaw = 'double_s' | 'filtered' | 'cycloidal' | 'half_sine' | 'quintic' | 'septic';

/** The timing of an arm's planner: its law and the limits of its joints. Plain data. */
export interface MotionTiming {
  readonly law: TimingLaw;
  readonly velocity_rad_s: readonly number[];
  readonly acceleration_rad_s2: readonly number[];
  readonly jerk_rad_s3: readonly number[];
  /** Averaging time of the law `filtered` (s). */
  readonly ramp_s: number;
  /** Braking over acceleration, in the law `filtered`. */
  readonly braking_share: number;
  /** How the speed cap of the tool slows a motion: where it is reached, or from end to end. */
  readonly tool_speed: 'where_reached' | 'whole_motion';
}

/** Tool acceleration of an arm whose timing is known by its joints alone (m/s²): no limit. */
const FREE_TOOL_ACCELERATION_M_S2 = 1000;
/** Time constant that the jerk of a law without a jerk limit has on curved paths (s). */
const CURVE_RAMP_S = 0.1;

/** The limits of an arm with this timing; those of the model with null. */
export function jointLimitsOf(timing: MotionTiming | null | undefined): MotionLimits {
  if (!timing) return ARM_LIMITS;
  const { law, velocity_rad_s: velocity, acceleration_rad_s2: acceleration, ramp_s } = timing;
  const jerkOf = (joint: number): number => {
    if (law === 'double_s') return timing.jerk_rad_s3[joint]!;
    return acceleration[joint]! / (law === 'filtered' ? ramp_s : CURVE_RAMP_S);
  };
  return {
    velocity_rad_s: Float64Array.from(velocity),
    acceleration_rad_s2: Float64Array.from(acceleration),
    jerk_rad_s3: Float64Array.from(acceleration, (_, joint) => jerkOf(joint)),
    tool_acceleration_m_s2: FREE_TOOL_ACCELERATION_M_S2,
  };
}

/** The limits that an arm with this timing plans to: its own are reached, not merely kept. */
export function planningLimits(timing: MotionTiming | null | undefined): MotionLimits {
  return timing ? jointLimitsOf(timing) : PLANNING_LIMITS;
}

/** The limits of stops; a slow timing does not weaken them. */
export function stopLimitsOf(
  timing: MotionTiming | null | undefined,
  kind: 'pause' | 'protective',
): MotionLimits {
  const floor = kind === 'pause' ? PAUSE_LIMITS : PROTECTIVE_LIMITS;
  if (!timing) return floor;
  const own = scaleLimits(
    jointLimitsOf(timing),
    kind === 'pause' ? PAUSE_SHARES : PROTECTIVE_SHARES,
  );
  const largest = (a: Float64Array, b: Float64Array) =>
    a.map((value, joint) => Math.max(value, b[joint]!));
  return {
    ...own,
    velocity_rad_s: largest(own.velocity_rad_s, floor.velocity_rad_s),
    acceleration_rad_s2: largest(own.acceleration_rad_s2, floor.acceleration_rad_s2),
    jerk_rad_s3: largest(own.jerk_rad_s3, floor.jerk_rad_s3),
  };
}
