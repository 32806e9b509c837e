/**
 * From any speed and acceleration to rest in closed form: jerk down to the braking acceleration,
 * hold it, jerk back to zero. One dimension; stops on the path brake s, an emergency stop brakes
 * each joint by itself.
 */

/** Jerk at the onset, jerk of the release and most deceleration; all above zero. */
export interface BrakeShape {
  readonly onset: number;
  readonly release: number;
  readonly a: number;
}

/** A stop: times of its three phases (s), the jerk of the first and of the last, way to rest. */
export interface Brake {
  readonly onset_s: number;
  readonly hold_s: number;
  readonly release_s: number;
  readonly onset_jerk: number;
  readonly release_jerk: number;
  readonly duration_s: number;
  readonly distance: number;
}

/**
 * The stop of that shape from speed `v` and acceleration `a`, or null when it would pass through
 * rest and come back: the motion then already brakes harder than the release can end in time.
 */
export function brake(
  from: { readonly v: number; readonly a: number },
  shape: BrakeShape,
): Brake | null {
  const { v, a } = from;
  if (a < -shape.a) return eased(v, a, shape);
  const { onset, release } = shape;
  const rise = v + (a * a) / (2 * onset);
  if (!(rise >= 0)) return null;
  const peak = Math.sqrt((rise * 2 * onset * release) / (onset + release));
  if (peak < -a) return null;
  if (peak <= shape.a) return put(from, [-onset, (a + peak) / onset, 0, release, peak / release]);
  const hold_s =
    (rise - (shape.a * shape.a) / 2 / onset - (shape.a * shape.a) / 2 / release) / shape.a;
  return put(from, [
    -onset,
    (a + shape.a) / onset,
    Math.max(0, hold_s),
    release,
    shape.a / release,
  ]);
}

/** The motion brakes harder than wanted: it is eased to the wanted deceleration first. */
function eased(v: number, a: number, shape: BrakeShape): Brake | null {
  const { onset, release } = shape;
  const left = v - (a * a - shape.a * shape.a) / (2 * onset);
  const hold_s = (left - (shape.a * shape.a) / (2 * release)) / shape.a;
  if (!(hold_s >= 0)) return null;
  return put({ v, a }, [onset, (0 - shape.a - a) / onset, hold_s, release, shape.a / release]);
}

function put(
  from: { readonly v: number; readonly a: number },
  [onset_jerk, onset_s, hold_s, release_jerk, release_s]: [number, number, number, number, number],
): Brake {
  const { v, a } = from;
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
export function phasesOfBrake(stop: Brake): {
  readonly durations_s: readonly number[];
  readonly jerks: readonly number[];
} {
  return {
    durations_s: [stop.onset_s, stop.hold_s, stop.release_s],
    jerks: [stop.onset_jerk, 0, stop.release_jerk],
  };
}
