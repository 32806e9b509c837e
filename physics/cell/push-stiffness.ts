import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import { STIFFNESS_N_PER_M } from '../plant/obstacle.ts';

/** Share of m/dt² that an explicit spring of a step dt may have to be stable. */
const STABLE_SHARE = 0.25;

/** Stiffness of the contact between the arm and a loose body (N/m): light ones are softer. */
export function pushStiffness(mass_kg: number): number {
  const stable = (STABLE_SHARE * mass_kg) / (PLANT_STEP_S * PLANT_STEP_S);
  return Math.min(STIFFNESS_N_PER_M, stable);
}
