/**
 * Angular velocity and acceleration of a frame from the rates of its rotation vector (axis times
 * angle, rad).
 */
import { sincos, trig } from './portable.ts';

/** Below this squared angle (rad²) the closed forms lose digits to cancellation. */
const SERIES_BELOW = 0.01;

/** a = sin θ / θ, b = (1 - cos θ) / θ², c = (θ - sin θ) / θ³ and their derivatives by θ². */
const coefficients = { a: 0, b: 0, c: 0, da: 0, db: 0, dc: 0 };

function fillCoefficients(w: number): void {
  if (w < SERIES_BELOW) {
    coefficients.a = 1 - w * (1 / 6 - w * (1 / 120 - w / 5040));
    coefficients.b = 1 / 2 - w * (1 / 24 - w * (1 / 720 - w / 40320));
    coefficients.c = 1 / 6 - w * (1 / 120 - w * (1 / 5040 - w / 362880));
    coefficients.da = -1 / 6 + w * (1 / 60 - w * (1 / 1680 - w / 90720));
    coefficients.db = -1 / 24 + w * (1 / 360 - w * (1 / 13440 - w / 907200));
    coefficients.dc = -1 / 120 + w * (1 / 2520 - w * (1 / 120960 - w / 9979200));
    return;
  }
  const angle = Math.sqrt(w);
  sincos(angle);
  coefficients.a = trig.sin / angle;
  coefficients.b = (1 - trig.cos) / w;
  coefficients.c = (1 - coefficients.a) / w;
  coefficients.da = (trig.cos - coefficients.a) / (2 * w);
  coefficients.db = (coefficients.a - 2 * coefficients.b) / (2 * w);
  coefficients.dc = (coefficients.b - 3 * coefficients.c) / (2 * w);
}

/** Three components from `at` on of a rotation vector and of its first two derivatives. */
export interface VectorRates {
  readonly value: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/**
 * Writes angular velocity (to `out[3..5]` of `velocity`) and angular acceleration (likewise) of
 * exp(r), outer axes, for r at index `at` of the rates. ω = a r' + b r × r' + c (r·r') r. No
 * allocation.
 */
export function rotationRates(
  rates: VectorRates,
  at: number,
  velocity: Float64Array,
  acceleration: Float64Array,
): void {
  const { value: r, first: d, second: e } = rates;
  const w = dot(r, r, at);
  const rd = dot(r, d, at);
  fillCoefficients(w);
  const { a, b, c } = coefficients;
  const da = 2 * rd * coefficients.da;
  const db = 2 * rd * coefficients.db;
  const dc = 2 * rd * coefficients.dc;
  const along = dc * rd + c * (dot(d, d, at) + dot(r, e, at));
  for (let k = 0; k < 3; k++) {
    const i = at + k;
    const m = at + ((k + 1) % 3);
    const n = at + ((k + 2) % 3);
    const rxd = r[m]! * d[n]! - r[n]! * d[m]!;
    const rxe = r[m]! * e[n]! - r[n]! * e[m]!;
    velocity[3 + k] = a * d[i]! + b * rxd + c * rd * r[i]!;
    acceleration[3 + k] =
      da * d[i]! + a * e[i]! + db * rxd + b * rxe + along * r[i]! + c * rd * d[i]!;
  }
}

function dot(x: Float64Array, y: Float64Array, at: number): number {
  return x[at]! * y[at]! + x[at + 1]! * y[at + 1]! + x[at + 2]! * y[at + 2]!;
}
