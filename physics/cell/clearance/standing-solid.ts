/** What stands in a cell, as the arm must keep clear of it. */

import { length3, type Numbers } from '../../math/vector.ts';
import { type CellModel, GROUND } from '../cell-model.ts';
import { SOLID_POSE } from '../pose.ts';
import type { Posed } from '../solids/overlap.ts';
import type { Solid } from '../solids/solids.ts';
import { placeOf } from './moving-solid.ts';

export interface StandingSolid extends Posed {
  readonly name: string;
  readonly kind: 'fixture' | 'conveyor' | 'object' | 'ground';
  /** The same for the same part, wherever it stands. */
  readonly key: string;
  /** Number of the object, or -1 for what does not move. */
  readonly body: number;
  readonly pose: Float64Array;
  readonly place: Float64Array;
  /** Radius of the ball about its centre (m). */
  readonly ball_m: number;
}

function standing(
  part: Pick<StandingSolid, 'name' | 'kind' | 'key' | 'body'>,
  solid: Solid,
  poses: Numbers,
  at: number,
): StandingSolid {
  const pose = Float64Array.from({ length: SOLID_POSE }, (_, k) => poses[at + k]!);
  const [x, y, z] = [solid.half[0]!, solid.half[1]!, solid.half[2]!];
  return { ...part, solid, pose, at: 0, place: placeOf(pose, 0), ball_m: length3(x, y, z) };
}

/** The ground as a block, as wide as the arm can carry anything. */
const GROUND_HALF_M = Float64Array.of(5, 5, 0.5);
const GROUND_SOLID = standing(
  { name: GROUND, kind: 'ground', key: 'ground', body: -1 },
  { isRound: false, half: GROUND_HALF_M },
  [0, 0, -GROUND_HALF_M[2]!, 1, 0, 0, 0],
  0,
);

/** Fixtures, conveyors and the ground, which stay where they are. */
export function staticSolids({ statics }: CellModel): readonly StandingSolid[] {
  const parts = statics.map((solid, i) => {
    const kind = solid.belt < 0 ? 'fixture' : 'conveyor';
    return standing({ name: solid.name, kind, key: `static ${i}`, body: -1 }, solid, solid.pose, 0);
  });
  return [...parts, GROUND_SOLID];
}

/** Object `i` where `poses` have it. */
export function standingBody({ bodies }: CellModel, i: number, poses: Numbers): StandingSolid {
  const solid = bodies[i]!;
  const part = { name: solid.name, kind: 'object', key: `object ${i}`, body: i } as const;
  return standing(part, solid, poses, SOLID_POSE * i);
}
