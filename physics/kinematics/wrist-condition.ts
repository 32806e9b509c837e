/**
 * Inverse kinematics reduced to one unknown: for a flange pose, q6 = phi fixes the wrist centre,
 * two circles fix elbow and forearm, and the closing condition f(phi) = 0 remains: axis 5 is
 * perpendicular to the forearm. This file evaluates f, its exact derivative and, at a root, the six
 * joints (§4.7).
 *
 * Numbers go in and out through typed arrays because V8 boxes a number that crosses a call.
 */
import {
  ELBOW_TO_WRIST_M,
  FOREARM_M,
  FOREARM_OFFSET_M,
  SHOULDER_HEIGHT_M,
  SHOULDER_OFFSET_M,
  UPPER_ARM_M,
  WRIST_OFFSET_M,
  WRIST_TO_FLANGE_M,
} from '../arm/arm-model.ts';
import { atan2At, sinCos, sincosAt, wrapAngle } from '../math/portable.ts';
import { toJointAngles } from './chain-angles.ts';

/** The target: flange axes x, y, z and `b`, the centre of the wrist-centre circle (m). */
export const wristTarget = new Float64Array(12);
/** Offset of `b` in `wristTarget`. */
export const MIDDLE = 9;

/** One evaluation: phi in, all else out, for both bends of the elbow. */
export const closingCondition = new Float64Array(21);
export const PHI = 0;
/** f with elbow bend 1. */
export const VALUE = 1;
/** df/dphi with elbow bend 1. */
export const SLOPE = 2;
/** Offset from a value of bend 1 to that of bend -1. */
export const OTHER_BEND = 2;
/** Square of the elbow root before clamping to zero: negative out of reach. */
export const ELBOW_SQUARE = 5;
/** Squared distance from axis 2 to the wrist centre (m²). */
export const DISTANCE_SQUARE = 6;
/** Cosine and sine of the arm's azimuth. */
export const UX = 7;
export const UY = 8;
const AXIS_X = 9;
const AXIS_Y = 10;
const AXIS_Z = 11;
const X5_X = 12;
const X5_Y = 13;
const X5_Z = 14;
const WRIST_X = 15;
const WRIST_Y = 16;
const WRIST_Z = 17;
/** Signed distance of the wrist centre from axis 1 (m). */
export const RADIUS = 18;
/** Elbow in units of the vector to the wrist centre: along it and, for bend 1, across it. */
const ALONG = 19;
const ACROSS = 20;

const ELBOW_SQUARED = ELBOW_TO_WRIST_M * ELBOW_TO_WRIST_M;
const FOREARM_SHARE = FOREARM_M / ELBOW_SQUARED;
const FOREARM_OFFSET_SHARE = FOREARM_OFFSET_M / ELBOW_SQUARED;
const UPPER_ARM_SQUARED = UPPER_ARM_M * UPPER_ARM_M;
/** Keeps divisions finite where the wrist centre is on axis 1 or the elbow is stretched. */
const TINY = 1e-150;

/** Sets the flange pose (12 numbers) of the following evaluations. */
export function setTarget(flange: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    wristTarget[i] = flange[3 * i]!;
    wristTarget[3 + i] = flange[3 * i + 1]!;
    wristTarget[6 + i] = flange[3 * i + 2]!;
    wristTarget[MIDDLE + i] = flange[9 + i]! - WRIST_TO_FLANGE_M * flange[3 * i + 2]!;
  }
  wristTarget[MIDDLE + 2] = wristTarget[MIDDLE + 2]! - SHOULDER_HEIGHT_M;
}

/**
 * Evaluates the condition at `closingCondition[PHI]` for both bends of the elbow: `side` 1 reaches
 * forward, -1 back over the shoulder. Out of reach the elbow root is taken as zero.
 */
export function evaluateCondition(side: number): void {
  placeWrist(side);
  const inverse = 1 / closingCondition[RADIUS]!;
  closingCondition[UX] = closingCondition[WRIST_X]! * inverse;
  closingCondition[UY] = closingCondition[WRIST_Y]! * inverse;
  bendElbow();
}

/** Wrist centre and the direction of axis 5 at `closingCondition[PHI]`. */
function placeWrist(side: number): void {
  sincosAt(closingCondition, PHI);
  const s = sinCos[0]!;
  const c = sinCos[1]!;
  const x5x = c * wristTarget[0]! - s * wristTarget[3]!;
  const x5y = c * wristTarget[1]! - s * wristTarget[4]!;
  const x5z = c * wristTarget[2]! - s * wristTarget[5]!;
  const wx = wristTarget[9]! + WRIST_OFFSET_M * x5x;
  const wy = wristTarget[10]! + WRIST_OFFSET_M * x5y;
  closingCondition[X5_X] = x5x;
  closingCondition[X5_Y] = x5y;
  closingCondition[X5_Z] = x5z;
  closingCondition[WRIST_X] = wx;
  closingCondition[WRIST_Y] = wy;
  closingCondition[WRIST_Z] = wristTarget[11]! + WRIST_OFFSET_M * x5z;
  closingCondition[RADIUS] = side * Math.max(Math.sqrt(wx * wx + wy * wy), TINY);
  closingCondition[AXIS_X] = 0 - s * wristTarget[0]! - c * wristTarget[3]!;
  closingCondition[AXIS_Y] = 0 - s * wristTarget[1]! - c * wristTarget[4]!;
  closingCondition[AXIS_Z] = 0 - s * wristTarget[2]! - c * wristTarget[5]!;
}

/**
 * Computes elbow, values and slopes of both bends for the placed wrist and the arm's azimuth (UX,
 * UY). The bends differ only in the sign of the elbow's offset from the line to the wrist centre.
 */
