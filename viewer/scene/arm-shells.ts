/**
 * The five cast shells of the arm as signed-distance solids, in joint frames and millimetres. For
 * display only: collision uses the capsules of physics/arm. Pure; runs in the mesh worker.
 */
import {
  bowedBar,
  cylinder,
  type DistanceField,
  halfSpace,
  intersect,
  type MillimetrePoint,
  roundCone,
  smoothUnion,
  subtract,
} from './distance-solids.ts';

export interface ArmShell {
  /** Index of the link's frame: 1 to 5. */
  readonly link: number;
  readonly solid: DistanceField;
  readonly low: MillimetrePoint;
  readonly high: MillimetrePoint;
}

const EDGE = 5;

function linkOne(): DistanceField {
  const joined = smoothUnion(
    45,
    cylinder({ axis: 'z', centre: [0, 0, 22], radius: 66, half: 20, edge: 6 }),
    cylinder({ axis: 'y', centre: [56, -38, 132], radius: 60, half: 35.5, edge: 12 }),
    roundCone([4, 0, 35], 56, [50, -34, 120], 50),
  );
  const gap = intersect(halfSpace('y', -1.8, 1), halfSpace('z', 66, 1));
  return subtract(EDGE, joined, gap, halfSpace('y', -73.5, -1), halfSpace('z', 2.4, -1));
}

function linkTwo(): DistanceField {
  const joined = smoothUnion(
    30,
    cylinder({ axis: 'y', centre: [0, 37.5, 0], radius: 60, half: 36.5, edge: 14 }),
    cylinder({ axis: 'y', centre: [0, 37.5, 205], radius: 51, half: 36.5, edge: 14 }),
    bowedBar({ length: 205, radii: [43, 38], y: 39, half: 31, edge: 16, bow: 24 }),
  );
  return subtract(EDGE, joined, halfSpace('y', 1.8, -1));
}

function linkThree(): DistanceField {
  const joined = smoothUnion(
    40,
    cylinder({ axis: 'y', centre: [0, -34, 0], radius: 50, half: 32.5, edge: 12 }),
    cylinder({ axis: 'z', centre: [-56, 0, 76], radius: 46, half: 16.5, edge: 5 }),
    roundCone([0, -33, 2], 43, [-54, -3, 66], 41),
  );
  const hub = cylinder({ axis: 'y', centre: [0, 98.2, 0], radius: 58, half: 100, edge: 0 });
  return subtract(EDGE, joined, hub, halfSpace('y', -66.5, -1), halfSpace('z', 92.3, 1));
}

function linkFour(): DistanceField {
  const joined = smoothUnion(
    30,
    cylinder({ axis: 'z', centre: [0, 0, 18], radius: 46, half: 15.8, edge: 5 }),
    roundCone([0, 0, 30], 41, [0, 0, 135], 31),
    roundCone([0, 0, 135], 31, [0, -22, 192], 27),
    cylinder({ axis: 'y', centre: [0, -24.5, 197], radius: 30.5, half: 22.5, edge: 8 }),
  );
  const hub = cylinder({ axis: 'y', centre: [0, 98.4, 197], radius: 46, half: 100, edge: 0 });
  return subtract(EDGE, joined, hub, halfSpace('z', 2.2, -1), halfSpace('y', -47.2, -1));
}

function linkFive(): DistanceField {
  const joined = smoothUnion(
    28,
    cylinder({ axis: 'y', centre: [0, 25.5, 0], radius: 37.5, half: 23.7, edge: 10 }),
    cylinder({ axis: 'z', centre: [-65, 0, 19], radius: 33.5, half: 50, edge: 8 }),
    roundCone([-4, 22, 0], 31, [-62, 2, 0], 30),
  );
  const hub = cylinder({ axis: 'y', centre: [0, -98.2, 0], radius: 31.5, half: 100, edge: 0 });
  return subtract(EDGE, joined, hub, halfSpace('z', 69, 1));
}

/** The shells with their bounding boxes. */
export const SHELLS: readonly ArmShell[] = [
  { link: 1, solid: linkOne(), low: [-88, -92, -14], high: [138, 84, 212] },
  { link: 2, solid: linkTwo(), low: [-92, -16, -80], high: [80, 94, 276] },
  { link: 3, solid: linkThree(), low: [-124, -86, -74], high: [74, 66, 112] },
  { link: 4, solid: linkFour(), low: [-68, -68, -16], high: [68, 66, 248] },
  { link: 5, solid: linkFive(), low: [-120, -54, -58], high: [58, 70, 90] },
];
