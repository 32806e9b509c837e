/**
 * Forward kinematics of the chain with the lengths of arm-model.json (§2.8: zero pose upright,
 * frames x forward and z up). All frames of a pose lie in one flat array, so that collision,
 * dynamics and planning read them without allocation. The chain is unrolled: axes 2 and 3 are
 * parallel, so one sine and cosine of q2 + q3 rotates the whole forearm. Also: the tool point;
 * velocity and acceleration of the tool point, and the software ranges of the joints.
 */

import type { MotionError } from '../../contract/errors.ts';
import { FLANGE_M, OFFSETS_M, RANGE, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { sinCos, sincosAt } from '../math/portable.ts';
import { dot3, fixedAxisRotation, multiplyMatrices, type Numbers } from '../math/rotation.ts';

/** Numbers of one frame: rotation row-major (9), then origin x, y, z (m). */
export const FRAME_SIZE = 12;
/** Base, links 1 to 6, flange: frame i starts at i * FRAME_SIZE. */
export const FRAME_COUNT = 8;
export const FLANGE_FRAME = 7;

const SHOULDER_X_M = OFFSETS_M[1]![0]!;
const BASE_Z_M = OFFSETS_M[0]![2]!;
const SHOULDER_Z_M = BASE_Z_M + OFFSETS_M[1]![2]!;
const UPPER_ARM_M = OFFSETS_M[2]![2]!;
const ELBOW_X_M = OFFSETS_M[3]![0]!;
const ELBOW_Z_M = OFFSETS_M[3]![2]!;
const FOREARM_M = OFFSETS_M[4]![2]!;
const WRIST_X_M = OFFSETS_M[5]![0]!;
const WRIST_Z_M = OFFSETS_M[5]![2]!;

/** Allocates the frames of one pose with the base frame filled in. */
export function createFrames(): Float64Array {
  const frames = new Float64Array(FRAME_SIZE * FRAME_COUNT);
  frames[0] = 1;
  frames[4] = 1;
  frames[8] = 1;
  return frames;
}

/** Angle of the forearm from upright, q2 + q3 (rad). */
const forearm = new Float64Array(1);

/** Writes frame 1: rotation about the vertical axis. */
function placeShoulder(q: Numbers, at: number, f: Float64Array): void {
  sincosAt(q, at);
  const s1 = sinCos[0]!;
  const c1 = sinCos[1]!;
  f[12] = c1;
  f[13] = 0 - s1;
  f[14] = 0;
  f[15] = s1;
  f[16] = c1;
  f[17] = 0;
  f[18] = 0;
  f[19] = 0;
  f[20] = 1;
  f[21] = 0;
  f[22] = 0;
  f[23] = BASE_Z_M;
}

/** Writes the rotation of frame `to`: by `angles[i]` about -y in the vertical plane of frame 1. */
function turnInPlane(angles: Numbers, i: number, f: Float64Array, to: number): void {
  sincosAt(angles, i);
  const s = sinCos[0]!;
  const c = sinCos[1]!;
  const c1 = f[12]!;
  const s1 = f[15]!;
  f[to] = c1 * c;
  f[to + 1] = 0 - s1;
  f[to + 2] = 0 - c1 * s;
  f[to + 3] = s1 * c;
  f[to + 4] = c1;
  f[to + 5] = 0 - s1 * s;
  f[to + 6] = s;
  f[to + 7] = 0;
  f[to + 8] = c;
}

/** Writes frames 2 and 3: rotations about parallel axes in the vertical plane of frame 1. */
function placeArm(q: Numbers, at: number, f: Float64Array): void {
  turnInPlane(q, at + 1, f, 24);
  f[33] = f[12]! * SHOULDER_X_M;
  f[34] = f[15]! * SHOULDER_X_M;
  f[35] = SHOULDER_Z_M;
  forearm[0] = q[at + 1]! + q[at + 2]!;
  turnInPlane(forearm, 0, f, 36);
  f[45] = f[33]! + f[26]! * UPPER_ARM_M;
  f[46] = f[34]! + f[29]! * UPPER_ARM_M;
  f[47] = SHOULDER_Z_M + f[32]! * UPPER_ARM_M;
}

/** Writes frame 4 (to = 48) or 6 (to = 72): rotation about z at an offset in the parent frame. */
function placeAboutZ(q: Numbers, i: number, f: Float64Array, to: number): void {
  sincosAt(q, i);
  const s = sinCos[0]!;
  const c = sinCos[1]!;
  const from = to - 12;
  const xx = f[from]!;
  const xy = f[from + 3]!;
  const xz = f[from + 6]!;
  const yx = f[from + 1]!;
  const yy = f[from + 4]!;
  const yz = f[from + 7]!;
  const zx = f[from + 2]!;
  const zy = f[from + 5]!;
  const zz = f[from + 8]!;
  f[to] = xx * c + yx * s;
  f[to + 1] = yx * c - xx * s;
  f[to + 2] = zx;
  f[to + 3] = xy * c + yy * s;
  f[to + 4] = yy * c - xy * s;
  f[to + 5] = zy;
  f[to + 6] = xz * c + yz * s;
  f[to + 7] = yz * c - xz * s;
  f[to + 8] = zz;
  const x = to === 48 ? ELBOW_X_M : WRIST_X_M;
  const z = to === 48 ? ELBOW_Z_M : WRIST_Z_M;
  f[to + 9] = f[from + 9]! + xx * x + zx * z;
  f[to + 10] = f[from + 10]! + xy * x + zy * z;
  f[to + 11] = f[from + 11]! + xz * x + zz * z;
}

/** Writes frame 5 from frame 4: rotation about -y at the wrist centre, up the forearm. */
function placeWrist(q: Numbers, i: number, f: Float64Array): void {
  sincosAt(q, i);
  const s = sinCos[0]!;
  const c = sinCos[1]!;
  const xx = f[48]!;
  const xy = f[51]!;
  const xz = f[54]!;
  const zx = f[50]!;
  const zy = f[53]!;
  const zz = f[56]!;
  f[60] = xx * c + zx * s;
  f[61] = f[49]!;
  f[62] = zx * c - xx * s;
  f[63] = xy * c + zy * s;
  f[64] = f[52]!;
  f[65] = zy * c - xy * s;
  f[66] = xz * c + zz * s;
  f[67] = f[55]!;
  f[68] = zz * c - xz * s;
  f[69] = f[57]! + zx * FOREARM_M;
  f[70] = f[58]! + zy * FOREARM_M;
  f[71] = f[59]! + zz * FOREARM_M;
}

/** Writes the flange: frame 6 translated along its own z. */
function placeFlange(f: Float64Array): void {
  for (let i = 0; i < 9; i++) f[84 + i] = f[72 + i]!;
  f[93] = f[81]! + f[74]! * FLANGE_M;
  f[94] = f[82]! + f[77]! * FLANGE_M;
  f[95] = f[83]! + f[80]! * FLANGE_M;
}

/**
 * Writes the world frames of base, links and flange for joint angles `q` (rad, from `at`) into
 * `frames` (of `createFrames`). No allocation.
 */
export function forward(q: Numbers, frames: Float64Array, at = 0): void {
  placeShoulder(q, at, frames);
  placeArm(q, at, frames);
  placeAboutZ(q, at + 3, frames, 48);
  placeWrist(q, at + 4, frames);
  placeAboutZ(q, at + 5, frames, 72);
  placeFlange(frames);
}

/**
 * The tool point: `tcp_config` relative to the flange (§2.6, D20). A pose has twelve numbers like a
 * frame: rotation row-major, then position (m). Calls, planning and checks refer to the tool point,
 * the chain ends at the flange.
 */

/** Numbers of one pose. */
export const POSE_SIZE = FRAME_SIZE;

/**
 * `tcp_config` in the wire format: offsets in m, rotations about fixed x, y, z in rad, radius in m.
 */
export interface ToolConfiguration {
  readonly offsets?: { readonly x: number; readonly y: number; readonly z: number } | undefined;
  readonly rotations?: { readonly x: number; readonly y: number; readonly z: number } | undefined;
  readonly radius?: number | undefined;
}

/** The tool point in the flange frame. */
export interface Tool {
  /** Rotation of the tool at its tip, row-major. */
  readonly rotation: Float64Array;
  /** Tip in the flange frame (m). */
  readonly offset_m: Float64Array;
  readonly radius_m: number;
}

/** The tool of a `tcp_config`; without one the tool point is the flange centre. */
export function createTool(configuration?: ToolConfiguration): Tool {
  const offsets = configuration?.offsets ?? { x: 0, y: 0, z: 0 };
  const turns = configuration?.rotations ?? { x: 0, y: 0, z: 0 };
  const rotation = new Float64Array(9);
  fixedAxisRotation(turns.x, turns.y, turns.z, rotation);
  return {
    rotation,
    offset_m: Float64Array.of(offsets.x, offsets.y, offsets.z),
    radius_m: configuration?.radius ?? 0,
  };
}

/** The bare flange. */
export const FLANGE_TOOL: Tool = createTool();

/**
 * Writes the tool pose of `frames` (of `forward`) into `out` at `at`: flange · Trans(offsets) ·
 * Rot(rotations). No allocation.
 */
export function toolPose(frames: Float64Array, tool: Tool, out: Float64Array, at = 0): void {
  const flange = FLANGE_FRAME * FRAME_SIZE;
  multiplyMatrices(frames, flange, tool.rotation, 0, out, at);
  const x = tool.offset_m[0]!;
  const y = tool.offset_m[1]!;
  const z = tool.offset_m[2]!;
  for (let row = 0; row < 3; row++) {
    const r = flange + 3 * row;
    out[at + 9 + row] =
      frames[flange + 9 + row]! + frames[r]! * x + frames[r + 1]! * y + frames[r + 2]! * z;
  }
}

/** Reads tool poses from joint angles; each call overwrites the pose of the call before. */
export function createPoseReader(): (joints: Numbers, tool: Tool) => Float64Array {
  const frames = createFrames();
  const pose = new Float64Array(POSE_SIZE);
  return (joints, tool) => {
    forward(joints, frames);
    toolPose(frames, tool, pose);
    return pose;
  };
}

/** Writes the flange pose that brings the tool to `pose` to `out`; `out` must not be `pose`. */
export function flangePose(pose: Float64Array, tool: Tool, out: Float64Array): void {
  const t = tool.rotation;
  for (let row = 0; row < 9; row += 3) {
    const a = pose[row]!;
    const b = pose[row + 1]!;
    const c = pose[row + 2]!;
    out[row] = a * t[0]! + b * t[1]! + c * t[2]!;
    out[row + 1] = a * t[3]! + b * t[4]! + c * t[5]!;
    out[row + 2] = a * t[6]! + b * t[7]! + c * t[8]!;
  }
  const o = tool.offset_m;
  for (let row = 0; row < 3; row++) {
    const r = 3 * row;
    out[9 + row] = pose[9 + row]! - (out[r]! * o[0]! + out[r + 1]! * o[1]! + out[r + 2]! * o[2]!);
  }
}

/**
 * Velocity and acceleration of the tool point from joint rates, by one pass along the chain. With
 * derivatives by s instead of time it gives the tool's path derivatives, so timing, path tables and
 * the setpoint check share it (§2.6: tool point).
 */

/** Offset of the accelerations in the result of `toolMotion`, linear ones first. */
export const LINEAR_ACCELERATION = 6;

/** Allocates a result of `toolMotion`. */
export function createToolMotion(): Float64Array {
  return new Float64Array(12);
}

/** Joint axes as columns of their frames, and the sense of rotation. */
const AXIS_COLUMN = TURNS_ABOUT_Z.map((about_z) => (about_z ? 2 : 1));
const AXIS_SIGN = TURNS_ABOUT_Z.map((about_z) => (about_z ? 1 : -1));
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

/**
 * Software ranges of the joints: which joint is outside, by how much, the error code that names it,
 * and joints that leave their range between two tracked points (§2.4).
 */

/** Allowance for the true turning point beyond that of the cubic, as a share of the travel. */
const ALLOWANCE = 0.02;
/** A joint this far outside its range counts as on its limit: numeric noise (rad). */
export const LIMIT_TOLERANCE_RAD = 1e-9;

/**
 * One tracking step: joints at both ends, and their changes over the step at the rate of each end.
 */
export interface JointStep {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly fromRate: Float64Array;
  readonly toRate: Float64Array;
}

/** Turning point of joint j inside the step (rad): one number. */
const turning = new Float64Array(1);

/** Turning point of the cubic of joint j, whose rates have opposite signs. */
function findTurning(step: JointStep, j: number): void {
  const v0 = step.fromRate[j]!;
  const v1 = step.toRate[j]!;
  const d = step.to[j]! - step.from[j]!;
  const a = 3 * (v0 + v1) - 6 * d;
  const b = 6 * d - 4 * v0 - 2 * v1;
  const root = Math.sqrt(Math.max(b * b - 4 * a * v0, 0));
  const q = -0.5 * (b + (b < 0 ? 0 - root : root));
  const first = v0 / q;
  const t = first >= 0 && first <= 1 ? first : q / a;
  const c2 = 3 * d - 2 * v0 - v1;
  const c3 = v0 + v1 - 2 * d;
  turning[0] = step.from[j]! + t * (v0 + t * (c2 + t * c3));
}

/**
 * The first joint that turns around outside its range inside the step, or -1. The cubic through
 * both ends and their rates finds the turning point.
 */
export function overshootingJoint(step: JointStep): number {
  for (let j = 0; j < 6; j++) {
    const v0 = step.fromRate[j]!;
    const v1 = step.toRate[j]!;
    if (!(v0 * v1 < 0)) continue;
    const swing = Math.abs(v0) + Math.abs(v1);
    const high = Math.max(step.from[j]!, step.to[j]!) + swing > RANGE.max_rad[j]!;
    const low = Math.min(step.from[j]!, step.to[j]!) - swing < RANGE.min_rad[j]!;
    if (!high && !low) continue;
    findTurning(step, j);
    const allowed = ALLOWANCE * swing - LIMIT_TOLERANCE_RAD;
    if (v0 > 0 && turning[0]! + allowed > RANGE.max_rad[j]!) return j;
    if (v0 < 0 && turning[0]! - allowed < RANGE.min_rad[j]!) return j;
  }
  return -1;
}

/** Codes of §2.4 for a joint that would leave its range, by 0-based joint. */
export const BOUNDARY_CODES: readonly MotionError[] = [
  'j0_boundary_limit',
  'j1_boundary_limit',
  'j2_boundary_limit',
  'j3_boundary_limit',
  'j4_boundary_limit',
  'j5_boundary_limit',
];

/** Distance of joint j of the six at `at` outside its range (rad); 0 inside. */
export function rangeExcess(q: Numbers, at: number, j: number): number {
  return Math.max(RANGE.min_rad[j]! - q[at + j]!, q[at + j]! - RANGE.max_rad[j]!, 0);
}

/**
 * The joint farthest outside its range, or -1 when all are inside or within the tolerance of a
 * limit.
 */
export function worstJointOutside(q: Numbers, at = 0): number {
  let worst = -1;
  let most = LIMIT_TOLERANCE_RAD;
  for (let j = 0; j < 6; j++) {
    const size = rangeExcess(q, at, j);
    if (size > most) {
      most = size;
      worst = j;
    }
  }
  return worst;
}

/** Moves joints outside their ranges onto the limit. */
export function clampToRange(q: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    q[j] = Math.min(Math.max(q[j]!, RANGE.min_rad[j]!), RANGE.max_rad[j]!);
  }
}
