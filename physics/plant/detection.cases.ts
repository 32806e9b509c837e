/**
 * Full-speed random moves under a payload that is a quarter kilogram off and friction that is known
 * to four fifths: what the observer makes of them (test code).
 */
import { type Sensitivity, TOUCH_N_M } from '../dynamics/residual.ts';
import { RandomMoves } from './moves.cases.ts';
import type { Plant } from './plant.ts';

/** How often some joint's residual crosses its threshold over the seconds. */
export function falseTrips(plant: Plant, seed: number, seconds: number): Map<Sensitivity, number> {
  const trips = new Map<Sensitivity, number>([
    ['high', 0],
    ['medium', 0],
    ['low', 0],
  ]);
  plant.setPayload(0.75, 0.5);
  plant.setFrictionKnown(0.8);
  const moves = new RandomMoves(seed, Float64Array.from(plant.state.position));
  for (let i = 0; i < seconds * 1000; i++) {
    moves.advance();
    plant.step('follow', moves.samples, 1);
    for (const [level, count] of trips) {
      const over = plant.residual.some((value, j) => Math.abs(value) > TOUCH_N_M[level][j]!);
      if (over) trips.set(level, count + 1);
    }
  }
  return trips;
}
