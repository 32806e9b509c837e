/**
 * The brake from any speed and acceleration to rest in closed form, the common last step of the
 * stops and the emergency stop: jerk to the braking acceleration, hold it, jerk back to zero.
 * Stops on the path brake s, an emergency stop brakes each joint by itself.
 */

/** Jerk at the onset, jerk at the release and maximum deceleration; all above zero. */
export interface BrakeShape {
  readonly onset: number;
  readonly release: number;
  readonly a: number;
}

/**
 * A brake: durations of its three phases (s), jerk of the first and of the last, distance to rest.
 */
export interface BrakePhases {
  readonly onset_s: number;
  readonly hold_s: number;
  readonly release_s: number;
  readonly onset_jerk: number;
  readonly release_jerk: number;
  readonly duration_s: number;
  readonly distance: number;
}

/**
 * The brake of that shape from speed `v` and acceleration `a`, or null when it would pass through
 * rest and return: the motion then already brakes harder than the release can end in time.
 */
export function brake(
  from: { readonly v: number; readonly a: number },
  shape: BrakeShape,
): BrakePhases | null {
  const { v, a } = from;
  if (a < -shape.a) return easeThenBrake(v, a, shape);
  const { onset, release } = shape;
  const rise = v + (a * a) / (2 * onset);
  if (!(rise >= 0)) return null;
  const peak = Math.sqrt((rise * 2 * onset * release) / (onset + release));
  if (peak < -a) return null;
  if (peak <= shape.a) {
    return brakeOfPhases(from, {
      onset_jerk: -onset,
      onset_s: (a + peak) / onset,
      hold_s: 0,
      release_jerk: release,
      release_s: peak / release,
    });
  }
  const hold_s =
    (rise - (shape.a * shape.a) / 2 / onset - (shape.a * shape.a) / 2 / release) / shape.a;
  return brakeOfPhases(from, {
    onset_jerk: -onset,
    onset_s: (a + shape.a) / onset,
    hold_s: Math.max(0, hold_s),
    release_jerk: release,
    release_s: shape.a / release,
  });
}

/**
 * Brakes a motion that decelerates harder than the shape: eases to the shape's deceleration first.
 */
function easeThenBrake(v: number, a: number, shape: BrakeShape): BrakePhases | null {
  const { onset, release } = shape;
  const left = v - (a * a - shape.a * shape.a) / (2 * onset);
  const hold_s = (left - (shape.a * shape.a) / (2 * release)) / shape.a;
  if (!(hold_s >= 0)) return null;
  return brakeOfPhases(
    { v, a },
    {
      onset_jerk: onset,
      onset_s: (0 - shape.a - a) / onset,
      hold_s,
      release_jerk: release,
      release_s: shape.a / release,
    },
  );
}

/** Completes the phases of a brake with their duration and distance. */
function brakeOfPhases(
  from: { readonly v: number; readonly a: number },
  phases: Omit<BrakePhases, 'duration_s' | 'distance'>,
): BrakePhases {
  const { v, a } = from;
  const { onset_jerk, onset_s, hold_s, release_jerk, release_s } = phases;
  const first = onset_s * (v + onset_s * (a / 2 + (onset_s * onset_jerk) / 6));
  const a1 = a + onset_jerk * onset_s;
  const v1 = v + onset_s * (a + (onset_jerk * onset_s) / 2);
  const second = hold_s * (v1 + (hold_s * a1) / 2);
  const v2 = v1 + hold_s * a1;
  const third = release_s * (v2 + release_s * (a1 / 2 + (release_s * release_jerk) / 6));
  return {
    onset_s,
    hold_s,
    release_s,
    onset_jerk,
    release_jerk,
    duration_s: onset_s + hold_s + release_s,
    distance: first + second + third,
  };
}

/** Phases for `profileOfPhases`. */
export function phasesOfBrake(stop: BrakePhases): {
  readonly durations_s: readonly number[];
  readonly jerks: readonly number[];
} {
  return {
    durations_s: [stop.onset_s, stop.hold_s, stop.release_s],
    jerks: [stop.onset_jerk, 0, stop.release_jerk],
  };
}
