/** Emergency stops at random moments of random moves, and how they keep their paths. Test code. */
import { createPrng } from '../math/prng.ts';
import { type EmergencyStop, planEmergencyStop, stopDeviation_m } from './emergency-stop.ts';
import { DEFAULT_CAPS, FAST_CAPS, MOVE_KINDS } from './emitted-limits.cases.ts';
import { jointStateAt, jointStops } from './joint-stop.ts';
import { PROTECTIVE_LIMITS } from './limits.ts';
import type { Segment } from './segment.ts';

/** Joint moves, linear moves, splines. */
export const STOPPED_KINDS = MOVE_KINDS.slice(0, 3);

export interface RandomStop {
  readonly segment: Segment;
  readonly elapsed_s: number;
  readonly stop: EmergencyStop;
  /** The stop of each joint by itself: its duration (s). */
  readonly own_s: number;
  /** Deviation from the path (m): of the stop, and of joints that brake by themselves. */
  readonly deviation_m: number;
  readonly own_m: number;
}

/** `count` stops of moves of a kind, each at a random moment. */
export function randomStops(kind: (typeof STOPPED_KINDS)[number], count: number): RandomStop[] {
  const random = createPrng(kind.seed + 7);
  const stops: RandomStop[] = [];
  while (stops.length < count) {
    const segment = kind.plan(random, stops.length % 2 === 0 ? DEFAULT_CAPS : FAST_CAPS);
    if (!segment) continue;
    const { path, profile } = segment;
    const elapsed_s = profile.duration_s * random();
    const { position, velocity, acceleration } = jointStateAt(path, profile, elapsed_s);
    const joints = jointStops(position, velocity, acceleration);
    const own_s = Math.max(...joints.map(({ duration_s }) => duration_s));
    const stop = planEmergencyStop(path, { profile, elapsed_s }, PROTECTIVE_LIMITS);
    const own = { ...stop, joints, duration_s: own_s };
    const deviation_m = stopDeviation_m(stop);
    stops.push({ segment, elapsed_s, stop, own_s, deviation_m, own_m: stopDeviation_m(own) });
  }
  return stops;
}
