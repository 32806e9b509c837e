/**
 * A cell compiled for simulation: static solids, movable bodies, nests, and the parts that signals
 * drive. Made from a description that check-cell.ts has accepted. SI units, robot frame.
 */

import type {
  Cell,
  CellControl,
  CellGripper,
  CellObject,
  CellSensor,
  CellShape,
} from '../../contract/types.generated.ts';
import type { Load } from '../dynamics/load.ts';
import type { Numbers } from '../math/vector.ts';
import { STIFFNESS_N_PER_M } from '../plant/obstacle.ts';
import { type NestModel, nestFrame, nestsOf } from './nests.ts';
import { compose, frameOf, SOLID_POSE, turn } from './pose.ts';
import { type Solid, standOn } from './solids/solids.ts';

/** Footprint of a microplate (ANSI/SLAS 1-2004), and its standard height (ANSI/SLAS 2-2004) (m). */
const PLATE_LENGTH_M = 0.12776;
const PLATE_WIDTH_M = 0.08548;
const PLATE_HEIGHT_M = 0.01435;
/** Friction coefficients where the description gives none (own): plastics on metal, rubber belt. */
const FRICTION = 0.5;
const BELT_FRICTION = 0.8;
/** Name of the ground as a place. */
export const GROUND = 'floor';

/** A box that does not move: a part of a fixture, or a conveyor. */
export interface StaticSolid extends Solid {
  /** Name of the fixture or conveyor. */
  readonly name: string;
  readonly pose: Float64Array;
  readonly friction: number;
  readonly stiffness_n_per_m: number;
  /** Number of the conveyor, or -1. */
  readonly belt: number;
}

/** A movable body. */
export interface BodyModel extends Solid {
  readonly name: string;
  readonly mass_kg: number;
  readonly friction: number;
  /** Principal moments about its centre (kg m²). */
  readonly moments_kg_m2: readonly [number, number, number];
  /** Number of the body whose lid it is, or -1, and whether it is sealed to that where it is on it. */
  readonly lidOf: number;
  readonly isSealed: boolean;
  /** Pose at the start. */
  readonly pose: Float64Array;
}

export interface BeltModel {
  readonly name: string;
  readonly output: string | null;
  readonly runsOn: boolean;
  readonly pose: Float64Array;
  /** Velocity of the surface while it runs (m/s). */
  readonly velocity: Float64Array;
  readonly speed_m_s: number;
  readonly encoder: NonNullable<Cell['conveyors']>[number]['encoder'] | null;
}

export interface CellModel {
  readonly description: Cell;
  readonly statics: readonly StaticSolid[];
  readonly bodies: readonly BodyModel[];
  readonly nests: readonly NestModel[];
  readonly grippers: readonly CellGripper[];
  readonly belts: readonly BeltModel[];
  readonly sensors: readonly CellSensor[];
  readonly controls: readonly CellControl[];
}

/** Names of all places where an object can rest: nests, fixtures, conveyors, objects, the floor. */
export function placeNames(cell: Cell): string[] {
  const { fixtures = [], conveyors = [], objects = [] } = cell;
  return [GROUND, ...[...fixtures, ...conveyors, ...objects, ...nestsOf(cell)].map(nameOf)];
}

const nameOf = ({ name }: { readonly name: string }) => name;

/** The solid of a shape. */
export function solidOf(shape: CellShape): Solid {
  switch (shape.kind) {
    case 'box': {
      const { x, y, z } = shape.size_m;
      return { isRound: false, half: Float64Array.of(x / 2, y / 2, z / 2) };
    }
    case 'microplate': {
      const height = shape.height_m ?? PLATE_HEIGHT_M;
      return {
        isRound: false,
        half: Float64Array.of(PLATE_LENGTH_M / 2, PLATE_WIDTH_M / 2, height / 2),
      };
    }
    case 'cylinder':
    case 'tube': {
      const radius = shape.diameter_m / 2;
      return { isRound: true, half: Float64Array.of(radius, radius, shape.height_m / 2) };
    }
  }
}

/** Principal moments of a homogeneous solid about its centre (kg m²). */
function momentsOf({ isRound, half }: Solid, mass: number): [number, number, number] {
  const [x, y, z] = [half[0]! * half[0]!, half[1]! * half[1]!, half[2]! * half[2]!];
  if (!isRound) return [(mass * (y + z)) / 3, (mass * (x + z)) / 3, (mass * (x + y)) / 3];
  const across = mass * (x / 4 + z / 3);
  return [across, across, (mass * x) / 2];
}

function boxSolid(size: { x: number; y: number; z: number }): Solid {
  return { isRound: false, half: Float64Array.of(size.x / 2, size.y / 2, size.z / 2) };
}

