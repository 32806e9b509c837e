/** Nests of a cell: places for objects in fixtures and on the floor. */
import type { Cell, CellNest } from '../../contract/types.generated.ts';
import { compose, frameOf, SOLID_POSE, turn } from './pose.ts';
import type { Solid } from './solids/solids.ts';

/** A place for one body. */
export interface NestModel {
  readonly name: string;
  /** Fixture or body that has it. */
  readonly on: string;
  /** Number of the body that has it, or -1 for a fixture. */
  readonly owner: number;
  /** Where the bottom face lies: in the world, or in the frame of the owner's bottom face. */
  readonly frame: Float64Array;
}

function nestsIn(
  nests: readonly CellNest[],
  on: string,
  owner: { readonly number: number; readonly frame: Float64Array | null },
): NestModel[] {
  return nests.map(({ name, position, orientation }) => {
    const frame = frameOf(position, orientation);
    if (owner.frame) compose(owner.frame, 0, frame, 0, frame);
    return { name, on, owner: owner.number, frame };
  });
}

/** All nests: those of fixtures in the world, those of objects in the object's frame. */
export function nestsOf({ fixtures = [], objects = [] }: Cell): NestModel[] {
  return [
    ...fixtures.flatMap(({ name, nests = [], position, orientation }) =>
      nestsIn(nests, name, { number: -1, frame: frameOf(position, orientation) }),
    ),
    ...objects.flatMap(({ name, nests = [] }, number) =>
      nestsIn(nests, name, { number, frame: null }),
    ),
  ];
}

const bottom = new Float64Array(SOLID_POSE);

/** The frame of a nest in the world, where bodies have these poses. */
export function nestFrame(
  nest: NestModel,
  bodies: readonly Solid[],
  poses: Float64Array,
  out: Float64Array,
): void {
  if (nest.owner < 0) {
    out.set(nest.frame);
    return;
  }
  const at = SOLID_POSE * nest.owner;
  bottom[0] = 0;
  bottom[1] = 0;
  bottom[2] = -bodies[nest.owner]!.half[2]!;
  turn(poses, at + 3, bottom, bottom);
  for (let k = 0; k < 3; k++) bottom[k]! += poses[at + k]!;
  for (let k = 3; k < SOLID_POSE; k++) bottom[k] = poses[at + k]!;
  compose(bottom, 0, nest.frame, 0, out);
}
