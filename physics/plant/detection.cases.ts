/**
 * False contact detections during full-speed random moves with a payload error of 0.25 kg and a
 * share of the friction compensated (test code).
 */
import { CONTACT_THRESHOLDS_N_M, type ContactSensitivity } from '../dynamics/momentum-observer.ts';
import { RandomMoves } from './moves.cases.ts';
import type { Plant } from './plant.ts';

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