/** The static solids in the order of the description: boxes of fixtures, then conveyors. */
export function staticsOf({ fixtures = [], conveyors = [] }: Cell): StaticSolid[] {
  const boxes = fixtures.flatMap((fixture) => {
    const origin = frameOf(fixture.position, fixture.orientation);
    return fixture.boxes.map((box) => {
      const own = frameOf(box.position ?? { x: 0, y: 0, z: 0 }, box.orientation);
      compose(origin, 0, own, 0, own);
      const solid = boxSolid(box.size_m);
      return {
        isRound: false,
        half: solid.half,
        name: fixture.name,
        pose: standOn(own, solid),
        friction: fixture.friction ?? FRICTION,
        stiffness_n_per_m: fixture.stiffness_n_per_m ?? STIFFNESS_N_PER_M,
        belt: -1,
      };
    });
  });
  const belts = conveyors.map((conveyor, belt) => {
    const solid = boxSolid(conveyor.size_m);
    return {
      isRound: false,
      half: solid.half,
      name: conveyor.name,
      pose: standOn(frameOf(conveyor.position, conveyor.orientation), solid),
      friction: conveyor.friction ?? BELT_FRICTION,
      stiffness_n_per_m: STIFFNESS_N_PER_M,
      belt,
    };
  });
  return [...boxes, ...belts];
}

const top = Float64Array.of(0, 0, 0, 1, 0, 0, 0);

/** Number of the object whose lid object `i` is, or -1. */
export function lidOwner(objects: readonly CellObject[], i: number): number {
  const { lid_of } = objects[i]!;
  return lid_of === undefined ? -1 : objects.findIndex(({ name }) => name === lid_of);
}

/**
 * The poses of the objects at the start. A lid without another place lies on its object, and an
 * object in a nest of another one follows it, so nests and lids must not form a cycle.
 */
export function startPoses(cell: Cell, nests: readonly NestModel[]): Float64Array {
  const objects = cell.objects ?? [];
  const solids = objects.map(({ shape }) => solidOf(shape));
  const poses = new Float64Array(SOLID_POSE * objects.length);
  const frame = new Float64Array(SOLID_POSE);
  const done = new Set<number>();
  const place = (i: number): void => {
    if (done.has(i)) return;
    done.add(i);
    const { nest: name, position, orientation } = objects[i]!;
    const nest = nests.find((entry) => entry.name === name);
    const under = position || nest ? -1 : lidOwner(objects, i);
    if (under >= 0) {
      place(under);
      const at = SOLID_POSE * under;
      top[2] = solids[under]!.half[2]!;
      compose(poses, at, top, 0, frame);
    } else if (nest) {
      if (nest.owner >= 0) place(nest.owner);
      nestFrame(nest, solids, poses, frame);
    } else frame.set(frameOf(position ?? { x: 0, y: 0, z: 0 }, orientation));
    standOn(frame, solids[i]!, poses, SOLID_POSE * i);
  };
  objects.forEach((_, i) => {
    place(i);
  });
  return poses;
}

function bodyOf(object: CellObject, lidOf: number, pose: Float64Array): BodyModel {
  const solid = solidOf(object.shape);
  const { name, mass_kg, friction = FRICTION, sealed: isSealed = false } = object;
  const { isRound, half } = solid;
  const moments_kg_m2 = momentsOf(solid, mass_kg);
  return { isRound, half, name, mass_kg, friction, moments_kg_m2, lidOf, isSealed, pose };
}

/** Compiles a cell. Precondition: check-cell.ts found no problem. */
export function compileCell(cell: Cell): CellModel {
  const nests = nestsOf(cell);
  const poses = startPoses(cell, nests);
  const statics = staticsOf(cell);
  const { objects = [], conveyors = [], grippers = [], sensors = [], controls = [] } = cell;
  return {
    description: cell,
    statics,
    nests,
    bodies: objects.map((object, i) =>
      bodyOf(object, lidOwner(objects, i), poses.slice(SOLID_POSE * i, SOLID_POSE * (i + 1))),
    ),
    grippers,
    belts: conveyors.map((conveyor, i) => {
      const solid = statics.find(({ belt }) => belt === i)!;
      const velocity = new Float64Array(3);
      turn(solid.pose, 3, [conveyor.speed_m_s, 0, 0], velocity);
      const { name, output = null, runs_on: runsOn = true, speed_m_s, encoder = null } = conveyor;
      return { name, output, runsOn, pose: solid.pose, velocity, speed_m_s, encoder };
    }),
    sensors,
    controls,
  };
}

/** Whether one of two bodies is a lid that is sealed to the other one where it is on it. */
export function areSealed(bodies: readonly BodyModel[], i: number, j: number): boolean {
  const isSealedTo = (lid: number, object: number) =>
    bodies[lid]!.isSealed && bodies[lid]!.lidOf === object;
  return isSealedTo(i, j) || isSealedTo(j, i);
}

/** Mass and inertia of a body at a pose in the flange frame, as a load. */
export function loadOfBody({ mass_kg, moments_kg_m2: m }: BodyModel, pose: Numbers): Load {
  const columns = [0, 1, 2].map((k) => {
    const axis = new Float64Array(3);
    turn(pose, 3, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0], axis);
    return axis;
  });
  const sum = (a: number, b: number) =>
    m[0] * columns[0]![a]! * columns[0]![b]! +
    m[1] * columns[1]![a]! * columns[1]![b]! +
    m[2] * columns[2]![a]! * columns[2]![b]!;
  return {
    mass_kg,
    centre_of_mass_m: [pose[0]!, pose[1]!, pose[2]!],
    inertia_kg_m2: [sum(0, 0), sum(1, 1), sum(2, 2), sum(0, 1), sum(0, 2), sum(1, 2)],
  };
}
