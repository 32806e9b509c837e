/**
 * Check of a pose, with a message that names both parts. The margin is 1 mm (D25). §2.6, §2.7,
 * §4.7.
 */

import { LINK_NAMES } from '../arm/geometry.ts';
import type { Numbers } from '../math/vector.ts';
import { type CollisionScene, placeBodies } from './scene.ts';
import { createSweep, type HitKind, type Sweep, sweepScene } from './sweep.ts';

/** Bodies nearer than this collide (m). */
export const HIT_DISTANCE_M = 0.001;

/** A collision at a pose. */
export interface PoseHit {
  readonly code: 'plane_collision' | 'self_collision' | 'object_collision';
  /** The part of the arm: `link 3` or `tool`. */
  readonly a: string;
  /** The other part: a link, `ground`, or the name of a zone. */
  readonly b: string;
  /** Distance (m); for a keep-in zone the remaining depth inside it. */
  readonly distance_m: number;
  readonly message: string;
}

const CODES: Readonly<Record<HitKind, PoseHit['code']>> = {
  plane: 'plane_collision',
  self: 'self_collision',
  keep_out: 'object_collision',
  keep_in: 'object_collision',
};

const poseSweep = createSweep();
const clearanceSweep = createSweep();
clearanceSweep.speeds.fill(1);

function nameOther(scene: CollisionScene, sweep: Sweep): string {
  if (sweep.kind === 'plane') return 'ground';
  if (sweep.kind === 'keep_out') return scene.zones.keepOut.names[sweep.second]!;
  if (sweep.kind === 'keep_in') return scene.zones.keepIn.names[sweep.second]!;
  return LINK_NAMES[scene.linkOf[sweep.second]!]!;
}

const DIGITS_MM = 10;

function inMillimetres(distance_m: number): number {
  return Math.round(distance_m * 1000 * DIGITS_MM) / DIGITS_MM;
}

function sentence(kind: HitKind, a: string, b: string, distance_m: number): string {
  const name = a.charAt(0).toUpperCase() + a.slice(1);
  const gap_mm = inMillimetres(distance_m);
  const close = `${name} ${gap_mm > 0 ? `comes within ${gap_mm} mm of` : 'touches'}`;
  if (kind === 'plane') return `${close} the ground.`;
  if (kind === 'self') return `${close} the ${b}.`;
  if (kind === 'keep_out') return `${close} the avoidance zone "${b}".`;
  return `${close} the wall of the zone "${b}", in which the robot must stay.`;
}

/** Describes the hit that a sweep ended on. */
export function describeHit(scene: CollisionScene, sweep: Sweep): PoseHit {
  const a = LINK_NAMES[scene.linkOf[sweep.first]!]!;
  const b = nameOther(scene, sweep);
  return {
    code: CODES[sweep.kind],
    a,
    b,
    distance_m: sweep.distance_m,
    message: sentence(sweep.kind, a, b, sweep.distance_m),
  };
}

/**
 * Returns the first collision of the pose whose frames (of `forward`) are given, or null when it is
 * free. Order: ground, self, zones. Allocates only for a hit.
 */
export function checkPose(scene: CollisionScene, frames: Numbers): PoseHit | null {
  placeBodies(scene, frames);
  poseSweep.hit_m = HIT_DISTANCE_M;
  poseSweep.least = 0;
  return sweepScene(scene, poseSweep) ? describeHit(scene, poseSweep) : null;
}

/**
 * Smallest distance (m) of any pair that can collide at the pose; keep-in zones count with the
 * depth inside. Overlapping capsules give negative values.
 */
export function clearance(scene: CollisionScene, frames: Numbers): number {
  placeBodies(scene, frames);
  clearanceSweep.hit_m = Number.NEGATIVE_INFINITY;
  clearanceSweep.least = Number.POSITIVE_INFINITY;
  sweepScene(scene, clearanceSweep);
  return clearanceSweep.least;
}
