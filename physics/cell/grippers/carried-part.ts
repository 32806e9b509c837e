import type { Numbers } from '../../math/vector.ts';

/** What stands on a held body, as its gripper feels it. */
export interface CarriedPart {
  /** Mass that moves with the held body (kg). */
  readonly mass_kg: number;
  /** Mass of all that the held body bears, also of what slides on it (kg). */
  readonly borne_kg: number;
  /** Force of the held body on it (N, world). */
  readonly force: Numbers;
  /** The held body has slipped upwards in a step (m): what stands on it goes along unmoved. */
  slip(up_m: number): void;
}

/** A held body with nothing on it. */
export const NOTHING_CARRIED: CarriedPart = {
  mass_kg: 0,
  borne_kg: 0,
  force: [0, 0, 0],
  slip: () => undefined,
};
