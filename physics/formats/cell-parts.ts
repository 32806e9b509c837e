/**
 * A cell as parts, each in the frame of its parent, for the formats of other programs: fixtures,
 * conveyors and objects with their solids, nests, and the grasp centres of grippers. The frame of
 * an object is the middle of its bottom face, as in the API. SI units.
 */

import type { CellGripper } from '../../contract/types.generated.ts';
import { FRAME_NAMES, JOINT_NAMES } from '../arm/arm-model.ts';
import type { BodyModel, CellModel } from '../cell/cell-model.ts';
import { gripperKindOf } from '../cell/grippers/gripper-kinds.ts';
import { nestFrame } from '../cell/nests.ts';
import { frameOf, relate, SOLID_POSE, turnBack } from '../cell/pose.ts';
import { bottomOf, type Solid } from '../cell/solids/solids.ts';
import { ballLoad } from '../dynamics/load.ts';
import type { Numbers } from '../math/vector.ts';

/** A mass in the frame of its part, with principal moments along the axes of that frame. */
interface PartMass {
  readonly mass_kg: number;
  readonly centre_m: Numbers;
  readonly moments_kg_m2: Numbers;
}

/** A part of a cell. Poses are position and quaternion w, x, y, z. */
export interface CellPart {
  readonly kind: 'fixture' | 'conveyor' | 'object' | 'nest' | 'gripper';
  /** Name as a frame: letters, digits and underlines, no other frame's name. */
  readonly frame: string;
  /** Name in the cell. */
  readonly name: string;
  /** Frame of a part before this one, or of the arm. */
  readonly parent: string;
  /** In the frame of the parent. */
  readonly pose: Float64Array;
  /** In the frame of this part. */
  readonly solids: readonly { readonly solid: Solid; readonly pose: Float64Array }[];
  readonly friction: number;
  readonly mass: PartMass | null;
}

const BASE = FRAME_NAMES[0]!;
const FLANGE = 'flange';

/** Gives each name of the cell a frame's name. */
function frameNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>([...FRAME_NAMES, ...JOINT_NAMES, 'world', 'payload', 'floor']);
  return new Map(
    names.map((name) => {
      const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '') || 'part';
      let frame = plain;
      for (let n = 2; taken.has(frame); n++) frame = `${plain}_${n}`;
      taken.add(frame);
      return [name, frame];
    }),
  );
}

function relativeTo(frame: Numbers, pose: Numbers): Float64Array {
  const out = new Float64Array(SOLID_POSE);
  relate(frame, 0, pose, 0, out);
  return out;
}

/** The pose of the middle of an object's bottom face. */
function bottomFrame(solid: Solid, pose: Float64Array): Float64Array {
  const frame = pose.slice();
  const bottom = new Float64Array(3);
  bottomOf(solid, pose, 0, bottom);
  frame.set(bottom);
  return frame;
}

function objectPart(body: BodyModel): Omit<CellPart, 'frame'> {
  const { name, friction, mass_kg, moments_kg_m2 } = body;
  const centre = Float64Array.of(0, 0, body.half[2]!, 1, 0, 0, 0);
  return {
    kind: 'object',
    name,
    parent: BASE,
    pose: bottomFrame(body, body.pose),
    solids: [{ solid: body, pose: centre }],
    friction,
    mass: { mass_kg, centre_m: centre.subarray(0, 3), moments_kg_m2 },
  };
}

/** A gripper: its mass lies between flange and grasp centre, as in the twin's load. */
function gripperPart(description: CellGripper): Omit<CellPart, 'frame'> {
  const frame = gripperKindOf(description).frameOf(description);
  const { name, mass_kg = 0 } = description;
  const centre_m = new Float64Array(3);
  turnBack(frame, 3, [-frame[0]! / 2, -frame[1]! / 2, -frame[2]! / 2], centre_m);
  const moments_kg_m2 = ballLoad(mass_kg).inertia_kg_m2.slice(0, 3);
  const mass = mass_kg > 0 ? { mass_kg, centre_m, moments_kg_m2 } : null;
  return { kind: 'gripper', name, parent: FLANGE, pose: frame, solids: [], friction: 0, mass };
}

/** The parts of a cell at its start, each after its parent. */
export function partsInFrames(model: CellModel): readonly CellPart[] {
  const { description, statics, bodies, nests, grippers } = model;
  const { fixtures = [], conveyors = [] } = description;
  type Standing = (typeof conveyors | typeof fixtures)[number];
  const standing = (kind: 'fixture' | 'conveyor') => (part: Standing) => {
    const pose = frameOf(part.position, part.orientation);
    const own = statics.filter(({ name }) => name === part.name);
    const solids = own.map((solid) => ({ solid, pose: relativeTo(pose, solid.pose) }));
    const friction = own[0]?.friction ?? 0;
    return { kind, name: part.name, parent: BASE, pose, solids, friction, mass: null };
  };
  const parts = [
    ...fixtures.map(standing('fixture')),
    ...conveyors.map(standing('conveyor')),
    ...bodies.map(objectPart),
    ...grippers.map(gripperPart),
  ];
  const frames = frameNames([...parts, ...nests].map(({ name }) => name));
  const poses = Float64Array.from(bodies.flatMap(({ pose }) => Array.from(pose)));
  const world = new Float64Array(SOLID_POSE);
  const nestParts = nests.map((nest) => {
    const owner = parts.find(({ name }) => name === nest.on)!;
    nestFrame(nest, bodies, poses, world);
    const pose = relativeTo(owner.pose, world);
    const parent = frames.get(nest.on)!;
    return {
      kind: 'nest',
      name: nest.name,
      parent,
      pose,
      solids: [],
      friction: 0,
      mass: null,
    } as const;
  });
  return [...parts, ...nestParts].map((part) => ({ ...part, frame: frames.get(part.name)! }));
}
