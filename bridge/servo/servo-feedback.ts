/** Feedback before the first sample: the arrays that it is written into from then on. */
import type { Feedback } from '../arm-driver.ts';

/** Six zeros of each kind, and nothing wrong. */
export function emptyFeedback(): Feedback {
  return {
    position_rad: new Float64Array(6),
    velocity_rad_s: new Float64Array(6),
    temperature_c: new Float64Array(6),
    torque_n_m: new Float64Array(6),
    age_s: 0,
    fault: null,
    contact: null,
    at_rest: false,
  };
}
