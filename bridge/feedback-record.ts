/** The record that a driver writes its feedback into, as it is before the first sample. */
import type { DriverFault, Feedback } from './arm-driver.ts';

/** Feedback as its owner has it. */
export type OwnFeedback = { -readonly [Key in keyof Feedback]: Feedback[Key] };

/** The fault of joints that nobody can speak of: not started, stopped, not yet back. */
export function silent(message: string): DriverFault {
  return { kind: 'lost', joint: null, message };
}

/** Six zeros of each kind, and an arm that is not started. */
export function emptyFeedback(): OwnFeedback {
  return {
    position_rad: new Float64Array(6),
    velocity_rad_s: new Float64Array(6),
    temperature_c: new Float64Array(6),
    torque_n_m: new Float64Array(6),
    age_s: 0,
    fault: silent('The arm is not started'),
    contact: null,
    at_rest: false,
  };
}
