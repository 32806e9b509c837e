/** The load that the last link carries: payload, grippers and what they hold. */
import { PAYLOAD_BALL } from '../arm/arm-model.ts';
import { addBody, INERTIA_SIZE } from './inertia.ts';

/** A body that the flange carries. */
export interface Load {
  readonly mass_kg: number;
  /** Centre of mass in the flange frame (m). */
  readonly centre_of_mass_m: readonly number[];
  /** Ixx, Iyy, Izz, Ixy, Ixz, Iyz as tensor elements about the centre of mass, flange axes. */
  readonly inertia_kg_m2: readonly number[];
}

/** A load of which only the mass is known: a ball beyond the flange. */
export function ballLoad(payload_kg: number): Load {
  const r = PAYLOAD_BALL.radius_m;
  const i = 0.4 * payload_kg * r * r;
  return {
    mass_kg: payload_kg,
    centre_of_mass_m: [0, 0, PAYLOAD_BALL.offset_beyond_flange_m],
    inertia_kg_m2: [i, i, i, 0, 0, 0],
  };
}

/** Several loads as one: their mass, common centre and inertia about it. */
export function sumLoads(loads: readonly Load[]): Load {
  const total = new Float64Array(INERTIA_SIZE);
  for (const { mass_kg, centre_of_mass_m, inertia_kg_m2 } of loads) {
    addBody(total, { mass_kg, com_m: [...centre_of_mass_m], inertia_kg_m2: [...inertia_kg_m2] });
  }
  const m = total[0]!;
  if (m === 0) return ballLoad(0);
  const [x, y, z] = [total[1]! / m, total[2]! / m, total[3]! / m];
  return {
    mass_kg: m,
    centre_of_mass_m: [x, y, z],
    inertia_kg_m2: [
      total[4]! - m * (y * y + z * z),
      total[5]! - m * (x * x + z * z),
      total[6]! - m * (x * x + y * y),
      total[7]! + m * x * y,
      total[8]! + m * x * z,
      total[9]! + m * y * z,
    ],
  };
}

/** True where two loads have the same mass, centre and inertia; without mass all are equal. */
export function isSameLoad(a: Load, b: Load): boolean {
  if (a.mass_kg !== b.mass_kg) return false;
  const same = (x: readonly number[], y: readonly number[]): boolean =>
    x.every((value, i) => value === y[i]);
  return (
    a.mass_kg === 0 ||
    (same(a.centre_of_mass_m, b.centre_of_mass_m) && same(a.inertia_kg_m2, b.inertia_kg_m2))
  );
}
