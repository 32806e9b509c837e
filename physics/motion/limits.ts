/**
 * Motion limits of joints and tool (arm-model.json, groups `motion` and `energy`) and the shares of
 * them that planning, stops and the setpoint check use. §2.4. Also: profiles of single arms.
 */

import type { Problem } from '../../contract/refusal.ts';
import type { ArmProfile } from '../../contract/types.ts';
import {
  ACCELERATION_MAX_RAD_S2,
  JERK_MAX_RAD_S3,
  JOINT_ENERGY_MAX_J,
  PAYLOAD_BALL,
  TOOL_ACCELERATION_MAX_M_S2,
  TOOL_ENERGY_MAX_J,
  VELOCITY_MAX_RAD_S,
} from '../arm/arm-model.ts';
import { ForwardDynamics } from '../dynamics/arm-dynamics.ts';
import { type JointFriction, NOMINAL_FRICTION } from '../dynamics/drives.ts';
import type { Load } from '../dynamics/inertia.ts';
import { createPathSample, type JointPath, samplePath } from './segment.ts';

/** Limits of the six joints (rad/s, rad/s², rad/s³) and of the tool point (m/s²). */
export interface MotionLimits {
  readonly velocity_rad_s: Float64Array;
  readonly acceleration_rad_s2: Float64Array;
  readonly jerk_rad_s3: Float64Array;
  readonly tool_acceleration_m_s2: number;
}

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

const PAUSE_SHARES: LimitShares = { velocity: 1, acceleration: 1.2, jerk: 2 };
const PROTECTIVE_SHARES: LimitShares = { velocity: 1, acceleration: 2, jerk: 5 };

/**
 * Limits of a pause. A time-optimal motion is at its limits, so a stop that leaves it needs more:
 * with these factors nearly every pause finds a stop at its first tick.
 */
export const PAUSE_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, PAUSE_SHARES);

/** Limits of a protective or emergency stop, which brake harder than a pause. */
export const PROTECTIVE_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, PROTECTIVE_SHARES);

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

/** Share of the speed at an energy limit that planning uses: the inertia varies between nodes. */
const ENERGY_SPEED_SHARE = 0.985;

/** Tool speed (m/s) at which the payload has the most energy that it may have. */
export function energySpeed_m_s(payload_kg: number): number {
  return ENERGY_SPEED_SHARE * Math.sqrt((2 * TOOL_ENERGY_MAX_J) / payload_kg);
}

/**
 * The limits with the joint speeds at which no joint exceeds its energy at the nodes `s` of the
 * path. Without a payload the arm has less energy than that at every pose and speed.
 */
export function limitEnergies(
  limits: MotionLimits,
  path: JointPath,
  s: Float64Array,
  payload_kg: number,
): MotionLimits {
  if (payload_kg === 0) return limits;
  const velocity_rad_s = Float64Array.from(limits.velocity_rad_s);
  const dynamics = new ForwardDynamics(payload_kg);
  const sample = createPathSample();
  const still = new Float64Array(6);
  for (const node of s) {
    samplePath(path, node, sample);
    dynamics.update(sample.q, still);
    for (let j = 0; j < 6; j++) {
      const inertia = dynamics.inertia[(j * (j + 3)) / 2]!;
      const fastest = ENERGY_SPEED_SHARE * Math.sqrt((2 * JOINT_ENERGY_MAX_J[j]!) / inertia);
      velocity_rad_s[j] = Math.min(velocity_rad_s[j]!, fastest);
    }
  }
  return { ...limits, velocity_rad_s };
}

/**
 * Profiles of arms: what `armtwin fit` found of one arm, and what it means for the twin of this
 * model. Values that were not identifiable are those of the model. SI units.
 */

/** The arm's model in profiles and captures. */
export const ARM_MODEL = 'automata-eva';

/** Averaging time of a profile of the law `filtered` that does not state it (s). */
const RAMP_S = 0.1;

type Six = readonly (number | null)[] | undefined;

function orModel(values: Six, model: Float64Array): number[] {
  return Array.from(model, (value, joint) => values?.[joint] ?? value);
}

/** Why a profile that fits the schema cannot be used for this arm. */
export function profileProblems(profile: ArmProfile): Problem[] {
  const { arm, motion } = profile;
  if (arm !== ARM_MODEL) {
    const problem = `is "${arm}": the profile is of another arm than this one, "${ARM_MODEL}"`;
    return [{ path: '/arm', problem }];
  }
  if (!motion) return [];
  return motion.acceleration_rad_s2.flatMap((acceleration, joint) => {
    const jerk = motion.jerk_rad_s3?.[joint];
    if (acceleration == null || jerk == null || jerk > acceleration) return [];
    const problem = `must be above the acceleration of the joint, ${acceleration}`;
    return [{ path: `/motion/jerk_rad_s3/${joint}`, problem }];
  });
}

/** The planner's timing; null where the profile has none. */
export function timingOf({ motion }: ArmProfile): MotionTiming | null {
  if (!motion) return null;
  const { law, velocity_rad_s, acceleration_rad_s2, jerk_rad_s3, tool_speed } = motion;
  return {
    law,
    velocity_rad_s: orModel(velocity_rad_s, ARM_LIMITS.velocity_rad_s),
    acceleration_rad_s2: orModel(acceleration_rad_s2, ARM_LIMITS.acceleration_rad_s2),
    jerk_rad_s3: orModel(jerk_rad_s3, ARM_LIMITS.jerk_rad_s3),
    ramp_s: motion.ramp_s ?? RAMP_S,
    braking_share: motion.braking_share ?? 1,
    tool_speed: tool_speed ?? (law === 'double_s' ? 'where_reached' : 'whole_motion'),
  };
}

/** The friction of the joints. */
export function frictionOf(profile: ArmProfile | null): JointFriction {
  const friction = profile?.friction;
  if (!friction) return NOMINAL_FRICTION;
  const { viscous_n_m_s, coulomb_n_m } = friction;
  return {
    viscous: Float64Array.from(orModel(viscous_n_m_s, NOMINAL_FRICTION.viscous)),
    coulomb: Float64Array.from(orModel(coulomb_n_m, NOMINAL_FRICTION.coulomb)),
  };
}

/** The load at the flange, a ball around its centre of mass; null where the profile has none. */
export function loadOfProfile({ load }: ArmProfile): Load | null {
  if (!load) return null;
  const { mass_kg, centre_of_mass_m: centre } = load;
  const inertia = 0.4 * mass_kg * PAYLOAD_BALL.radius_m * PAYLOAD_BALL.radius_m;
  return {
    mass_kg,
    centre_of_mass_m: [centre.x, centre.y, centre.z],
    inertia_kg_m2: [inertia, inertia, inertia, 0, 0, 0],
  };
}

/** One line about a profile, for logs. */
export function profileText(profile: ArmProfile): string {
  const { name, captures = [], not_identifiable = [], armtwin_profile: format } = profile;
  const gaps = not_identifiable.map(({ value }) => value);
  const rest = gaps.length === 0 ? '' : `; of the model: ${gaps.join(', ')}`;
  return `Profile of ${name ?? 'an arm'} (format ${format}, ${captures.length} captures)${rest}`;
}
