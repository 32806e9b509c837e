/**
 * Inverse kinematics with one unknown left: for a flange pose, q6 = phi fixes the wrist centre,
 * two circles fix elbow and forearm, and what remains is one closing condition f(phi) = 0: axis 5
 * stands across the forearm. This file evaluates f, its exact derivative and, at a root, the six
 * joints. Apart from the search, which only needs values and slopes (spec §4.7).
 *
 * Numbers go in and out through typed arrays: a number that crosses a call is boxed.
 */
import { atan2At, circle, sincosAt, wrapAngle } from '../math/portable.ts';
import {
  ELBOW_M,
  FOREARM_M,
  FOREARM_OFFSET_M,
  HAND_M,
  SHOULDER_HEIGHT_M,
  SHOULDER_M,
  UPPER_ARM_M,
  WRIST_M,
} from './arm-plane.ts';

/** The target: flange axes x, y, z and `b`, the circle of the wrist centre's middle (m). */
export const target = new Float64Array(12);
/** Where `b` starts in `target`. */
export const MIDDLE = 9;

/** One evaluation: phi goes in, the rest comes out, for both bends of the elbow. */
export const condition = new Float64Array(21);
export const PHI = 0;
/** f with elbow bend 1. */
export const VALUE = 1;
/** df/dphi with elbow bend 1. */
export const SLOPE = 2;
/** From a number of bend 1 to the same of bend -1. */
export const OTHER_BEND = 2;
/** Square of the elbow root before it is held at zero: negative out of reach. */
export const ELBOW_SQUARE = 5;
/** Squared distance from axis 2 to the wrist centre (m²). */
export const DISTANCE_SQUARE = 6;
const UX = 7;
const UY = 8;
const AXIS_X = 9;
const AXIS_Y = 10;
const AXIS_Z = 11;
const X5_X = 12;
const X5_Y = 13;
const X5_Z = 14;
const WRIST_X = 15;
const WRIST_Y = 16;
const WRIST_Z = 17;
const RADIUS = 18;
/** Elbow in units of the way to the wrist centre: along it and, for bend 1, across it. */
const ALONG = 19;
const ACROSS = 20;

const ELBOW_SQUARED = ELBOW_M * ELBOW_M;
const FOREARM_SHARE = FOREARM_M / ELBOW_SQUARED;
const FOREARM_OFFSET_SHARE = FOREARM_OFFSET_M / ELBOW_SQUARED;
const UPPER_ARM_SQUARED = UPPER_ARM_M * UPPER_ARM_M;
/** Keeps divisions finite where the wrist centre stands on axis 1 or the elbow is stretched. */
const TINY = 1e-150;

/** Sets the flange pose (12 numbers) that the following evaluations belong to. */
export function setTarget(flange: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    target[i] = flange[3 * i]!;
    target[3 + i] = flange[3 * i + 1]!;
    target[6 + i] = flange[3 * i + 2]!;
    target[MIDDLE + i] = flange[9 + i]! - HAND_M * flange[3 * i + 2]!;
  }
  target[MIDDLE + 2] = target[MIDDLE + 2]! - SHOULDER_HEIGHT_M;
}

/**
 * Evaluates the condition at `condition[PHI]` for both bends of the elbow: `side` 1 reaches
 * forward, -1 back over the shoulder. Out of reach the elbow root is taken as zero.
 */
export function evaluateCondition(side: number): void {
  placeWrist(side);
  const inverse = 1 / condition[RADIUS]!;
  condition[UX] = condition[WRIST_X]! * inverse;
  condition[UY] = condition[WRIST_Y]! * inverse;
  bendElbow();
}

/** Wrist centre and the direction of axis 5 at `condition[PHI]`. */
function placeWrist(side: number): void {
  sincosAt(condition, PHI);
  const s = circle[0]!;
  const c = circle[1]!;
  const x5x = c * target[0]! - s * target[3]!;
  const x5y = c * target[1]! - s * target[4]!;
  const x5z = c * target[2]! - s * target[5]!;
  const wx = target[9]! + WRIST_M * x5x;
  const wy = target[10]! + WRIST_M * x5y;
  condition[X5_X] = x5x;
  condition[X5_Y] = x5y;
  condition[X5_Z] = x5z;
  condition[WRIST_X] = wx;
  condition[WRIST_Y] = wy;
  condition[WRIST_Z] = target[11]! + WRIST_M * x5z;
  condition[RADIUS] = side * Math.max(Math.sqrt(wx * wx + wy * wy), TINY);
  condition[AXIS_X] = 0 - s * target[0]! - c * target[3]!;
  condition[AXIS_Y] = 0 - s * target[1]! - c * target[4]!;
  condition[AXIS_Z] = 0 - s * target[2]! - c * target[5]!;
}

/**
 * Elbow, values and slopes of both bends, for the wrist placed and the azimuth (UX, UY) of the
 * arm. The bends share all but the sign of the elbow's distance from the way to the wrist centre.
 */
