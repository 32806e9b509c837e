import { PLANT_STEP_S } from '../dynamics/plant-step.ts';

/** Stiffness of the contact between arm and a fixture or heavy object (N/m): that of obstacles. */
const STIFFNESS_N_PER_M = 25_000;
/** Share of m/dt² that an explicit spring of a step dt may have to be stable. */
const STABLE_SHARE = 0.25;

/** Stiffness of the contact between the arm and a loose body (N/m): light ones are softer. */
export function pushStiffness(mass_kg: number): number {
  const stable = (STABLE_SHARE * mass_kg) / (PLANT_STEP_S * PLANT_STEP_S);
  return Math.min(STIFFNESS_N_PER_M, stable);
}
