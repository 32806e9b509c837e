/**
 * Finds the closest pairs at a pose, with their two closest points: the arm's own check (ground,
 * self, tool, zones), and the simulated obstacles, which the arm's planner does not know. Pure; the
 * collision layer draws the result. §2.6, §2.7.
 */
import type { SimObstacle } from '../../contract/types.generated.ts';
import { FIRST_CAPSULE, LINK_NAMES } from '../../physics/arm/geometry.ts';
import { closestToBox, createBoxContact } from '../../physics/collision/box-contact.ts';
import { BOX_SIZE, compileBox } from '../../physics/collision/boxes.ts';
import { cylinderBody, LINK_BODIES } from '../../physics/collision/capsule-body.ts';
import { clearance, HIT_DISTANCE_M, type PoseHit } from '../../physics/collision/pose-check.ts';
import {
  type CollisionScene,
  createCollisionScene,
  placeBodies,
  type SceneOptions,
} from '../../physics/collision/scene.ts';
import { createSweep, sweepScene } from '../../physics/collision/sweep.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import type { Tool } from '../../physics/kinematics/tool.ts';
import { closestPoints, type PointPair } from './closest-points.ts';

/** Two bodies and the distance between them. */
export interface ClosestPair {
  /** Bodies of the arm in the pair: 0 to 11 are capsules, 12 is the tool. */
  readonly bodies: readonly number[];
  /** Name of the other body, zone or obstacle. */
  readonly other: string;
  /** Set if the other one is an obstacle. */
  readonly obstacle_id: number | null;
  /** Distance (m). Negative is penetration. For a keep-in zone: distance to its nearest face. */
  readonly distance_m: number;
  readonly points: PointPair;
  readonly colliding: boolean;
}

export interface Proximity {
  readonly scene: CollisionScene;
  /**
   * The closest pair of the arm's own check, then one pair for each obstacle, at joint angles
   * (rad). Leaves the scene's bodies placed at that pose.
   */
  at(joints: ArrayLike<number>): readonly ClosestPair[];
}

const FIRST_MOVING_LINK = 1;
const LAST_LINK = 6;

function nearestOwn(scene: CollisionScene): ClosestPair {
  const sweep = createSweep();
  sweep.speeds.fill(1);
  sweep.hit_m = Number.NEGATIVE_INFINITY;
  sweep.least = Number.POSITIVE_INFINITY;
  sweepScene(scene, sweep);
  const { kind, first, second, distance_m } = sweep;
  const names = {
    plane: () => 'ground',
    self: () => LINK_NAMES[scene.linkOf[second]!]!,
    keep_out: () => scene.zones.keepOut.names[second]!,
    keep_in: () => scene.zones.keepIn.names[second]!,
  };
  return {
    bodies: kind === 'self' ? [first, second] : [first],
    other: names[kind](),
    obstacle_id: null,
    distance_m,
    points: closestPoints(scene, sweep),
    colliding: distance_m < HIT_DISTANCE_M,
  };
}

function linkBodies(link: number): readonly number[] {
  const first = FIRST_CAPSULE[link]!;
  return Array.from({ length: FIRST_CAPSULE[link + 1]! - first }, (_, i) => first + i);
}

const contact = createBoxContact();

/** Link closest to a box, measured as the plant measures it. */
function nearestLink(frames: Float64Array, box: Float64Array): number {
  let nearest = FIRST_MOVING_LINK;
  let least_m = Number.POSITIVE_INFINITY;
  for (let link = FIRST_MOVING_LINK; link <= LAST_LINK; link++) {
    closestToBox(frames, LINK_BODIES[link]!, box, contact);
    if (contact.distance_m >= least_m) continue;
    least_m = contact.distance_m;
    nearest = link;
  }
  closestToBox(frames, LINK_BODIES[nearest]!, box, contact);
  return nearest;
}

/** Bodies of the arm that belong to a link, in the plant's numbering: 7 is the tool. */
export function bodiesOf(link: number, scene: CollisionScene): readonly number[] {
  if (link <= LAST_LINK) return linkBodies(link);
  return scene.tip_m ? [scene.bodies - 1] : linkBodies(LAST_LINK);
}

/** A tool shorter or thinner than this has no body (m). */
const TOOL_LEAST_M = 1e-3;

/**
 * By how much a hit is nearer than allowed, at the pose of `frames` (m). In a zone the depth of
 * capsules counts, because the distance of the tool's exact cylinder ends at zero. Precondition:
 * the bodies of the scene are placed at that pose.
 */
export function hitDepth_m(
  scene: CollisionScene,
  { b, distance_m }: PoseHit,
  { frames, tool }: { readonly frames: Float64Array; readonly tool: Tool },
): number {
  const near_m = HIT_DISTANCE_M - Math.min(distance_m, clearance(scene, frames));
  const { data, names } = scene.zones.keepOut;
  const zone = names.indexOf(b);
  if (zone < 0) return near_m;
  const box = data.subarray(zone * BOX_SIZE, (zone + 1) * BOX_SIZE);
  const { offset_m, radius_m } = tool;
  const long = Math.hypot(...offset_m) > TOOL_LEAST_M && radius_m > TOOL_LEAST_M;
  const bodies = [...LINK_BODIES, ...(long ? [cylinderBody(offset_m, radius_m)] : [])];
  let depth_m = near_m;
  for (const body of bodies) {
    closestToBox(frames, body, box, contact);
    depth_m = Math.max(depth_m, HIT_DISTANCE_M - contact.distance_m);
  }
  return depth_m;
}

/** Creates a proximity query for a tool, zones and obstacles. */
export function createProximity(
  options: SceneOptions,
  obstacles: readonly SimObstacle[],
): Proximity {
  const scene = createCollisionScene(options);
  const frames = createFrames();
  const boxes = obstacles.map(({ id, name, position, half, orientation }) => ({
    id,
    name,
    box: compileBox({ centre: position, half, orientation }),
  }));
  return {
    scene,
    at(joints) {
      forward(joints, frames);
      placeBodies(scene, frames);
      const obstructions = boxes.map(({ id, name, box }): ClosestPair => {
        const link = nearestLink(frames, box);
        const { distance_m, point, normal } = contact;
        const [x, y, z] = [0, 1, 2].map((k) => point[k]! - normal[k]! * distance_m);
        return {
          bodies: linkBodies(link),
          other: name,
          obstacle_id: id,
          distance_m,
          points: { from_m: [point[0]!, point[1]!, point[2]!], to_m: [x!, y!, z!] },
          colliding: distance_m < 0,
        };
      });
      return [nearestOwn(scene), ...obstructions];
    },
  };
}