function bendElbow(): void {
  const ux = condition[UX]!;
  const uy = condition[UY]!;
  const hx = condition[AXIS_X]!;
  const hy = condition[AXIS_Y]!;
  const hz = condition[AXIS_Z]!;
  const x5z = condition[X5_Z]!;
  const r = condition[RADIUS]!;
  const x = r - SHOULDER_M;
  const z = condition[WRIST_Z]!;
  const square = x * x + z * z;
  const inverse = 1 / square;
  const along = 0.5 * (square + UPPER_ARM_SQUARED - ELBOW_SQUARED) * inverse;
  const root = UPPER_ARM_SQUARED * inverse - along * along;
  const across = Math.sqrt(Math.max(root, 0));
  condition[ELBOW_SQUARE] = root;
  condition[DISTANCE_SQUARE] = square;
  condition[ALONG] = along;
  condition[ACROSS] = across;
  const hs = hx * ux + hy * uy;
  const ht = hy * ux - hx * uy;
  const up = FOREARM_SHARE * z - FOREARM_OFFSET_SHARE * x;
  const out = FOREARM_SHARE * x + FOREARM_OFFSET_SHARE * z;
  const rest = 1 - along;
  const turned = condition[X5_X]! * ux + condition[X5_Y]! * uy - (WRIST_M * ht * ht) / r;
  const lean = (along * (hs * x + hz * z)) / (across + TINY);
  const cross = hz * x - hs * z;
  const rate = WRIST_M * inverse;
  const c = rest * up - across * out;
  const s = 0 - rest * out - across * up;
  condition[VALUE] = hz * c - hs * s;
  condition[SLOPE] = s * turned - c * x5z - rate * (cross + lean) * (hs * c + hz * s);
  const d = rest * up + across * out;
  const t = across * up - rest * out;
  condition[VALUE + OTHER_BEND] = hz * d - hs * t;
  condition[SLOPE + OTHER_BEND] = t * turned - d * x5z - rate * (cross - lean) * (hs * d + hz * t);
}

/** Elbow x and z, cosine and sine of the forearm, as `bend` writes them. */
const bent = new Float64Array(4);

/** Elbow and forearm of the last evaluation in the arm's plane, bend 1 or -1. */
function bend(elbow: number): void {
  const x = condition[RADIUS]! - SHOULDER_M;
  const z = condition[WRIST_Z]!;
  const along = condition[ALONG]!;
  const across = elbow * condition[ACROSS]!;
  const ex = along * x - across * z;
  const ez = along * z + across * x;
  bent[0] = ex;
  bent[1] = ez;
  bent[2] = FOREARM_SHARE * (z - ez) - FOREARM_OFFSET_SHARE * (x - ex);
  bent[3] = FOREARM_SHARE * (ex - x) - FOREARM_OFFSET_SHARE * (z - ez);
}

/** Sine and cosine, up to a common factor, of an angle to be written. */
const pair = new Float64Array(2);

/** Writes the six joints of the last evaluation, bend 1 or -1, into `q` (rad, in [-pi, pi]). */
export function jointsOfCondition(elbow: number, q: Float64Array): void {
  bend(elbow);
  const ux = condition[UX]!;
  const uy = condition[UY]!;
  const hx = condition[AXIS_X]!;
  const hy = condition[AXIS_Y]!;
  const c23 = bent[2]!;
  const s23 = bent[3]!;
  const s4 = c23 * (hx * ux + hy * uy) + s23 * condition[AXIS_Z]!;
  const c4 = hx * uy - hy * ux;
  const zu = target[6]! * ux + target[7]! * uy;
  const zn = target[7]! * ux - target[6]! * uy;
  const zx = c23 * zu + s23 * target[8]!;
  pair[0] = uy;
  pair[1] = ux;
  atan2At(pair, q, 0);
  pair[0] = 0 - bent[0]!;
  pair[1] = bent[1]!;
  atan2At(pair, q, 1);
  pair[0] = s23;
  pair[1] = c23;
  atan2At(pair, q, 2);
  q[2] = wrapAngle(q[2]! - q[1]!);
  pair[0] = s4;
  pair[1] = c4;
  atan2At(pair, q, 3);
  pair[0] = 0 - c4 * zx - s4 * zn;
  pair[1] = c23 * target[8]! - s23 * zu;
  atan2At(pair, q, 4);
  q[5] = wrapAngle(condition[PHI]!);
}

/** What a wrist centre on axis 1 leaves open. */
export type AxisAzimuth = 'none' | 'pair' | 'free';

/** cosine and sine of the first azimuth, then of the second. */
export const azimuths = new Float64Array(4);

/**
 * For a wrist centre on axis 1 at `condition[PHI]`: the azimuths of the arm that close the wrist,
 * into `azimuths`. `free`: every azimuth does.
 */
export function azimuthsOnAxis(elbow: number): AxisAzimuth {
  placeWrist(1);
  condition[UX] = 1;
  condition[UY] = 0;
  bendElbow();
  if (condition[ELBOW_SQUARE]! < -1e-9) return 'none';
  const hx = condition[AXIS_X]!;
  const hy = condition[AXIS_Y]!;
  const size = Math.sqrt(hx * hx + hy * hy);
  bend(elbow);
  const numerator = condition[AXIS_Z]! * bent[2]!;
  const denominator = size * bent[3]!;
  if (Math.abs(denominator) < 1e-9) return Math.abs(numerator) < 1e-9 ? 'free' : 'none';
  const cosine = numerator / denominator;
  if (!(Math.abs(cosine) <= 1)) return 'none';
  const sine = Math.sqrt((1 - cosine) * (1 + cosine));
  const cx = hx / size;
  const cy = hy / size;
  azimuths[0] = cx * cosine - cy * sine;
  azimuths[1] = cy * cosine + cx * sine;
  azimuths[2] = cx * cosine + cy * sine;
  azimuths[3] = cy * cosine - cx * sine;
  return 'pair';
}

/** Evaluates at `condition[PHI]` with the azimuth number `which` of `azimuths`. */
export function evaluateOnAxis(which: number): void {
  placeWrist(1);
  condition[UX] = azimuths[2 * which]!;
  condition[UY] = azimuths[2 * which + 1]!;
  bendElbow();
}
