/**
 * What a gripper says of a body that it did not get: how the body lies in the grasp frame (x
 * closes, z approaches), by where the gripper points.
 */

import { length3, type Numbers } from '../../math/vector.ts';
import { BODY_STATUS } from '../body-states.ts';
import { millimetres } from '../millimetres.ts';
import { relate, SOLID_POSE, turn } from '../pose.ts';
import { extentAlong } from '../solids/overlap.ts';
import type { SearchedWorld } from './gripper-world.ts';

/** Gaps below this are given with a tenth (m). */
const FINE_M = 0.002;

/** A gap (m) as a text. */
export function gapText(gap_m: number): string {
  return millimetres(gap_m, Math.abs(gap_m) < FINE_M ? 1 : 0);
}

const axis = new Float64Array(3);
const local = new Float64Array(SOLID_POSE);

/** How an object lies that the gripper has not reached, or has passed, by where it points. */
const WORDS: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  '-1': ['above', 'below'],
  0: ['short of', 'past'],
  1: ['below', 'above'],
};

/** The height by which the gripper approaches along a unit of its z: -1 for down. */
function approachUp(grasp: Numbers): number {
  turn(grasp, 3, [0, 0, 1], axis);
  return axis[2]!;
}

/** The injected fault behind a miss, as the end of a sentence. */
export function misplacedText({ model, states }: SearchedWorld, body: number): string {
  const moved = states.misplaced[body]!;
  const { name } = model.bodies[body]!;
  return moved > 0 ? ` (${name} was misplaced by ${gapText(moved)})` : '';
}

/** Distance of a body from a position (m). */
export function distanceTo(poses: Numbers, body: number, position: Numbers): number {
  const [x, y, z] = [0, 1, 2].map((k) => poses[SOLID_POSE * body + k]! - position[k]!);
  return length3(x!, y!, z!);
}

/** The body nearest to the grasp centre that no gripper holds, also a missing one; or null. */
export function nearestBody({ model, states }: SearchedWorld, grasp: Numbers): number | null {
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < model.bodies.length; i++) {
    if (states.status[i] === BODY_STATUS.held) continue;
    relate(grasp, 0, states.poses, SOLID_POSE * i, local);
    const squared = local[0]! * local[0]! + local[1]! * local[1]! + local[2]! * local[2]!;
    if (squared < least) {
      least = squared;
      nearest = i;
    }
  }
  return nearest < 0 ? null : nearest;
}

/** A body in the grasp frame: where its centre is, and half its extent along each axis (m). */
export interface GraspedPlace {
  readonly name: string;
  readonly centre: readonly [number, number, number];
  readonly half: readonly [number, number, number];
}

/** Where a body lies in a grasp frame. */
export function placeIn(
  grasp: Numbers,
  { model, states }: SearchedWorld,
  body: number,
): GraspedPlace {
  const solid = model.bodies[body]!;
  const at = SOLID_POSE * body;
  relate(grasp, 0, states.poses, at, local);
  const half = [0, 1, 2].map((k) => {
    turn(grasp, 3, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0], axis);
    return extentAlong(solid, states.poses, at, axis);
  });
  return {
    name: solid.name,
    centre: [local[0]!, local[1]!, local[2]!],
    half: [half[0]!, half[1]!, half[2]!],
  };
}

/**
 * That a gripper closed beside, before or behind a body; null where the body is within its reach.
 * `what` it did begins the text; it reaches `reach_m` along its approach, and the body is
 * `beside_m` away across it.
 */
export function missText(
  grasp: Numbers,
  { name, centre, half }: GraspedPlace,
  { what, reach_m, beside_m }: { readonly what: string; reach_m: number; beside_m: number },
): string | null {
  const above = centre[2] - half[2] - reach_m;
  const below = -centre[2] - half[2] - reach_m;
  const [before, behind] = WORDS[Math.round(approachUp(grasp))]!;
  if (beside_m > Math.max(above, below, 0)) return `${what} ${gapText(beside_m)} beside ${name}`;
  if (above > 0) return `${what} ${gapText(above)} ${before} ${name}`;
  return below > 0 ? `${what} ${gapText(below)} ${behind} ${name}` : null;
}
