/** A cell of a few posts and plates, for tests of decks and carries. Test code. */
import type { Cell, CellObject } from '../../contract/types.generated.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { fastCell } from '../../physics/cell/fast-cell.cases.ts';
import { frameOf } from '../../physics/cell/pose.ts';

/** The arm points down; the tip of the cup is on a plate in the first nest of the hotel (rad). */
const GRASP = Float64Array.of(-0.5191, -0.1513, -2.1669, 0, -0.8234, -0.5191);
const PLATE_M = 0.04;
const POST_M = 0.09;

type Point = readonly [number, number];

/** A fixture with a post and a nest on it at each point. */
function posts(name: string, points: readonly Point[]) {
  return {
    name,
    position: { x: 0, y: 0, z: 0 },
    boxes: points.map(([x, y]) => ({
      size_m: { x: 0.02, y: 0.02, z: POST_M },
      position: { x, y, z: 0 },
    })),
    nests: points.map(([x, y], i) => ({
      name: `${name} nest ${i + 1}`,
      position: { x, y, z: POST_M },
    })),
  };
}

const PLACES = {
  'hotel nest 1': [0.35, -0.2, POST_M],
  'hotel nest 2': [0.35, -0.4, POST_M],
  'reader nest 1': [0.35, 0.2, POST_M],
  floor: [0.6, 0.6, 0],
} as const;

/** Where `put` puts an object. */
export type CellPlace = keyof typeof PLACES;

function plate(name: string, where: Pick<CellObject, 'nest' | 'position'>): CellObject {
  const shape = { kind: 'cylinder', diameter_m: PLATE_M, height_m: PLATE_M } as const;
  return { name, shape, mass_kg: 0.06, ...where };
}

const CELL: Cell = {
  name: 'posts',
  fixtures: [
    posts('hotel', [
      [0.35, -0.2],
      [0.35, -0.4],
    ]),
    posts('reader', [[0.35, 0.2]]),
  ],
  objects: [
    plate('plate_1', { nest: 'hotel nest 1' }),
    {
      ...plate('tray', { position: { x: -0.4, y: 0, z: 0 } }),
      nests: [{ name: 'tray nest', position: { x: 0, y: 0, z: PLATE_M } }],
    },
    plate('plate_2', { nest: 'tray nest' }),
  ],
  grippers: [
    {
      kind: 'suction',
      name: 'cup',
      output: 'ee_d0',
      tip_m: { x: 0, y: 0, z: 0.1 },
      radius_m: 0.01,
      reach_m: 0.003,
      force_n: 10,
      closing_time_s: 0.1,
    },
  ],
};

/** The plant of the cell: plate_1 in the hotel beneath the cup, plate_2 on the tray. */
export function smallCell(): CellPlant {
  return fastCell(CELL);
}

/** Index of an object of the cell. */
export function bodyOf(cell: CellPlant, name: string): number {
  return cell.model.bodies.findIndex((body) => body.name === name);
}

/** Lets the time of the cell pass (steps of 1 ms). */
export function pass(cell: CellPlant, steps: number): void {
  for (let i = 0; i < steps; i++) cell.step(GRASP);
}

/** Puts an object at a place, where it comes to rest. */
export function put(cell: CellPlant, name: string, at: CellPlace): void {
  const [x, y, z] = PLACES[at];
  cell.move(bodyOf(cell, name), frameOf({ x, y, z }));
  pass(cell, 300);
}

/** Closes or opens the cup over the first nest of the hotel. */
export function grip(cell: CellPlant, isClosed: boolean): void {
  cell.setOutputs({ ee_d0: isClosed });
  pass(cell, 200);
}
