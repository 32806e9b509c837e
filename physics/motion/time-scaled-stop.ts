/**
 * Time-scaled stop for curved paths: plays the planned motion slower and slower until it rests.
 * Near a singularity the joints' jerk is small only because planned speed and acceleration match;
 * braking s by itself breaks that, scaling time keeps it. Takes longer than a brake and is tried
 * where no brake fits. §3: pause, protective stop.
 */
import { type BrakePhases, brake, phasesOfBrake } from './brake.ts';
import { profileOfPhases } from './jerk-phases.ts';
import { intervalOf } from './joint-path.ts';
import { checkJointRates, type JointRateCheck } from './rate-check.ts';
import {
  createProfile,
  createProfilePoint,
  evaluateInPiece,
  sampleProfile,
  type TimeProfile,
} from './time-profile.ts';

/** A motion in progress: its profile and the elapsed time (s). */
export interface MotionInProgress {
  readonly profile: TimeProfile;
  readonly elapsed_s: number;
}

/** Trial values of the maximum loss of pace (1/s) and of its onset (1/s²). */
const LOSSES = [13, 9, 6, 4, 2.8, 2, 1.4, 1, 0.7];
const ONSETS = [300, 100, 30];
/** Length of the profile's pieces, each of constant jerk (s). */
const PIECE_S = 2e-3;
/** Rounding tolerance of a motion planned exactly to its limits. */
const WITHIN = 1 + 1e-9;

/** Ramps of the pace from 1 to 0, the shortest first. */
const SPEED_RAMPS: readonly BrakePhases[] = LOSSES.flatMap((a) =>
  ONSETS.flatMap((onset) => brake({ v: 1, a: 0 }, { onset, release: onset, a }) ?? []),
).sort((one, other) => one.duration_s - other.duration_s);

/**
 * The motion slowed down to rest within the limits of `check`, or null when no trial ramp keeps
 * them or the motion ends as soon by itself. Speeds never exceed the planned ones.
 */
export function planTimeScaledStop(
  check: JointRateCheck,
  motion: MotionInProgress,
): TimeProfile | null {
  const left_s = motion.profile.duration_s - motion.elapsed_s;
  for (const ramp of SPEED_RAMPS) {
    if (ramp.duration_s >= left_s) return null;
    const profile = scaleTime(motion, ramp);
    if (keepsLimits(check, profile)) return profile;
  }
  return null;
}

/** The remaining plan: the stop of a motion that nothing ends sooner. */
export function remainingProfile({ profile, elapsed_s }: MotionInProgress): TimeProfile {
  const { knots_s, coefficients } = profile;
  const first = intervalOf(knots_s, elapsed_s);
  const knots = knots_s.slice(first).map((time_s) => Math.max(0, time_s - elapsed_s));
  const pieces = coefficients.slice(4 * first);
  const start = createProfilePoint();
  sampleProfile(profile, elapsed_s, start);
  pieces.set([start.s, start.v, start.a / 2, start.j / 6]);
  return { duration_s: knots[knots.length - 1]!, knots_s: knots, coefficients: pieces };
}

/** s(t) of the plan at scaled time, its acceleration linear between samples. */
function scaleTime(motion: MotionInProgress, ramp: BrakePhases): TimeProfile {
  const { durations_s, jerks } = phasesOfBrake(ramp);
  const time = profileOfPhases({ s: motion.elapsed_s, v: 1, a: 0 }, durations_s, jerks);
  const pieces = Math.ceil(ramp.duration_s / PIECE_S);
  const step_s = ramp.duration_s / pieces;
  const a = new Float64Array(pieces + 1);
  const pace = createProfilePoint();
  const start = createProfilePoint();
  const point = createProfilePoint();
  sampleProfile(motion.profile, motion.elapsed_s, start);
  let v = start.v;
  for (let i = 0; i < pieces; i++) {
    sampleProfile(time, i * step_s, pace);
    sampleProfile(motion.profile, pace.s, point);
    a[i] = point.a * pace.v * pace.v + point.v * pace.a;
    v += step_s * (i === 0 ? a[i]! / 2 : a[i]!);
  }
  distribute(a, -v / step_s);
  return integrate(start, a, step_s);
}

/**
 * Distributes `sum` over the samples between the ends, most in the middle, so that the speed ends
 * at zero.
 */
function distribute(a: Float64Array, sum: number): void {
  const last = a.length - 1;
  const scale = (6 * sum) / (last * (last * last - 1));
  for (let i = 1; i < last; i++) a[i] = a[i]! + scale * i * (last - i);
}

function integrate(
  start: { readonly s: number; readonly v: number },
  a: Float64Array,
  step_s: number,
): TimeProfile {
  const pieces = a.length - 1;
  const profile = createProfile(pieces * step_s, pieces + 1);
  const { knots_s, coefficients } = profile;
  let { s, v } = start;
  for (let i = 0; i < pieces; i++) {
    const rise = a[i + 1]! - a[i]!;
    coefficients.set([s, v, a[i]! / 2, rise / (6 * step_s)], 4 * i);
    s += step_s * (v + step_s * (a[i]! / 2 + rise / 6));
    v += step_s * (a[i]! + rise / 2);
    knots_s[i + 1] = (i + 1) * step_s;
  }
  coefficients[4 * pieces] = s;
  knots_s[pieces + 1] = knots_s[pieces]!;
  return profile;
}

/** True when the profile keeps the limits at both ends of each piece, and never runs backwards. */
function keepsLimits(check: JointRateCheck, profile: TimeProfile): boolean {
  const { point, ratios } = check;
  for (let i = 0; i < profile.knots_s.length - 2; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    for (const u of [0, width]) {
      evaluateInPiece(profile, i, u, point);
      if (!(point.v >= -BACKWARDS) || !(point.s <= 1)) return false;
      checkJointRates(check, point);
      if (!(Math.max(ratios.velocity, ratios.acceleration, ratios.jerk) <= WITHIN)) return false;
    }
  }
  return true;
}

/** Speed that is rounding (1/s). */
const BACKWARDS = 1e-9;
