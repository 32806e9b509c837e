/**
 * Why no body can be at a place of a cell: too far away, inside something else, below the floor.
 */

import { limits } from '../../contract/limits.ts';
import { CAPSULE_ENDS_M, CAPSULE_RADIUS_M, FIRST_CAPSULE } from '../arm/geometry.ts';
import { millimetres } from './millimetres.ts';
import { footprintOf } from './solids/footprint.ts';
import { overlapDepth, type Posed } from './solids/overlap.ts';

/**
 * Bodies may overlap by this much (m): contacts of the rapier plant give way, by up to 1 mm under a
 * heavy object on a light one, and the twin must accept what it has published itself (own).
 */
export const OVERLAP_M = 2e-3;

interface Named {
  readonly name: string;
}

/** What stands still of the arm: upright cylinders inside the capsules of its base. */
export const ARM_BASE: readonly (Posed & Named)[] = Array.from(
  CAPSULE_RADIUS_M.subarray(0, FIRST_CAPSULE[1]),
  (radius, i) => {
    const half_m = CAPSULE_ENDS_M[6 * i + 5]! / 2;
    const solid = { isRound: true, half: [radius, radius, half_m] };
    return { solid, pose: [0, 0, half_m, 1, 0, 0, 0], at: 0, name: 'the base of the arm' };
  },
);

/** Where a body would stand and what may be in its way. */
interface Place {
  readonly body: Posed & Named;
  readonly others: readonly (Posed & Named)[];
}

/** Why no body can be there: too far away, or inside something else; empty if it can. */
export function placeProblems({ body, others }: Place): string[] {
  const { solid, pose, at, name } = body;
  const far = [0, 1, 2].findIndex((k) => !(Math.abs(pose[at + k]!) <= limits.cell_reach_m));
  if (far >= 0) {
    const limit = `${limits.cell_reach_m} m (limit cell_reach_m)`;
    return [`${name} is farther than ${limit} from the base along ${'xyz'[far]}`];
  }
  // A part of several boxes is one part.
  const depths = new Map<string, number>();
  for (const other of others) {
    const depth = overlapDepth(body, other, OVERLAP_M);
    if (depth > (depths.get(other.name) ?? OVERLAP_M)) depths.set(other.name, depth);
  }
  const problems = [...depths].map(
    ([other, depth]) => `${name} overlaps ${other} by ${millimetres(depth)}`,
  );
  const { low } = footprintOf(solid, pose, at);
  return low < -OVERLAP_M ? [...problems, `${name} lies below the floor`] : problems;
}
