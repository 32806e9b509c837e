/**
 * Elementary functions with identical bits on every machine: they use only + - * / and sqrt, which
 * ECMAScript rounds exactly. The control loop and the planner call these instead of Math (D40).
 * Argument reduction after Cody and Waite; polynomials of fdlibm.
 */
import type { Numbers } from './vector.ts';

const TWO_OVER_PI = 0.6366197723675814;
const PI_2_HIGH = 1.5707963267341256;
const PI_2_MIDDLE = 6.077100506303966e-11;
const PI_2_LOW = 2.0222662487959506e-21;
/** Adding and subtracting 1.5 * 2^52 rounds to the nearest integer. */
const ROUND = 6755399441055744;

export const PI = Math.PI;
export const TWO_PI = 6.283185307179586;
export const HALF_PI = 1.5707963267948966;

/** Result of `sincos`; read it right after the call. Two numbers without an allocation. */
export const trig = { sin: 0, cos: 0 };

/** Result of `sincosAt`: sine, then cosine. */
export const sinCos = new Float64Array(2);

/**
 * Writes sine and cosine of `angles[i]` (rad, |x| up to 1e5) to `sinCos`; error below 1.2e-16.
 * Arguments and results are arrays and the polynomials are inlined because V8 boxes a number that
 * crosses a call which is not inlined; hot loops would allocate.
 */
export function sincosAt(angles: Numbers, i: number): void {
  const x = angles[i]!;
  const k = x * TWO_OVER_PI + ROUND - ROUND;
  const r = x - k * PI_2_HIGH - k * PI_2_MIDDLE - k * PI_2_LOW;
  const z = r * r;
  const sinTail =
    0.00833333333332249 +
    z *
      (-0.0001984126982985795 +
        z * (2.7557313707070068e-6 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)));
  const s = r + z * r * (-0.16666666666666632 + z * sinTail);
  const cosTail =
    z *
    (0.0416666666666666 +
      z *
        (-0.001388888888887411 +
          z *
            (2.480158728947673e-5 +
              z *
                (-2.7557314351390663e-7 +
                  z * (2.087572321298175e-9 + z * -1.1359647557788195e-11)))));
  const half = 0.5 * z;
  const w = 1 - half;
  const c = w + (1 - w - half + z * cosTail);
  const quarter = k & 3;
  const odd = quarter & 1;
  const a = odd === 0 ? s : c;
  const b = odd === 0 ? c : s;
  sinCos[0] = quarter < 2 ? a : 0 - a;
  sinCos[1] = ((quarter + 1) & 2) === 0 ? b : 0 - b;
}

const argument = new Float64Array(1);

/** Sine and cosine of x (rad, |x| up to 1e5) into `trig`; error below 1.2e-16. */
export function sincos(x: number): void {
  argument[0] = x;
  sincosAt(argument, 0);
  trig.sin = sinCos[0]!;
  trig.cos = sinCos[1]!;
}

/** Sine of x (rad). */
export function sin(x: number): number {
  sincos(x);
  return trig.sin;
}

/** Cosine of x (rad). */
export function cos(x: number): number {
  sincos(x);
  return trig.cos;
}

const ATAN_HALF = 0.4636476090008061;
const ATAN_ONE = 0.7853981633974483;
const ATAN_THREE_HALVES = 0.982793723247329;

/** Argument of `arcTangentInPlace`, replaced by its result. */
const slope = new Float64Array(1);

