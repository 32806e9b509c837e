/**
 * The joints within a weighted distance of a guess, as bounds of what the closing condition knows of
 * them: q6, the reach from axis 2 to the wrist centre with the bend of the elbow, the azimuth of the
 * arm. A search that may leave out what is farther looks there alone (§4.7).
 */
import {
  ELBOW_TO_WRIST_M,
  FOREARM_M,
  FOREARM_OFFSET_M,
  UPPER_ARM_M,
  WRIST_OFFSET_M,
} from '../arm/arm-model.ts';
import { atan2, cos, HALF_PI, PI, sin, wrapAngle } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { chainAngles } from './chain-angles.ts';
import { JOINT_WEIGHTS } from './joint-distance.ts';
import { MIDDLE, wristTarget } from './wrist-condition.ts';

/** q3 of the stretched elbow (rad). */
const STRETCHED_RAD = 0 - atan2(FOREARM_OFFSET_M, FOREARM_M);
/** Squared distance from axis 2 to the wrist centre = MIDDLE + SPREAD · cos(q3 - STRETCHED) (m²). */
const MIDDLE_SQUARE = UPPER_ARM_M * UPPER_ARM_M + ELBOW_TO_WRIST_M * ELBOW_TO_WRIST_M;
const SPREAD_SQUARE = 2 * UPPER_ARM_M * ELBOW_TO_WRIST_M;

/** Radius of the circle of the wrist centre (m). */
const RADIUS_M = Math.abs(WRIST_OFFSET_M);

/** Rounding of the ends of q6, and of nodes that are shifted off an edge (rad). */
const SLACK_RAD = 1e-5;

/** The neighbourhood that is searched. */
export const neighbourhood = {
  /** True where all joints are sought; nothing else counts then. */
  isAll: true,
  /** q6 is within `half` of `middle` (rad). */
  middle: 0,
  half: PI,
  /** Bend of the elbow at the guess, which is the sign of -sin of its angle from stretched, and whether it may be the other one. */
  elbow: 1,
  bothBends: true,
  /** Range of the squared distance from axis 2 to the wrist centre (m²). */
  nearest: 0,
  farthest: 0,
  /** Direction of the arm's azimuth at the guess, and how far it may be from that (rad). */
  ux: 1,
  uy: 0,
  turn: PI,
};

/** Seeks all joints. */
export function seekEverywhere(): void {
  neighbourhood.isAll = true;
}

/** Seeks the joints within the weighted distance `d` (rad) of `guess`, joint limits or not. */
export function seekNear(guess: Numbers, d: number): void {
  const q = chainAngles(guess, 0);
  const bend = wrapAngle(q[2]! - STRETCHED_RAD);
  const size = Math.abs(bend);
  const turn = d / JOINT_WEIGHTS[2];
  neighbourhood.half = d / JOINT_WEIGHTS[5];
  neighbourhood.isAll = !(neighbourhood.half < PI);
  neighbourhood.middle = q[5]!;
  neighbourhood.elbow = bend < 0 ? 1 : -1;
  neighbourhood.bothBends = !(size > turn && size + turn < PI);
  neighbourhood.nearest = MIDDLE_SQUARE + SPREAD_SQUARE * cos(Math.min(size + turn, PI));
  neighbourhood.farthest = MIDDLE_SQUARE + SPREAD_SQUARE * cos(Math.max(size - turn, 0));
  neighbourhood.ux = cos(q[0]!);
  neighbourhood.uy = sin(q[0]!);
  neighbourhood.turn = d / JOINT_WEIGHTS[0];
}

/** True when any q6 within half of `half_rad` of `middle_rad` is sought. */
export function isTurnSought(middle_rad: number, half_rad: number): boolean {
  const apart = Math.abs(wrapAngle(middle_rad - neighbourhood.middle));
  return apart <= neighbourhood.half + half_rad + SLACK_RAD;
}

/**
 * Whether the arm may reach the wrist centre of the target forward (`side` 1) or back over the
 * shoulder (-1): that lies on a circle, all of it on one side of axis 1 unless the axis is near.
 */
export function isSideSought(side: number): boolean {
  const { isAll, ux, uy, turn } = neighbourhood;
  const bx = wristTarget[MIDDLE]!;
  const by = wristTarget[MIDDLE + 1]!;
  const distance = Math.sqrt(bx * bx + by * by);
  // The circle is seen from the axis under an angle whose half is below pi/2 · radius / distance.
  const widest = turn + (HALF_PI * RADIUS_M) / distance;
  if (isAll || !(RADIUS_M < distance && widest < PI)) return true;
  return side * (ux * bx + uy * by) >= distance * cos(widest);
}
