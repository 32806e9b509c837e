/**
 * Profiles of arms: what `armtwin fit` found of one arm, and what it means for the twin of this
 * model. Values that were not identifiable are those of the model. SI units.
 */
import type { Problem } from '../../contract/refusal.ts';
import type { ArmProfile } from '../../contract/types.ts';
import { PAYLOAD_BALL } from '../arm/arm-model.ts';
import { type JointFriction, NOMINAL_FRICTION } from '../dynamics/drives.ts';
import type { Load } from '../dynamics/inertia.ts';
import { ARM_LIMITS, type MotionTiming } from './limits.ts';

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
