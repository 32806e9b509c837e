/**
 * Time profile s(t) of a path: piecewise cubic, plain data like the path. Double-S profiles,
 * filtered TOPP-RA profiles, stops and resumes share this form, so trajectory player, trajectory
 * reply and viewer sample every motion alike.
 */

/** s(t) = c0 + c1 u + c2 u^2 + c3 u^3 with u = t - knots_s[i] on piece i; four numbers a piece. */
export interface TimeProfile {
  readonly duration_s: number;
  /** Start times of the pieces and, last, the duration (s). */
  readonly knots_s: Float64Array;
  readonly coefficients: Float64Array;
}

/** Allocates a zeroed profile with that many pieces. */
export function createProfile(duration_s: number, pieces: number): TimeProfile {
  // Both in one buffer, which is what an array costs.
  const knots_s = new Float64Array(
    new ArrayBuffer((5 * pieces + 1) * Float64Array.BYTES_PER_ELEMENT),
    0,
    pieces + 1,
  );
  const coefficients = new Float64Array(knots_s.buffer, knots_s.byteLength, 4 * pieces);
  return { duration_s, knots_s, coefficients };
}

/** s and its first three derivatives with respect to time at one moment. */
export interface ProfilePoint {
  s: number;
  v: number;
  a: number;
  j: number;
}

export function createProfilePoint(): ProfilePoint {
  return { s: 0, v: 0, a: 0, j: 0 };
}

/** Writes s(t) and its derivatives to `out`; at rest before the start and after the end. */
export function sampleProfile(profile: TimeProfile, t_s: number, out: ProfilePoint): void {
  time[0] = t_s;
  sampleProfileAt(profile, time, out);
}

const time = new Float64Array(1);

/**
 * As `sampleProfile`, with the time in `at[0]` (s): V8 puts a number that is passed to a call on
 * the heap unless it inlines the call, and the control loop must not allocate.
 */
export function sampleProfileAt(profile: TimeProfile, at: Float64Array, out: ProfilePoint): void {
  const t_s = at[0]!;
  const { knots_s, duration_s } = profile;
  const pieces = knots_s.length - 1;
  const over = t_s >= duration_s || pieces < 1;
  let low = over ? pieces - 1 : 0;
  let high = over || t_s <= 0 ? low : pieces - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (knots_s[middle]! <= t_s) low = middle;
    else high = middle - 1;
  }
  const u = (over ? duration_s : t_s < 0 ? 0 : t_s) - knots_s[low]!;
  const c = profile.coefficients;
  const first = 4 * low;
  out.s = c[first]! + u * (c[first + 1]! + u * (c[first + 2]! + u * c[first + 3]!));
  out.v = c[first + 1]! + u * (2 * c[first + 2]! + u * 3 * c[first + 3]!);
  out.a = 2 * c[first + 2]! + u * 6 * c[first + 3]!;
  out.j = 6 * c[first + 3]!;
  if (over || t_s < 0) rest(out);
}

function rest(out: ProfilePoint): void {
  out.v = 0;
  out.a = 0;
  out.j = 0;
}

/** Dilates a profile: `factor` times slower (factor > 1) or faster; rates scale exactly. */
export function dilateProfile(profile: TimeProfile, factor: number): TimeProfile {
  const c = profile.coefficients;
  const dilated = createProfile(profile.duration_s * factor, c.length / 4);
  const { knots_s, coefficients } = dilated;
  const first = 1 / factor;
  const second = first / factor;
  const third = second / factor;
  for (let i = 0; i < c.length; i += 4) {
    coefficients[i] = c[i]!;
    coefficients[i + 1] = c[i + 1]! * first;
    coefficients[i + 2] = c[i + 2]! * second;
    coefficients[i + 3] = c[i + 3]! * third;
  }
  for (let i = 0; i < knots_s.length; i++) knots_s[i] = profile.knots_s[i]! * factor;
  return dilated;
}

/** The time at which a profile reaches `s` (s), by bisection; profiles never run backwards. */
export function timeAtPosition(profile: TimeProfile, s: number): number {
  const point = createProfilePoint();
  let low = 0;
  let high = profile.duration_s;
  for (let halvings = 0; halvings < 60; halvings++) {
    const middle = (low + high) / 2;
    sampleProfile(profile, middle, point);
    if (point.s < s) low = middle;
    else high = middle;
  }
  return high;
}

/** Writes s and its derivatives at `u` seconds into piece `i` of the profile to `out`. */
export function evaluateInPiece(
  profile: TimeProfile,
  i: number,
  u: number,
  out: ProfilePoint,
): void {
  const c = profile.coefficients;
  const at = 4 * i;
  out.s = c[at]! + u * (c[at + 1]! + u * (c[at + 2]! + u * c[at + 3]!));
  out.v = c[at + 1]! + u * (2 * c[at + 2]! + u * 3 * c[at + 3]!);
  out.a = 2 * c[at + 2]! + u * 6 * c[at + 3]!;
  out.j = 6 * c[at + 3]!;
}
