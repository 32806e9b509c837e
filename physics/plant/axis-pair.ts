/**
 * Drives and reads six joints through three bodies: axes 1 and 2, 3 and 4, 5 and 6 are orthogonal,
 * so the rotations of body 2 against the world, 4 against 2 and 6 against 4 hold two angles each,
 * and torques on these bodies reach every joint (an engine in joint coordinates needs no
 * reactions). Halves the number of engine calls.
 */

import { IS_ALIGNED, JOINT_SENSE } from '../arm/arm-model.ts';
import { toJointAngles } from '../kinematics/chain-angles.ts';
import { createFrames, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { atan2 } from '../math/portable.ts';
import { matrixToQuaternion } from '../math/rotation.ts';
import type { Numbers } from '../math/vector.ts';

/** Rotations of links 2, 4 and 6 at a pose as x, y, z, w. */
export function pairRotations(q: Numbers): Float64Array {
  const frames = createFrames();
  forward(q, frames);
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    const { w, x, y, z } = matrixToQuaternion(frames, (2 * i + 2) * FRAME_SIZE);
    out.set([x, y, z, w], 4 * i);
  }
  return out;
}

const links = new Float64Array(12);
const relative = new Float64Array(4);

/** out = a b for quaternions x, y, z, w; `sign` -1 conjugates a. */
function multiply(a: Numbers, i: number, sign: number, b: Numbers, j: number): void {
  const ax = sign * a[i]!;
  const ay = sign * a[i + 1]!;
  const az = sign * a[i + 2]!;
  const aw = a[i + 3]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  relative[0] = aw * bx + ax * bw + ay * bz - az * by;
  relative[1] = aw * by - ax * bz + ay * bw + az * bx;
  relative[2] = aw * bz + ax * by - ay * bx + az * bw;
  relative[3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** Angles of Rz(a) Ry(-b), the order of joints 1 and 2. */
function readFirstPair(q: Float64Array, at: number, out: Float64Array): void {
  const x = q[at]!;
  const y = q[at + 1]!;
  const z = q[at + 2]!;
  const w = q[at + 3]!;
  out[0] = atan2(2 * (z * w - x * y), w * w + y * y - x * x - z * z);
  out[1] = atan2(2 * (x * z - w * y), w * w + z * z - x * x - y * y);
}

/** Angles of Ry(-a) Rz(b), the order of joints 3 and 4, 5 and 6. */
function readLaterPair(joint: number, out: Float64Array): void {
  const x = relative[0]!;
  const y = relative[1]!;
  const z = relative[2]!;
  const w = relative[3]!;
  out[joint] = atan2(-2 * (w * y + x * z), w * w + z * z - x * x - y * y);
  out[joint + 1] = atan2(2 * (w * z + x * y), w * w + y * y - x * x - z * z);
}

/**
 * Writes the six joint angles (rad, in -pi..pi) from the rotations of bodies 2, 4 and 6 since the
 * pose that they were built at (x, y, z, w each). No allocation.
 */
export function readAngles(turned: Numbers, spawned: Numbers, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    multiply(turned, 4 * i, 1, spawned, 4 * i);
    for (let k = 0; k < 4; k++) links[4 * i + k] = relative[k]!;
  }
  readFirstPair(links, 0, out);
  multiply(links, 0, -1, links, 4);
  readLaterPair(2, out);
  multiply(links, 4, -1, links, 8);
  readLaterPair(4, out);
  toJointAngles(out);
}

const chainTorques = new Float64Array(6);

/**
 * Writes the torques on bodies 2, 4 and 6 (world, N m) equivalent to the torques `joints` at sines
 * and cosines `turns` of the chain's angles (alternating). No allocation.
 */
export function writeTorques(joints: Numbers, turns: Numbers, out: Float64Array): void {
  const tau = IS_ALIGNED ? joints : chainTorques;
  if (!IS_ALIGNED) {
    for (let j = 0; j < 6; j++) chainTorques[j] = JOINT_SENSE[j]! * joints[j]!;
  }
  const s2 = turns[2]!;
  const c2 = turns[3]!;
  const s3 = turns[4]!;
  const c3 = turns[5]!;
  const s4 = turns[6]!;
  const c4 = turns[7]!;
  const s5 = turns[8]!;
  const c5 = turns[9]!;
  // On body 6, in frame 4.
  const x6 = -s5 * tau[5]!;
  const y6 = -tau[4]!;
  const z6 = c5 * tau[5]!;
  // The same in frame 2: Ry(-q3) Rz(q4).
  const u = c4 * x6 - s4 * y6;
  const x6in2 = c3 * u - s3 * z6;
  const y6in2 = s4 * x6 + c4 * y6;
  const z6in2 = s3 * u + c3 * z6;
  // On body 4, in frame 2, minus the part that body 6 transmits.
  const third = tau[2]! - (s4 * s5 * tau[5]! + c4 * tau[4]!);
  const fourth = tau[3]! - c5 * tau[5]!;
  const x4 = -s3 * fourth;
  const y4 = -third;
  const z4 = c3 * fourth;
  // On body 2, in frame 2, minus the part that bodies 4 and 6 transmit.
  const first = tau[0]! - (s2 * (x4 + x6in2) + c2 * (z4 + z6in2));
  const second = tau[1]! + y4 + y6in2;
  out[0] = s2 * first;
  out[1] = -second;
  out[2] = c2 * first;
  out[3] = x4;
  out[4] = y4;
  out[5] = z4;
  out[6] = x6in2;
  out[7] = y6in2;
  out[8] = z6in2;
  for (let at = 0; at < 9; at += 3) turnIntoWorld(turns, out, at);
}

/** Turns the vector at `out[at]` from frame 2 into the world: Rz(q1) Ry(-q2). */
function turnIntoWorld(turns: Numbers, out: Float64Array, at: number): void {
  const s1 = turns[0]!;
  const c1 = turns[1]!;
  const s2 = turns[2]!;
  const c2 = turns[3]!;
  const x = c2 * out[at]! - s2 * out[at + 2]!;
  const y = out[at + 1]!;
  out[at + 2] = s2 * out[at]! + c2 * out[at + 2]!;
  out[at] = c1 * x - s1 * y;
  out[at + 1] = s1 * x + c1 * y;
}
