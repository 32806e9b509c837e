import { addPoint, type Bundle } from './capsule-bundle.ts';

/** Greatest radius of the capsules of fingers and cups (m; own). */
export const FINGER_RADIUS_M = 0.004;
/** Length of a finger or cup above its tip (m; own). */
const FINGER_LENGTH_M = 0.04;
/** Nearest point of a finger to the flange (m): link 6 reaches so far. */
const FLANGE_CLEARANCE_M = 0.015;

/** Where fingers stand in the grasp frame: each x of `beside` with each y of `across` (m). */
interface Fingers {
  readonly radius_m: number;
  /** Where their capsules end along the approach. */
  readonly low_m: number;
  readonly beside: readonly number[];
  readonly across: readonly number[];
}

/** Adds fingers along the approach, as long as the flange leaves them room. */
export function addFingers(
  frame: Float64Array,
  { radius_m, low_m, beside, across }: Fingers,
  { ends, radii }: Bundle,
): void {
  const high = -Math.min(FINGER_LENGTH_M, Math.max(0, frame[2]! - FLANGE_CLEARANCE_M));
  if (high >= low_m) return;
  for (const x of beside) {
    for (const y of across) {
      addPoint(frame, x, y, high, ends);
      addPoint(frame, x, y, low_m, ends);
      radii.push(radius_m);
    }
  }
}
