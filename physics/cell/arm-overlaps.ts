/** Objects, fixtures and conveyors of a cell in which the arm stands. */

import type { Problem } from '../../contract/problem.ts';
import { compileBox } from '../collision/boxes.ts';
import type { ArmOverlap } from '../plant/environment-forces.ts';
import type { CellModel } from './cell-model.ts';
import type { CellPlant } from './cell-plant.ts';
import { millimetres } from './millimetres.ts';
import { OVERLAP_M } from './place-problems.ts';

/** Why body `i` cannot be there beside the arm as it stands; empty if it can. */
export function armProblems(
  cell: Pick<CellPlant, 'model' | 'armAt'>,
  i: number,
  poses: Float64Array,
): string[] {
  const { depth_m = 0 } = cell.armAt(i, poses) ?? {};
  if (depth_m <= OVERLAP_M) return [];
  return [overlapText(cell.model.bodies[i]!.name, depth_m)];
}

/** The loose objects of a cell in which the arm stands, with the path of each. */
export function metByArm(cell: Pick<CellPlant, 'model' | 'states' | 'armAt'>): readonly Problem[] {
  const { model, states } = cell;
  return model.bodies.flatMap((_, i) => {
    const problems = states.isLoose(i) ? armProblems(cell, i, states.poses) : [];
    return problems.map((problem) => ({ path: `/objects/${i}`, problem }));
  });
}

/** The fixtures and conveyors of a cell in which the arm stands, with the path of each. */
export function fixturesMetByArm(
  { description, statics }: CellModel,
  armIn: (box: Float64Array) => ArmOverlap | null,
): readonly Problem[] {
  const { fixtures = [], conveyors = [] } = description;
  const depths = new Map<string, number>();
  for (const { half, pose, name } of statics) {
    const [x, y, z, w, i, j, k] = Array.from(pose);
    const box = compileBox({
      centre: { x: x!, y: y!, z: z! },
      half: { x: half[0]!, y: half[1]!, z: half[2]! },
      orientation: { w: w!, x: i!, y: j!, z: k! },
    });
    const { depth_m = 0 } = armIn(box) ?? {};
    if (depth_m > (depths.get(name) ?? OVERLAP_M)) depths.set(name, depth_m);
  }
  return [...depths].map(([name, depth_m]) => {
    const at = fixtures.findIndex((one) => one.name === name);
    const path =
      at >= 0 ? `/fixtures/${at}` : `/conveyors/${conveyors.findIndex((c) => c.name === name)}`;
    return { path, problem: overlapText(name, depth_m) };
  });
}

const overlapText = (name: string, depth_m: number) =>
  `${name} overlaps the arm by ${millimetres(depth_m)}; move the arm away first`;
