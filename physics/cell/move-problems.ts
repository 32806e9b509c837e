import { armProblems } from './arm-overlaps.ts';
import { BODY_STATUS } from './body-states.ts';
import type { CellPlant } from './cell-plant.ts';
import { ARM_BASE, placeProblems } from './place-problems.ts';
import { SOLID_POSE } from './pose.ts';
import type { Posed } from './solids/overlap.ts';
import { standOn } from './solids/solids.ts';

/**
 * Why a person cannot put body `i`, and what is sealed to it, with its bottom face at a frame; empty
 * if they can be there.
 */
export function moveProblems(
  cell: Pick<CellPlant, 'model' | 'states' | 'armAt' | 'movedWith'>,
  i: number,
  frame: Float64Array,
): string[] {
  const { states } = cell;
  const { statics, bodies } = cell.model;
  const poses = states.poses.slice();
  const moved = cell.movedWith(i, frame).map(({ body, bottom }) => {
    standOn(bottom, bodies[body]!, poses, SOLID_POSE * body);
    return body;
  });
  const posed = bodies.map((solid, j) => ({
    solid,
    name: solid.name,
    pose: poses,
    at: SOLID_POSE * j,
  }));
  const isOther = (_: Posed, j: number) =>
    !moved.includes(j) && states.status[j] !== BODY_STATUS.missing;
  const fixtures = statics.map((solid) => ({ solid, pose: solid.pose, at: 0, name: solid.name }));
  const others = [...ARM_BASE, ...fixtures, ...posed.filter(isOther)];
  return moved.flatMap((j) => [
    ...placeProblems({ body: posed[j]!, others }),
    ...armProblems(cell, j, poses),
  ]);
}
