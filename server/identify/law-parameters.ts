/** The parameters of the timing laws, as the fit numbers them; their values are logarithms. */
import type { MotionTiming, TimingLaw } from '../../physics/motion/motion-timing.ts';

/** The laws that are tried. */
export const LAWS: readonly TimingLaw[] = [
  'double_s',
  'filtered',
  'cycloidal',
  'half_sine',
  'quintic',
  'septic',
];
/** Numbers of the parameters behind the eighteen limits. */
export const RAMP = 18;
export const BRAKING = 19;

/**
 * The timing of parameters, which are logarithms: six speeds, accelerations and jerks, the ramp,
 * the braking share.
 */
export function timingOfParameters(law: TimingLaw, x: readonly number[]): MotionTiming {
  const part = (from: number) => x.slice(from, from + 6).map(Math.exp);
  return {
    law,
    velocity_rad_s: part(0),
    acceleration_rad_s2: part(6),
    jerk_rad_s3: part(12),
    ramp_s: Math.exp(x[RAMP]!),
    braking_share: Math.exp(x[BRAKING]!),
    tool_speed: 'whole_motion',
  };
}

/** The parameters that a law has. */
export function parametersOf(law: TimingLaw): number[] {
  const limits = law === 'double_s' ? 18 : 12;
  const list = Array.from({ length: limits }, (_, i) => i);
  return law === 'filtered' ? [...list, RAMP, BRAKING] : list;
}