function bendElbow(): void {
  const ux = closingCondition[UX]!;
  const uy = closingCondition[UY]!;
  const hx = closingCondition[AXIS_X]!;
  const hy = closingCondition[AXIS_Y]!;
  const hz = closingCondition[AXIS_Z]!;
  const x5z = closingCondition[X5_Z]!;
  const r = closingCondition[RADIUS]!;
  const x = r - SHOULDER_OFFSET_M;
  const z = closingCondition[WRIST_Z]!;
  const square = x * x + z * z;
  const inverse = 1 / square;
  const along = 0.5 * (square + UPPER_ARM_SQUARED - ELBOW_SQUARED) * inverse;
  const root = UPPER_ARM_SQUARED * inverse - along * along;
  const across = Math.sqrt(Math.max(root, 0));
  closingCondition[ELBOW_SQUARE] = root;
  closingCondition[DISTANCE_SQUARE] = square;
  closingCondition[ALONG] = along;
  closingCondition[ACROSS] = across;
  const hs = hx * ux + hy * uy;
  const ht = hy * ux - hx * uy;
  const up = FOREARM_SHARE * z - FOREARM_OFFSET_SHARE * x;
  const out = FOREARM_SHARE * x + FOREARM_OFFSET_SHARE * z;
  const rest = 1 - along;
  const turned =
    closingCondition[X5_X]! * ux + closingCondition[X5_Y]! * uy - (WRIST_OFFSET_M * ht * ht) / r;
  const lean = (along * (hs * x + hz * z)) / (across + TINY);
  const cross = hz * x - hs * z;
  const rate = WRIST_OFFSET_M * inverse;
  const c = rest * up - across * out;
  const s = 0 - rest * out - across * up;
  closingCondition[VALUE] = hz * c - hs * s;
  closingCondition[SLOPE] = s * turned - c * x5z - rate * (cross + lean) * (hs * c + hz * s);
  const d = rest * up + across * out;
  const t = across * up - rest * out;
  closingCondition[VALUE + OTHER_BEND] = hz * d - hs * t;
  closingCondition[SLOPE + OTHER_BEND] =
    t * turned - d * x5z - rate * (cross - lean) * (hs * d + hz * t);
}

/** Result of `bend`: elbow x and z, cosine and sine of the forearm. */
const bent = new Float64Array(4);

/** Computes elbow and forearm of the last evaluation in the arm's plane, bend 1 or -1. */
function bend(elbow: number): void {
  const x = closingCondition[RADIUS]! - SHOULDER_OFFSET_M;
  const z = closingCondition[WRIST_Z]!;
  const along = closingCondition[ALONG]!;
  const across = elbow * closingCondition[ACROSS]!;
  const ex = along * x - across * z;
  const ez = along * z + across * x;
  bent[0] = ex;
  bent[1] = ez;
  bent[2] = FOREARM_SHARE * (z - ez) - FOREARM_OFFSET_SHARE * (x - ex);
  bent[3] = FOREARM_SHARE * (ex - x) - FOREARM_OFFSET_SHARE * (z - ez);
}

/** Sine and cosine, up to a common factor, of an angle for `atan2At`. */
const pair = new Float64Array(2);

/** Writes the six joints of the last evaluation, bend 1 or -1, into `q` (rad, each in its turn). */
export function jointsOfCondition(elbow: number, q: Float64Array): void {
  bend(elbow);
  const ux = closingCondition[UX]!;
  const uy = closingCondition[UY]!;
  const hx = closingCondition[AXIS_X]!;
  const hy = closingCondition[AXIS_Y]!;
  const c23 = bent[2]!;
  const s23 = bent[3]!;
  const s4 = c23 * (hx * ux + hy * uy) + s23 * closingCondition[AXIS_Z]!;
  const c4 = hx * uy - hy * ux;
  const zu = wristTarget[6]! * ux + wristTarget[7]! * uy;
  const zn = wristTarget[7]! * ux - wristTarget[6]! * uy;
  const zx = c23 * zu + s23 * wristTarget[8]!;
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
  pair[1] = c23 * wristTarget[8]! - s23 * zu;
  atan2At(pair, q, 4);
  q[5] = wrapAngle(closingCondition[PHI]!);
  toJointAngles(q);
}

/** Azimuths left open by a wrist centre on axis 1. */
export type AxisAzimuth = 'none' | 'pair' | 'free';

/** Cosine and sine of the first azimuth, then of the second. */
export const azimuths = new Float64Array(4);

/**
 * For a wrist centre on axis 1 at `closingCondition[PHI]`: writes the azimuths of the arm that
 * close the wrist to `azimuths`. `free`: every azimuth does.
 */
export function azimuthsOnAxis(elbow: number): AxisAzimuth {
  placeWrist(1);
  closingCondition[UX] = 1;
  closingCondition[UY] = 0;
  bendElbow();
  if (closingCondition[ELBOW_SQUARE]! < -1e-9) return 'none';
  const hx = closingCondition[AXIS_X]!;
  const hy = closingCondition[AXIS_Y]!;
  const size = Math.sqrt(hx * hx + hy * hy);
  bend(elbow);
  const numerator = closingCondition[AXIS_Z]! * bent[2]!;
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

/** Evaluates at `closingCondition[PHI]` with the azimuth number `which` of `azimuths`. */
export function evaluateOnAxis(which: number): void {
  placeWrist(1);
  closingCondition[UX] = azimuths[2 * which]!;
  closingCondition[UY] = azimuths[2 * which + 1]!;
  bendElbow();
}
