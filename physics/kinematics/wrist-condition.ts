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

/** One evaluation: phi goes in, the rest comes out. */
export const condition = new Float64Array(21);
export const PHI = 0;
export const VALUE = 1;
/** df/dphi. */
export const SLOPE = 2;
/** Square of the elbow root before it is held at zero: negative out of reach. */
export const ELBOW_SQUARE = 3;
const UX = 4;
const UY = 5;
const ELBOW_X = 6;
const ELBOW_Z = 7;
const COS_FOREARM = 8;
const SIN_FOREARM = 9;
const AXIS_X = 10;
const AXIS_Y = 11;
const AXIS_Z = 12;
/** Squared distance from axis 2 to the wrist centre (m²). */
export const DISTANCE_SQUARE = 13;
const X5_X = 14;
const X5_Y = 15;
const X5_Z = 16;
const WRIST_X = 17;
const WRIST_Y = 18;
const WRIST_Z = 19;
const RADIUS = 20;

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
 * Evaluates the condition at `condition[PHI]`: `side` 1 reaches forward, -1 back over the
 * shoulder; `elbow` 1 or -1 chooses its bend. Out of reach the elbow root is taken as zero.
 */
export function evaluateCondition(side: number, elbow: number): void {
  placeWrist(side);
  const inverse = 1 / condition[RADIUS]!;
  condition[UX] = condition[WRIST_X]! * inverse;
  condition[UY] = condition[WRIST_Y]! * inverse;
  bendElbow(elbow);
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

/** Elbow, value and slope, for the wrist placed and the azimuth (UX, UY) of the arm. */
function bendElbow(elbow: number): void {
  const ux = condition[UX]!;
  const uy = condition[UY]!;
  const hx = condition[AXIS_X]!;
  const hy = condition[AXIS_Y]!;
  const hz = condition[AXIS_Z]!;
  const r = condition[RADIUS]!;
  const x = r - SHOULDER_M;
  const z = condition[WRIST_Z]!;
  const square = x * x + z * z;
  const inverse = 1 / square;
  const along = 0.5 * (square + UPPER_ARM_SQUARED - ELBOW_SQUARED) * inverse;
  const root = UPPER_ARM_SQUARED * inverse - along * along;
  const across = elbow * Math.sqrt(Math.max(root, 0));
  const ex = along * x - across * z;
  const ez = along * z + across * x;
  const fx = x - ex;
  const fz = z - ez;
  const c23 = FOREARM_SHARE * fz - FOREARM_OFFSET_SHARE * fx;
  const s23 = 0 - FOREARM_SHARE * fx - FOREARM_OFFSET_SHARE * fz;
  const hs = hx * ux + hy * uy;
  const ht = hy * ux - hx * uy;
  const turn = (WRIST_M * (hs * ex + hz * ez)) / (across * square + elbow * TINY);
  condition[VALUE] = hz * c23 - hs * s23;
  condition[SLOPE] =
    s23 * (condition[X5_X]! * ux + condition[X5_Y]! * uy - (WRIST_M * ht * ht) / r) -
    c23 * condition[X5_Z]! -
    turn * (hs * c23 + hz * s23);
  condition[ELBOW_SQUARE] = root;
  condition[ELBOW_X] = ex;
  condition[ELBOW_Z] = ez;
  condition[COS_FOREARM] = c23;
  condition[SIN_FOREARM] = s23;
  condition[DISTANCE_SQUARE] = square;
}

/** Sine and cosine, up to a common factor, of an angle to be written. */
const pair = new Float64Array(2);

/** Writes the six joints of the last evaluation into `q` (rad, each in [-pi, pi]). */
export function jointsOfCondition(q: Float64Array): void {
  const ux = condition[UX]!;
  const uy = condition[UY]!;
  const c23 = condition[COS_FOREARM]!;
  const s23 = condition[SIN_FOREARM]!;
  const hx = condition[AXIS_X]!;
  const hy = condition[AXIS_Y]!;
  const s4 = c23 * (hx * ux + hy * uy) + s23 * condition[AXIS_Z]!;
  const c4 = hx * uy - hy * ux;
  const zu = target[6]! * ux + target[7]! * uy;
  const zn = target[7]! * ux - target[6]! * uy;
  const zx = c23 * zu + s23 * target[8]!;
  pair[0] = uy;
  pair[1] = ux;
  atan2At(pair, q, 0);
  pair[0] = 0 - condition[ELBOW_X]!;
  pair[1] = condition[ELBOW_Z]!;
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
  bendElbow(elbow);
  if (condition[ELBOW_SQUARE]! < -1e-9) return 'none';
  const hx = condition[AXIS_X]!;
  const hy = condition[AXIS_Y]!;
  const size = Math.sqrt(hx * hx + hy * hy);
  const numerator = condition[AXIS_Z]! * condition[COS_FOREARM]!;
  const denominator = size * condition[SIN_FOREARM]!;
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
export function evaluateOnAxis(elbow: number, which: number): void {
  placeWrist(1);
  condition[UX] = azimuths[2 * which]!;
  condition[UY] = azimuths[2 * which + 1]!;
  bendElbow(elbow);
}
