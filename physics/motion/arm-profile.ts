/**
 * Profiles of arms: what `armtwin fit` found of one arm, and what it means for the twin of this
 * model. Values that were not identifiable are those of the model. SI units.
 */

import type { Problem } from '../../contract/problem.ts';
import type { ArmProfile } from '../../contract/types.generated.ts';
import { ARM_NAME, DRIVE, IS_DEFAULT_ARM, jointName, PAYLOAD_BALL } from '../arm/arm-model.ts';
import { type JointFriction, NOMINAL_FRICTION } from '../dynamics/friction.ts';
import { GRAVITY_M_S2 } from '../dynamics/gravity.ts';
import type { Load } from '../dynamics/load.ts';
import { ARM_LIMITS } from './limits.ts';
import type { MotionTiming } from './motion-timing.ts';

/** The arm's model in profiles and captures; another arm than the default one has its name. */
export const ARM_MODEL = IS_DEFAULT_ARM ? 'automata-eva' : ARM_NAME;

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
