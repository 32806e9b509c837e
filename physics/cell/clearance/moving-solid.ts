/**
 * What moves in a cell: the capsules of the links, the tool, the fingers of grippers and what they
 * hold. Each is a solid at a place in a frame of the arm, grown by a radius: a capsule is the line
 * of its axis.
 */

import {
  AXIS_REACH_M,
  CAPSULE_COUNT,
  CAPSULE_ENDS_M,
  CAPSULE_LINK,
  CAPSULE_RADIUS_M,
  FIRST_CAPSULE,
  FLANGE_REACH,
  LINK_NAMES,
} from '../../arm/geometry.ts';
import type { ToolShape } from '../../collision/scene.ts';
import { FLANGE_FRAME } from '../../kinematics/forward.ts';
import { quaternionToMatrix } from '../../math/rotation.ts';
import { length3, type Numbers } from '../../math/vector.ts';
import type { Bundle } from '../grippers/capsule-bundle.ts';
import { PLACE_SIZE } from '../solids/distance.ts';
import type { Solid } from '../solids/solids.ts';

type MovingKind = 'link' | 'tool' | 'held';

export interface MovingSolid {
  /** Name for people: `link 3`, `tool`, or that of the gripper or object. */
  readonly name: string;
  /** A link, the tool with its grippers, or what these hold. */
  readonly kind: MovingKind;
  /** Parts of one group are in one contact with what stands: all links, the tool, an object. */
  readonly group: string;
  /** Whether the planner has checked it against the ground. */
  readonly isPlanned: boolean;
  /** Frame of the arm that it moves with. */
  readonly frame: number;
  readonly solid: Solid;
  /** Its place in that frame. */
  readonly place: Float64Array;
  /** What the solid grows by (m). */
  readonly radius_m: number;
  /** Radius of the ball about its centre (m). */
  readonly ball_m: number;
  /** Greatest distance of its points from each joint's axis (m). */
  readonly reach_m: Float64Array;
}

/** A tool shorter than this has no body (m), as for the planner. */
const TOOL_LENGTH_MIN_M = 1e-6;

const ballOf = ({ half, isRound }: Solid, radius_m: number) =>
  (isRound ? length3(half[0]!, 0, half[2]!) : length3(half[0]!, half[1]!, half[2]!)) + radius_m;

/** The place of a line between two points, along z. */
function alongLine(ends: Numbers, at: number): { readonly place: Float64Array; length_m: number } {
  const way = [0, 1, 2].map((k) => ends[at + 3 + k]! - ends[at + k]!);
  const length_m = length3(way[0]!, way[1]!, way[2]!);
  const place = new Float64Array(PLACE_SIZE);
  const [x, y, z] = length_m > 0 ? way.map((part) => part / length_m) : [0, 0, 1];
  const flat = Math.abs(z!) < 0.9 ? [-y!, x!, 0] : [0, -z!, y!];
  const size = length3(flat[0]!, flat[1]!, flat[2]!);
  const u = flat.map((part) => part / size);
  const v = [y! * u[2]! - z! * u[1]!, z! * u[0]! - x! * u[2]!, x! * u[1]! - y! * u[0]!];
  for (let k = 0; k < 3; k++) {
    place.set([u[k]!, v[k]!, [x!, y!, z!][k]!], 3 * k);
    place[9 + k] = (ends[at + k]! + ends[at + 3 + k]!) / 2;
  }
  return { place, length_m };
}

/** Reach of what is mounted at the flange, inside a ball about `place`'s centre (m). */
function flangeReach(place: Float64Array, ball_m: number): Float64Array {
  const [x, y, z] = [place[9]!, place[10]!, place[11]!];
  const away = length3(x, y, z) + ball_m;
  const reach = Float64Array.from(AXIS_REACH_M, (row) => row[FLANGE_REACH]! + away);
  reach[5] = length3(x, y, 0) + ball_m;
  return reach;
}

/** The links that move: the base stands, and is free to stand on a table. */
const LINKS: readonly MovingSolid[] = Array.from({ length: CAPSULE_COUNT }, (_, i) => i)
  .slice(FIRST_CAPSULE[1]!)
  .map((i) => {
    const { place, length_m } = alongLine(CAPSULE_ENDS_M, 6 * i);
    const link = CAPSULE_LINK[i]!;
    const solid = { isRound: false, half: Float64Array.of(0, 0, length_m / 2) };
    const radius_m = CAPSULE_RADIUS_M[i]!;
    return {
      name: LINK_NAMES[link]!,
      kind: 'link',
      group: 'link',
      isPlanned: true,
      frame: link,
      solid,
      place,
      radius_m,
      ball_m: ballOf(solid, radius_m),
      reach_m: Float64Array.from(AXIS_REACH_M, (row, axis) => (axis < link ? row[link]! : 0)),
    };
  });

/** The links of the arm that move. */
export function linkSolids(): readonly MovingSolid[] {
  return LINKS;
}

function atFlange(part: Omit<MovingSolid, 'frame' | 'ball_m' | 'reach_m'>): MovingSolid {
  const ball_m = ballOf(part.solid, part.radius_m);
  return { ...part, frame: FLANGE_FRAME, ball_m, reach_m: flangeReach(part.place, ball_m) };
}

/** The cylinder of a toolpath's tool from the flange to its tip; none without a length. */
export function toolSolids(tool: ToolShape | undefined): readonly MovingSolid[] {
  if (!tool) return [];
  const { x, y, z } = tool.offsets;
  const { place, length_m } = alongLine([0, 0, 0, x, y, z], 0);
  if (length_m < TOOL_LENGTH_MIN_M) return [];
  const half = Float64Array.of(tool.radius, tool.radius, length_m / 2);
  const solid = { isRound: true, half };
  const group = 'tool';
  return [
    atFlange({ name: 'tool', kind: 'tool', group, isPlanned: true, solid, place, radius_m: 0 }),
  ];
}

/** The capsules of a gripper's fingers or cup. */
export function fingerSolids(name: string, { ends, radii }: Bundle): readonly MovingSolid[] {
  return radii.map((radius_m, i) => {
    const { place, length_m } = alongLine(ends, 6 * i);
    const solid = { isRound: false, half: Float64Array.of(0, 0, length_m / 2) };
    return atFlange({
      name,
      kind: 'tool',
      group: 'tool',
      isPlanned: false,
      solid,
      place,
      radius_m,
    });
  });
}

/** The place of a pose: its rotation and centre. */
export function placeOf(pose: Numbers, at: number): Float64Array {
  const place = new Float64Array(PLACE_SIZE);
  const [w, x, y, z] = [pose[at + 3]!, pose[at + 4]!, pose[at + 5]!, pose[at + 6]!];
  quaternionToMatrix({ w, x, y, z }, place);
  for (let k = 0; k < 3; k++) place[9 + k] = pose[at + k]!;
  return place;
}

/** The group of a held object. */
export function heldGroup(name: string): string {
  return `held ${name}`;
}

/** A held object, at a pose in the flange frame. */
export function heldSolid(name: string, solid: Solid, held: Numbers): MovingSolid {
  const group = heldGroup(name);
  const place = placeOf(held, 0);
  return atFlange({ name, kind: 'held', group, isPlanned: false, solid, place, radius_m: 0 });
}
