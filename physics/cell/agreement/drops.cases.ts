/** Random drops and throws, of which both plants give the end. */
import type { Cell, CellObject } from '../../../contract/types.generated.ts';
import { createPrng } from '../../math/prng.ts';
import { type Driver, plantOf } from '../carried/carried.cases.ts';
import { objectState } from '../cell-state.ts';
import { frameOf } from '../pose.ts';

const UPRIGHT = new Float64Array(6);
/** Longest movement that is waited for (ms). */
const STEPS = 4000;

/** A part that is let go. */
export interface Fall {
  readonly name: string;
  readonly cell: Cell;
  readonly from: Float64Array;
  readonly velocity: readonly [number, number, number];
}

/** Where a part came to rest, and how. */
export interface Rest {
  readonly status: string;
  readonly at: string | null;
  readonly place_m: readonly [number, number, number];
  readonly text: string;
}

const turned = (angle: number) => ({ w: Math.cos(angle / 2), x: 0, y: 0, z: Math.sin(angle / 2) });

/** `count` parts that are let go above a table, a low box and the floor, thrown or not. */
export function drawFalls(count: number, isThrown: boolean, seed: number): readonly Fall[] {
  const random = createPrng(seed);
  const between = (low: number, high: number) => low + random() * (high - low);
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [between(0.03, 0.08), between(0.03, 0.08)];
    const shape: CellObject['shape'] =
      random() < 0.3
        ? { kind: 'cylinder', diameter_m: x, height_m: between(0.02, 0.04) }
        : { kind: 'box', size_m: { x, y, z: between(0.02, 0.04) } };
    const part = { name: 'part', mass_kg: between(0.05, 0.3), shape, friction: 0.5 };
    const fixtures = [
      {
        name: 'table',
        position: { x: 0.5, y: 0, z: 0 },
        boxes: [{ size_m: { x: 0.3, y: 0.5, z: 0.1 } }],
      },
      {
        name: 'wall',
        position: { x: 0.95, y: 0, z: 0 },
        boxes: [{ size_m: { x: 0.02, y: 2, z: 0.5 } }],
      },
    ];
    const cell: Cell = {
      name: 'fall',
      fixtures,
      objects: [{ ...part, position: { x: -0.5, y: 0.5, z: 0 } }],
    };
    const z = isThrown ? between(0.15, 0.3) : 0.1 + between(0.002, 0.05);
    const at = { x: between(0.4, isThrown ? 0.6 : 0.72), y: between(-0.2, 0.2), z };
    const speed = isThrown ? between(0.2, 1.2) : 0;
    const way = between(-0.5, 0.5);
    return {
      name: `${isThrown ? 'throw' : 'drop'} ${i + 1}`,
      cell,
      from: frameOf(at, turned(between(0, 3))),
      velocity: [speed * Math.cos(way), speed * Math.sin(way), 0] as const,
    };
  });
}

/** Where a fall ends on a plant. */
export function endOf(driver: Driver, { cell, from, velocity }: Fall): Rest {
  const plant = plantOf(driver, cell);
  plant.move(0, from);
  plant.states.velocities.set([...velocity, 0, 0, 0]);
  plant.bodies.release(0);
  for (let i = 0; i < STEPS && (i === 0 || plant.isActive); i++) plant.step(UPRIGHT);
  const { status, at } = objectState(plant, 0);
  const [x = 0, y = 0, z = 0] = plant.states.poses;
  const text = plant.events.list().at(-1)?.text ?? '';
  plant.free();
  return { status, at, place_m: [x, y, z], text };
}

/** How many falls are drawn, and the bounds of the matrix: shares of them, and a number. */
export interface Falls {
  readonly what: string;
  readonly count: number;
  readonly isThrown: boolean;
  /** Least shares that end within 5 and 20 mm of each other. */
  readonly share5: number;
  readonly share20: number;
  /** Most that end farther apart or elsewhere although no event of fast has a doubt. */
  readonly untold: number;
}

export const FALLS: readonly Falls[] = [
  { what: 'drops', count: 120, isThrown: false, share5: 0.85, share20: 0.85, untold: 1 },
  { what: 'throws', count: 60, isThrown: true, share5: 0.6, share20: 0.7, untold: 0 },
];
const SEED = 20261129;
const [NEAR_MM, ALIKE_MM, CLOSE_MM] = [5, 15, 20];

/** A fall that ends apart on the two plants. */
export interface Difference {
  readonly name: string;
  readonly away_mm: number;
  readonly fast: Rest;
  readonly rapier: Rest;
}

/** How the ends of drawn falls differ between the plants. */
export function differencesOf({ count, isThrown }: Falls): {
  readonly within5: number;
  readonly within20: number;
  readonly others: readonly Difference[];
  readonly untold: readonly Difference[];
} {
  const all = drawFalls(count, isThrown, SEED).map((fall): Difference => {
    const [fast, rapier] = [endOf('fast', fall), endOf('rapier', fall)];
    const [x, y, z] = [0, 1, 2].map((k) => fast.place_m[k]! - rapier.place_m[k]!);
    return { name: fall.name, away_mm: 1000 * Math.hypot(x!, y!, z!), fast, rapier };
  });
  const within = (most_mm: number) => all.filter(({ away_mm }) => away_mm <= most_mm).length;
  const isOther = ({ away_mm, fast, rapier }: Difference) =>
    away_mm > ALIKE_MM || fast.at !== rapier.at;
  const others = all.filter(isOther);
  const untold = others.filter(({ fast }) => !fast.text.includes('not computed'));
  return { within5: within(NEAR_MM), within20: within(CLOSE_MM), others, untold };
}
