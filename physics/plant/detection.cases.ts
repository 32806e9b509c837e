/**
 * Contact detection (test code): how soon it finds a block, and false detections during full-speed
 * random moves with a payload error of 0.25 kg and a share of the friction compensated.
 */
import {
  CONTACT_THRESHOLDS_N_M,
  type ContactSensitivity,
} from '../dynamics/contact-sensitivity.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { RandomMoves } from './moves.cases.ts';
import type { Plant } from './plant.ts';

/** The arm before it sweeps (rad). */
export const BENT = Float64Array.of(0, -0.6, -1.2, 0, -1.2, 0);
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };
const UNDER = { x: 0.55, y: 0, z: -0.1 };
/** A block that the flange, `lever` away from axis 1, meets squarely after 0.6 rad. */
function squareAt(lever: number) {
  const [cos, sin] = [0.825, 0.565];
  const position = { x: lever * cos - 0.25 * sin, y: lever * sin + 0.25 * cos, z: 0.3 };
  return { position, orientation: { w: 0.955, x: 0, y: 0, z: 0.296 } };
}

/** The flange is 0.63 m away from axis 1 (rad). */
export const REACHING = Float64Array.of(0, -1.2, -0.4, 0, -1.2, 0);

/** A joint that moves the flange into a block. */
export interface Sweep {
  readonly joint: number;
  readonly speed_m_s: number;
  readonly stiffness_n_per_m: number;
  /** Pose at the start (rad); default BENT. */
  readonly pose?: Float64Array;
}

/** Distance of the flange from a joint's axis in the sweeps (m). */
function leverOf(pose: Float64Array, joint: number): number {
  const frames = createFrames();
  forward(pose, frames);
  const hand = FLANGE_FRAME * FRAME_SIZE + 9;
  const axis = (joint + 1) * FRAME_SIZE + 9;
  const x = frames[hand]! - frames[axis]!;
  const z = joint === 0 ? 0 : frames[hand + 2]! - frames[axis + 2]!;
  return Math.hypot(x, z);
}

/**
 * Moves a joint at a constant flange speed into a block; returns steps from contact to detection.
 */
export function stepsToTrip(plant: Plant, sweep: Sweep, level: ContactSensitivity): number {
  const { pose = BENT } = sweep;
  const lever = leverOf(pose, sweep.joint);
  const rate = sweep.speed_m_s / lever;
  const samples = new Float64Array(18);
  const half = { x: 0.3, y: 0.2, z: 0.3 };
  const { stiffness_n_per_m } = sweep;
  const place = sweep.joint === 0 ? squareAt(lever) : { position: UNDER, orientation: UPRIGHT };
  plant.environment.setObstacles([{ ...place, half, stiffness_n_per_m }]);
  let touched = -1;
  for (let i = 0; i < 3000; i++) {
    for (let k = 0; k < 18; k++) {
      const t = (i + Math.floor(k / 6) - 1) * 1e-3;
      const travel = rate * (t > 0.2 ? t - 0.1 : t > 0 ? 2.5 * t * t : 0);
      const turn = sweep.joint === 0 ? travel : -travel;
      samples[k] = pose[k % 6]! + (k % 6 === sweep.joint ? turn : 0);
    }
    plant.step('follow', samples, 1);
    if (touched < 0 && plant.environment.isActing) touched = i;
    const over = plant.residual.some(
      (value, j) => Math.abs(value) > CONTACT_THRESHOLDS_N_M[level][j]!,
    );
    if (over) {
      if (touched <= 200) throw new Error(`a detection without a contact, in step ${i}`);
      return i - touched + 1;
    }
  }
  return Number.POSITIVE_INFINITY;
}

/** Number of steps in which a joint's residual exceeds its threshold, by sensitivity. */
export function falseTrips(
  plant: Plant,
  seed: number,
  seconds: number,
  compensation = 0.8,
): Map<ContactSensitivity, number> {
  const trips = new Map<ContactSensitivity, number>([
    ['high', 0],
    ['medium', 0],
    ['low', 0],
  ]);
  plant.setPayload(0.75, 0.5);
  // The moves pass through the floor, which the load would touch.
  plant.environment.setLoad(null);
  plant.setFrictionCompensation(compensation);
  const moves = new RandomMoves(seed, Float64Array.from(plant.state.position));
  for (let i = 0; i < seconds * 1000; i++) {
    moves.advance();
    plant.step('follow', moves.samples, 1);
    for (const [level, count] of trips) {
      const over = plant.residual.some(
        (value, j) => Math.abs(value) > CONTACT_THRESHOLDS_N_M[level][j]!,
      );
      if (over) trips.set(level, count + 1);
    }
  }
  return trips;
}
