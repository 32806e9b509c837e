/**
 * Velocity and acceleration of the tool point from joint rates, by one pass along the chain. With
 * derivatives by s instead of time it gives the tool's path derivatives, so timing, path tables and
 * the setpoint check share it (§2.6: tool point).
 */
import { JOINT_SENSE, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { dot3, type Numbers } from '../math/vector.ts';
import { FLANGE_FRAME, FRAME_SIZE } from './forward.ts';

/** Offset of the accelerations in the result of `toolMotion`, linear ones first. */
export const LINEAR_ACCELERATION = 6;

/** Allocates a result of `toolMotion`. */
export function createToolMotion(): Float64Array {
  return new Float64Array(12);
}

/** Joint axes as columns of their frames, and the sense of rotation. */
const AXIS_COLUMN = TURNS_ABOUT_Z.map((about_z) => (about_z ? 2 : 1));
const AXIS_SIGN = TURNS_ABOUT_Z.map((about_z, j) => (about_z ? 1 : -1) * JOINT_SENSE[j]!);
/** Vector from the current frame to the next point, world axes (m). */
const reach = new Float64Array(3);

/**
 * Writes velocity, angular velocity, acceleration and angular acceleration of the tool point in the
 * robot frame to `out` (of `createToolMotion`): `frames` from `forward`, joint rates `velocity` and
 * `acceleration` (six each, rad per unit of time or of s), `offset_m` the tool point in the flange
 * frame. No allocation.
 */
export function toolMotion(
  frames: Float64Array,
  velocity: Numbers,
  acceleration: Numbers,
  offset_m: Numbers,
  out: Float64Array,
): void {
  out.fill(0);
  for (let j = 0; j < 6; j++) {
    const at = (j + 1) * FRAME_SIZE;
    for (let k = 0; k < 3; k++) reach[k] = frames[at + 9 + k]! - frames[at - 3 + k]!;
    carry(out);
    turn(frames, j, velocity, acceleration, out);
  }
  const flange = FLANGE_FRAME * FRAME_SIZE;
  for (let k = 0; k < 3; k++) {
    const along = frames[flange + 9 + k]! - frames[flange - 3 + k]!;
    reach[k] = along + dot3(frames, flange + 3 * k, offset_m, 0);
  }
  carry(out);
}

/**
 * Speed (m/s) of the point `tip` (m, robot frame) on the last link: `frames` from `forward`, joint
 * rates `velocity` (six, rad/s). As the linear velocity of `toolMotion`, without its other results.
 * No allocation.
 */
export function toolSpeed_m_s(frames: Float64Array, velocity: Numbers, tip: Numbers): number {
  let [vx, vy, vz] = [0, 0, 0];
  for (let j = 0; j < 6; j++) {
    const origin = (j + 1) * FRAME_SIZE + 9;
    const axis = (j + 1) * FRAME_SIZE + AXIS_COLUMN[j]!;
    const rate = AXIS_SIGN[j]! * velocity[j]!;
    const x = tip[0]! - frames[origin]!;
    const y = tip[1]! - frames[origin + 1]!;
    const z = tip[2]! - frames[origin + 2]!;
    vx += rate * (frames[axis + 3]! * z - frames[axis + 6]! * y);
    vy += rate * (frames[axis + 6]! * x - frames[axis]! * z);
    vz += rate * (frames[axis]! * y - frames[axis + 3]! * x);
  }
  return Math.sqrt(vx * vx + vy * vy + vz * vz);
}

/** Translates the point that `out` describes by `reach` within its rigid link. */
function carry(out: Float64Array): void {
  const x = reach[0]!;
  const y = reach[1]!;
  const z = reach[2]!;
  const wx = out[3]!;
  const wy = out[4]!;
  const wz = out[5]!;
  const vx = wy * z - wz * y;
  const vy = wz * x - wx * z;
  const vz = wx * y - wy * x;
  out[6] = out[6]! + out[10]! * z - out[11]! * y + wy * vz - wz * vy;
  out[7] = out[7]! + out[11]! * x - out[9]! * z + wz * vx - wx * vz;
  out[8] = out[8]! + out[9]! * y - out[10]! * x + wx * vy - wy * vx;
  out[0] = out[0]! + vx;
  out[1] = out[1]! + vy;
  out[2] = out[2]! + vz;
}

/** Adds the rotation of joint `j` to the angular rates. */
function turn(
  frames: Float64Array,
  j: number,
  velocity: Numbers,
  acceleration: Numbers,
  out: Float64Array,
): void {
  const at = (j + 1) * FRAME_SIZE + AXIS_COLUMN[j]!;
  const rate = AXIS_SIGN[j]! * velocity[j]!;
  const change = AXIS_SIGN[j]! * acceleration[j]!;
  const x = frames[at]!;
  const y = frames[at + 3]!;
  const z = frames[at + 6]!;
  const wx = out[3]!;
  const wy = out[4]!;
  const wz = out[5]!;
  out[9] = out[9]! + x * change + (wy * z - wz * y) * rate;
  out[10] = out[10]! + y * change + (wz * x - wx * z) * rate;
  out[11] = out[11]! + z * change + (wx * y - wy * x) * rate;
  out[3] = wx + x * rate;
  out[4] = wy + y * rate;
  out[5] = wz + z * rate;
}
