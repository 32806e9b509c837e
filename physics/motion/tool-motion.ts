/**
 * How the tool point moves when the joints do: velocity and acceleration by one sweep along the
 * chain. With derivatives by s instead of time it gives the tool's path derivatives, so timing,
 * path tables and the check of setpoints share it. Spec §2.6: the tool point.
 */
import { TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { FLANGE_FRAME, FRAME_SIZE } from '../kinematics/forward.ts';
import type { Numbers } from '../math/vector.ts';

/** Offsets in the result of `toolMotion`. */
export const LINEAR_VELOCITY = 0;
export const ANGULAR_VELOCITY = 3;
export const LINEAR_ACCELERATION = 6;
export const ANGULAR_ACCELERATION = 9;

/** Room for one result of `toolMotion`. */
export function createToolMotion(): Float64Array {
  return new Float64Array(12);
}

/**
 * Writes velocity, angular velocity, acceleration and angular acceleration of the tool point in
 * the robot frame into `out` (of `createToolMotion`): `frames` from `forward`, joint rates
 * `velocity` and `acceleration` (six each, rad per unit of time or of s), `offset_m` the tool
 * point in the flange frame. No allocation.
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
    const from = at - FRAME_SIZE;
    carry(
      frames[at + 9]! - frames[from + 9]!,
      frames[at + 10]! - frames[from + 10]!,
      frames[at + 11]! - frames[from + 11]!,
      out,
    );
    turn(frames, j, velocity[j]!, acceleration[j]!, out);
  }
  const f = FLANGE_FRAME * FRAME_SIZE;
  const l = 6 * FRAME_SIZE;
  const x = offset_m[0]!;
  const y = offset_m[1]!;
  const z = offset_m[2]!;
  carry(
    frames[f + 9]! - frames[l + 9]! + frames[f]! * x + frames[f + 1]! * y + frames[f + 2]! * z,
    frames[f + 10]! -
      frames[l + 10]! +
      frames[f + 3]! * x +
      frames[f + 4]! * y +
      frames[f + 5]! * z,
    frames[f + 11]! -
      frames[l + 11]! +
      frames[f + 6]! * x +
      frames[f + 7]! * y +
      frames[f + 8]! * z,
    out,
  );
}

/** Moves the point that `out` describes by (x, y, z) within its rigid link. */
function carry(x: number, y: number, z: number, out: Float64Array): void {
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

/** Adds the turning of joint `j` to the angular rates. */
function turn(
  frames: Float64Array,
  j: number,
  rate: number,
  acceleration: number,
  out: Float64Array,
): void {
  const at = (j + 1) * FRAME_SIZE + (TURNS_ABOUT_Z[j] ? 2 : 1);
  const sign = TURNS_ABOUT_Z[j] ? 1 : -1;
  const x = sign * frames[at]!;
  const y = sign * frames[at + 3]!;
  const z = sign * frames[at + 6]!;
  const wx = out[3]!;
  const wy = out[4]!;
  const wz = out[5]!;
  out[9] = out[9]! + x * acceleration + (wy * z - wz * y) * rate;
  out[10] = out[10]! + y * acceleration + (wz * x - wx * z) * rate;
  out[11] = out[11]! + z * acceleration + (wx * y - wy * x) * rate;
  out[3] = wx + x * rate;
  out[4] = wy + y * rate;
  out[5] = wz + z * rate;
}
