/** Friction of the joints: viscous, and Coulomb with a smooth sign. */
import { DRIVE, THERMAL } from '../arm/arm-model.ts';

/** Viscous (N m s/rad) and Coulomb (N m) friction of the joints. */
export interface JointFriction {
  readonly viscous: Float64Array;
  readonly coulomb: Float64Array;
}

/** The friction of the model. */
export const NOMINAL_FRICTION: JointFriction = {
  viscous: Float64Array.from(DRIVE.viscous_n_m_s),
  coulomb: Float64Array.from(DRIVE.coulomb_n_m),
};
const VISCOUS = NOMINAL_FRICTION.viscous;
const COULOMB = NOMINAL_FRICTION.coulomb;
const SMOOTH_SQUARED = DRIVE.coulomb_smooth_rad_s * DRIVE.coulomb_smooth_rad_s;

/** Friction torque (N m) of joint `j` at a rate (rad/s); opposes the motion. */
export function frictionTorque(j: number, rate: number): number {
  return VISCOUS[j]! * rate + (COULOMB[j]! * rate) / Math.sqrt(rate * rate + SMOOTH_SQUARED);
}

/**
 * Writes the friction torques (N m) at six joint rates (rad/s), the nominal ones unless another
 * friction is given. The formula of `frictionTorque` is repeated here because V8 may box a returned
 * number. No allocation.
 */
export function writeFrictionTorques(
  rates: Float64Array,
  out: Float64Array,
  { viscous, coulomb }: JointFriction = NOMINAL_FRICTION,
): void {
  for (let j = 0; j < 6; j++) {
    const rate = rates[j]!;
    const smooth = Math.sqrt(rate * rate + SMOOTH_SQUARED);
    out[j] = viscous[j]! * rate + (coulomb[j]! * rate) / smooth;
  }
}

/** Friction as a share of the nominal one, by the temperature of the drive. */
export interface FrictionLaw {
  /** Share at the idle temperature, its change with temperature (1/K), and its least value. */
  readonly idle_share: number;
  readonly share_per_k: number;
  readonly least_share: number;
}

/** Share of the nominal friction of joint `j` at a temperature of its drive (°C). */
export function frictionShare(law: FrictionLaw, j: number, temperature_c: number): number {
  const warmer_k = temperature_c - THERMAL.idle_c[j]!;
  return Math.max(law.idle_share + law.share_per_k * warmer_k, law.least_share);
}