/** Arc tangent of `slope[0]`, in place; numbers in arrays are never boxed. */
function arcTangentInPlace(): void {
  const x = slope[0]!;
  const a = x < 0 ? -x : x;
  let t = a;
  let base = 0;
  let low = 0;
  if (a >= 2.4375) {
    t = -1 / a;
    base = HALF_PI;
    low = 6.123233995736766e-17;
  } else if (a >= 1.1875) {
    t = (a - 1.5) / (1 + 1.5 * a);
    base = ATAN_THREE_HALVES;
    low = 1.3903311031230998e-17;
  } else if (a >= 0.6875) {
    t = (a - 1) / (a + 1);
    base = ATAN_ONE;
    low = 3.061616997868383e-17;
  } else if (a >= 0.4375) {
    t = (2 * a - 1) / (2 + a);
    base = ATAN_HALF;
    low = 2.2698777452961687e-17;
  }
  const z = t * t;
  const w = z * z;
  const s1 =
    z *
    (0.3333333333333293 +
      w *
        (0.14285714272503466 +
          w *
            (0.09090887133436507 +
              w * (0.06661073137387531 + w * (0.049768779946159324 + w * 0.016285820115365782)))));
  const s2 =
    w *
    (-0.19999999999876483 +
      w *
        (-0.11111110405462356 +
          w * (-0.0769187620504483 + w * (-0.058335701337905735 + w * -0.036531572744216916))));
  const y = base - (t * (s1 + s2) - low - t);
  slope[0] = x < 0 ? -y : y;
}

/** Arc tangent of x, in (-pi/2, pi/2). */
export function atan(x: number): number {
  slope[0] = x;
  arcTangentInPlace();
  return slope[0]!;
}

/** Writes the angle of the point (x, y) = (pair[1], pair[0]) to `out[j]`, equal to `atan2`. */
export function atan2At(pair: Float64Array, out: Float64Array, j: number): void {
  const y = pair[0]!;
  const x = pair[1]!;
  if (x === 0) {
    out[j] = y > 0 ? HALF_PI : y < 0 ? -HALF_PI : 0;
    return;
  }
  slope[0] = y / x;
  arcTangentInPlace();
  const angle = slope[0]!;
  out[j] = x > 0 ? angle : y < 0 ? angle - PI : angle + PI;
}

/** Angle of the point (x, y), in [-pi, pi]; 0 for the origin. */
export function atan2(y: number, x: number): number {
  if (x > 0) return atan(y / x);
  if (x < 0) return y < 0 ? atan(y / x) - PI : atan(y / x) + PI;
  if (y > 0) return HALF_PI;
  return y < 0 ? -HALF_PI : 0;
}

/** Arc cosine of x clamped to [-1, 1], in [0, pi]. */
export function acos(x: number): number {
  const c = x > 1 ? 1 : Math.max(x, -1);
  return atan2(Math.sqrt((1 - c) * (1 + c)), c);
}

/** Angle wrapped into [-pi, pi]. */
export function wrapAngle(x: number): number {
  return x - TWO_PI * (x / TWO_PI + ROUND - ROUND);
}

const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const INVERSE_LN2 = Math.LOG2E;

function powerOfTwo(k: number): number {
  let result = 1;
  let base = k < 0 ? 0.5 : 2;
  for (let n = k < 0 ? -k : k; n > 0; n >>= 1) {
    if (n & 1) result *= base;
    base *= base;
  }
  return result;
}

/** e to the x for |x| up to 700. */
export function exp(x: number): number {
  const k = (x * INVERSE_LN2 + ROUND - ROUND) | 0;
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const t = r * r;
  const c =
    r -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 +
            t * (6.613756321437934e-5 + t * (-1.6533902205465252e-6 + t * 4.1381367970572385e-8))));
  return (1 - (low - (r * c) / (2 - c) - high)) * powerOfTwo(k);
}

/** Cube root of x: scaled into [1/8, 1), then Newton to the last bits. */
export function cbrt(x: number): number {
  let a = x < 0 ? -x : x;
  if (a === 0 || !(a < 1.7e308)) return x;
  let scale = 1;
  while (a >= 1) {
    a *= 0.125;
    scale *= 2;
  }
  while (a < 0.125) {
    a *= 8;
    scale *= 0.5;
  }
  let y = 0.4 + 0.65 * a;
  for (let i = 0; i < 6; i++) y -= (y - a / (y * y)) / 3;
  return x < 0 ? -y * scale : y * scale;
}
