/**
 * Profiles of arms, and the laws by which their planners time straight joint motions, as profiles
 * of the position s on the line: what a profile of a real arm names beside the double-S. Each law
 * is a sequence of phases of constant jerk.
 */

import type { Problem } from '../../contract/refusal.ts';
import type { ArmProfile } from '../../contract/types.ts';
import { DRIVE, jointName, PAYLOAD_BALL } from '../arm/arm-model.ts';
import { GRAVITY_M_S2, type JointFriction, NOMINAL_FRICTION } from '../dynamics/arm-dynamics.ts';
import type { Load } from '../dynamics/inertia.ts';
import { PI, sincos, trig } from '../math/portable.ts';
import { doubleS, profileOfPhases, type ScalarLimits, type TimeProfile } from './jerk-phases.ts';
import { ARM_LIMITS, type MotionTiming, type TimingLaw } from './limits.ts';

/** A law with its own values. */
export interface StraightLaw {
  readonly law: TimingLaw;
  readonly ramp_s: number;
  readonly braking_share: number;
}

/** The motion from rest at `from_s` to rest at 1 by an arm's law, within the limits of s. */
export function profileOfLaw(by: StraightLaw, from_s: number, limits: ScalarLimits): TimeProfile {
  const { law } = by;
  switch (law) {
    case 'double_s':
      return doubleS(from_s, 1, limits);
    case 'filtered':
      return filteredTrapezoid(by, from_s, limits);
    case 'cycloidal':
    case 'half_sine':
      return smoothRamps(RAMPS[law], from_s, limits);
    case 'quintic':
    case 'septic':
      return polynomial(POLYNOMIALS[law], from_s, limits);
  }
}

/** Phases of constant jerk that a polynomial is made of. */
const POLYNOMIAL_PIECES = 64;

/** A polynomial from 0 to 1 in unit time: its acceleration, and the peaks of its rates. */
interface RestPolynomial {
  readonly acceleration: (t: number) => number;
  readonly v: number;
  readonly a: number;
}

/** The polynomials that rest at both ends with so many derivatives. */
const POLYNOMIALS = {
  quintic: {
    acceleration: (t: number) => t * (60 + t * (-180 + t * 120)),
    v: 1.875,
    a: 5.773502691896258,
  },
  septic: {
    acceleration: (t: number) => t * t * (420 + t * (-1680 + t * (2100 - t * 840))),
    v: 2.1875,
    a: 7.513188404399293,
  },
} as const satisfies Record<string, RestPolynomial>;

/** Knots of the acceleration of a polynomial at its pieces, which makes up for their corners. */
function knotsOf({ acceleration }: RestPolynomial): readonly number[] {
  const knots = Array.from({ length: POLYNOMIAL_PIECES + 1 }, (_, i) =>
    acceleration(i / POLYNOMIAL_PIECES),
  );
  const d = 1 / POLYNOMIAL_PIECES;
  let [s, v] = [0, 0];
  for (let i = 0; i < POLYNOMIAL_PIECES; i++) {
    const [from, to] = [knots[i]!, knots[i + 1]!];
    s += d * (v + (d * (2 * from + to)) / 6);
    v += (d * (from + to)) / 2;
  }
  return knots.map((knot) => knot / s);
}

/** The motion by a polynomial; its acceleration is exact at the ends of the phases. */
function polynomial(law: RestPolynomial, from_s: number, { v, a }: ScalarLimits): TimeProfile {
  const distance = 1 - from_s;
  const duration_s = Math.max((law.v * distance) / v, Math.sqrt((law.a * distance) / a));
  const piece_s = duration_s / POLYNOMIAL_PIECES;
  const scale = distance / (duration_s * duration_s * piece_s);
  const knots = knotsOf(law);
  const jerks = knots.slice(1).map((knot, i) => scale * (knot - knots[i]!));
  const durations_s = jerks.map(() => piece_s);
  return profileOfPhases({ s: from_s, v: 0, a: 0 }, durations_s, jerks, 1);
}

/** Phases of constant jerk of a ramp. */
const RAMP_PIECES = 32;

/** Share of the largest acceleration, over a ramp of unit time. */
const RAMPS = {
  cycloidal: (t: number): number => {
    sincos(2 * PI * t);
    return 0.5 * (1 - trig.cos);
  },
  half_sine: (t: number): number => {
    sincos(PI * t);
    return trig.sin;
  },
} as const;

