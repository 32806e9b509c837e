/**
 * The laws by which planners of arms time straight joint motions, as profiles of the position s on
 * the line: what a profile of a real arm names beside the double-S. Each law is a sequence of
 * phases of constant jerk.
 */

import { PI, sincos, trig } from '../math/portable.ts';
import { doubleS, type ScalarLimits } from './double-s.ts';
import { profileOfPhases } from './jerk-phases.ts';
import type { TimingLaw } from './motion-timing.ts';
import type { TimeProfile } from './time-profile.ts';

/** A law with its own values. */
export interface StraightLaw {
  readonly law: TimingLaw;
  readonly ramp_s: number;
  readonly braking_share: number;
}

/** The motion from rest at `from_s` to rest at 1 by an arm's law, within the limits of s. */
export function profileOfLaw(by: StraightLaw, from_s: number, limits: ScalarLimits): TimeProfile {
  const { law } = by;
  switch (law) {
    case 'double_s':
      return doubleS(from_s, 1, limits);
    case 'filtered':
      return filteredTrapezoid(by, from_s, limits);
    case 'cycloidal':
    case 'half_sine':
      return smoothRamps(RAMPS[law], from_s, limits);
    case 'quintic':
    case 'septic':
      return polynomial(POLYNOMIALS[law], from_s, limits);
  }
}

/** Phases of constant jerk that a polynomial is made of. */
const POLYNOMIAL_PIECES = 64;

/** A polynomial from 0 to 1 in unit time: its acceleration, and the peaks of its rates. */
interface RestPolynomial {
  readonly acceleration: (t: number) => number;
  readonly v: number;
  readonly a: number;
}

/** The polynomials that rest at both ends with so many derivatives. */
const POLYNOMIALS = {
  quintic: {
    acceleration: (t: number) => t * (60 + t * (-180 + t * 120)),
    v: 1.875,
    a: 5.773502691896258,
  },
  septic: {
    acceleration: (t: number) => t * t * (420 + t * (-1680 + t * (2100 - t * 840))),
    v: 2.1875,
    a: 7.513188404399293,
  },
} as const satisfies Record<string, RestPolynomial>;

/** Knots of the acceleration of a polynomial at its pieces, which makes up for their corners. */
function knotsOf({ acceleration }: RestPolynomial): readonly number[] {
  const knots = Array.from({ length: POLYNOMIAL_PIECES + 1 }, (_, i) =>
    acceleration(i / POLYNOMIAL_PIECES),
  );
  const d = 1 / POLYNOMIAL_PIECES;
  let [s, v] = [0, 0];
  for (let i = 0; i < POLYNOMIAL_PIECES; i++) {
    const [from, to] = [knots[i]!, knots[i + 1]!];
    s += d * (v + (d * (2 * from + to)) / 6);
    v += (d * (from + to)) / 2;
  }
  return knots.map((knot) => knot / s);
}

/** The motion by a polynomial; its acceleration is exact at the ends of the phases. */
function polynomial(law: RestPolynomial, from_s: number, { v, a }: ScalarLimits): TimeProfile {
  const distance = 1 - from_s;
  const duration_s = Math.max((law.v * distance) / v, Math.sqrt((law.a * distance) / a));
  const piece_s = duration_s / POLYNOMIAL_PIECES;
  const scale = distance / (duration_s * duration_s * piece_s);
  const knots = knotsOf(law);
  const jerks = knots.slice(1).map((knot, i) => scale * (knot - knots[i]!));
  const durations_s = jerks.map(() => piece_s);
  return profileOfPhases({ s: from_s, v: 0, a: 0 }, durations_s, jerks, 1);
}

/** Phases of constant jerk of a ramp. */
const RAMP_PIECES = 32;

/** Share of the largest acceleration, over a ramp of unit time. */
const RAMPS = {
  cycloidal: (t: number): number => {
    sincos(2 * PI * t);
    return 0.5 * (1 - trig.cos);
  },
  half_sine: (t: number): number => {
    sincos(PI * t);
    return trig.sin;
  },
} as const;

/** Ramps of speed whose acceleration rises to `a` in their middle and falls again. */
function smoothRamps(
  ramp: (t: number) => number,
  from_s: number,
  { v, a }: ScalarLimits,
): TimeProfile {
  const distance = 1 - from_s;
  const knots = Array.from({ length: RAMP_PIECES + 1 }, (_, i) => a * ramp(i / RAMP_PIECES));
  // Both ends of a ramp have no acceleration.
  const mean = knots.reduce((sum, knot) => sum + knot, 0) / RAMP_PIECES;
  const peak = Math.min(v, Math.sqrt(distance * mean));
  const piece_s = peak / mean / RAMP_PIECES;
  const cruise_s = Math.max(0, distance / peak - peak / mean);
  const rise = knots.slice(1).map((knot, i) => (knot - knots[i]!) / piece_s);
  const pieces = rise.map(() => piece_s);
  return profileOfPhases(
    { s: from_s, v: 0, a: 0 },
    [...pieces, cruise_s, ...pieces],
    [...rise, 0, ...rise.map((jerk) => -jerk)],
    1,
  );
}

/**
 * A trapezoid of speed, which may brake otherwise than it speeds up, averaged over the last
 * `ramp_s`: each of its four steps of acceleration becomes a ramp.
 */
function filteredTrapezoid(
  { ramp_s, braking_share }: StraightLaw,
  from_s: number,
  { v, a }: ScalarLimits,
): TimeProfile {
  const distance = 1 - from_s;
  const brake = a * braking_share;
  const peak = Math.min(v, Math.sqrt((2 * distance) / (1 / a + 1 / brake)));
  const rise_s = peak / a;
  const fall_s = rise_s + Math.max(0, distance / peak - (peak / a + peak / brake) / 2);
  const changes = [
    [0, a],
    [rise_s, -a],
    [fall_s, -brake],
    [fall_s + peak / brake, brake],
  ] as const;
  const steps = changes.flatMap(([at_s, change]) => [
    { at_s, change: change / ramp_s },
    { at_s: at_s + ramp_s, change: -change / ramp_s },
  ]);
  steps.sort((one, other) => one.at_s - other.at_s);
  const jerks: number[] = [];
  for (const { change } of steps) jerks.push((jerks.at(-1) ?? 0) + change);
  const durations_s = steps.map(({ at_s }, i) => (steps[i + 1]?.at_s ?? at_s) - at_s);
  return profileOfPhases({ s: from_s, v: 0, a: 0 }, durations_s, jerks, 1);
}