/** Ramps of speed whose acceleration rises to `a` in their middle and falls again. */
function smoothRamps(
  ramp: (t: number) => number,
  from_s: number,
  { v, a }: ScalarLimits,
): TimeProfile {
  const distance = 1 - from_s;
  const knots = Array.from({ length: RAMP_PIECES + 1 }, (_, i) => a * ramp(i / RAMP_PIECES));
  // Both ends of a ramp have no acceleration.
  const mean = knots.reduce((sum, knot) => sum + knot, 0) / RAMP_PIECES;
  const peak = Math.min(v, Math.sqrt(distance * mean));
  const piece_s = peak / mean / RAMP_PIECES;
  const cruise_s = Math.max(0, distance / peak - peak / mean);
  const rise = knots.slice(1).map((knot, i) => (knot - knots[i]!) / piece_s);
  const pieces = rise.map(() => piece_s);
  return profileOfPhases(
    { s: from_s, v: 0, a: 0 },
    [...pieces, cruise_s, ...pieces],
    [...rise, 0, ...rise.map((jerk) => -jerk)],
    1,
  );
}

/**
 * A trapezoid of speed, which may brake otherwise than it speeds up, averaged over the last
 * `ramp_s`: each of its four steps of acceleration becomes a ramp.
 */
function filteredTrapezoid(
  { ramp_s, braking_share }: StraightLaw,
  from_s: number,
  { v, a }: ScalarLimits,
): TimeProfile {
  const distance = 1 - from_s;
  const brake = a * braking_share;
  const peak = Math.min(v, Math.sqrt((2 * distance) / (1 / a + 1 / brake)));
  const rise_s = peak / a;
  const fall_s = rise_s + Math.max(0, distance / peak - (peak / a + peak / brake) / 2);
  const changes = [
    [0, a],
    [rise_s, -a],
    [fall_s, -brake],
    [fall_s + peak / brake, brake],
  ] as const;
  const steps = changes.flatMap(([at_s, change]) => [
    { at_s, change: change / ramp_s },
    { at_s: at_s + ramp_s, change: -change / ramp_s },
  ]);
  steps.sort((one, other) => one.at_s - other.at_s);
  const jerks: number[] = [];
  for (const { change } of steps) jerks.push((jerks.at(-1) ?? 0) + change);
  const durations_s = steps.map(({ at_s }, i) => (steps[i + 1]?.at_s ?? at_s) - at_s);
  return profileOfPhases({ s: from_s, v: 0, a: 0 }, durations_s, jerks, 1);
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

/** Joints whose friction takes all of their torque before they reach their speed limit. */
function frictionProblems({ friction, motion }: ArmProfile): Problem[] {
  if (!friction) return [];
  const speeds = orModel(motion?.velocity_rad_s, ARM_LIMITS.velocity_rad_s);
  return DRIVE.torque_max_n_m.flatMap((most, joint) => {
    const coulomb = friction.coulomb_n_m[joint] ?? 0;
    const viscous = (friction.viscous_n_m_s[joint] ?? 0) * speeds[joint]!;
    if (coulomb + viscous < most) return [];
    const name = coulomb < viscous ? 'viscous_n_m_s' : 'coulomb_n_m';
    const takes = `${(coulomb + viscous).toFixed(1)} N m at full speed`;
    const limit = `the torque limit of ${jointName(joint)}, ${most} N m`;
    const problem = `brings the friction to ${takes}, not below ${limit}`;
    return [{ path: `/friction/${name}/${joint}`, problem }];
  });
}

/** A load whose weight the last joints cannot hold: J6 turns about z, J5 across it. */
function loadProblems({ load }: ArmProfile): Problem[] {
  if (!load) return [];
  const { x, y, z } = load.centre_of_mass_m;
  const square = x * x + y * y;
  return [[5, Math.sqrt(square)] as const, [4, Math.sqrt(square + z * z)] as const].flatMap(
    ([joint, lever_m]) => {
      const torque_n_m = load.mass_kg * GRAVITY_M_S2 * lever_m;
      const most = DRIVE.torque_max_n_m[joint]!;
      if (torque_n_m < most) return [];
      const needs = `its weight takes ${torque_n_m.toFixed(1)} N m of ${jointName(joint)}`;
      const problem = `is too far away: ${needs}, whose torque limit is ${most} N m`;
      return [{ path: '/load/centre_of_mass_m', problem }];
    },
  );
}

/** Why a profile that fits the schema cannot be used for this arm. */
export function profileProblems(profile: ArmProfile): Problem[] {
  const { arm, motion } = profile;
  if (arm !== ARM_MODEL) {
    const problem = `is "${arm}": the profile is of another arm than this one, "${ARM_MODEL}"`;
    return [{ path: '/arm', problem }];
  }
  return [...jerkProblems(motion), ...frictionProblems(profile), ...loadProblems(profile)];
}

function jerkProblems(motion: ArmProfile['motion']): Problem[] {
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
