/**
 * Forward kinematics of the chain with the lengths of the arm (§2.8: zero pose upright,
 * frames x forward and z up). All frames of a pose lie in one flat array, so that collision,
 * dynamics and planning read them without allocation. The chain is unrolled: axes 2 and 3 are
 * parallel, so one sine and cosine of q2 + q3 rotates the whole forearm.
 */
import { FLANGE_M, OFFSETS_M } from '../arm/arm-model.ts';
import { sinCos, sincosAt } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { chainAngles, chainStart } from './chain-angles.ts';

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
  const angles = chainAngles(q, at);
  const first = chainStart(at);
  placeShoulder(angles, first, frames);
  placeArm(angles, first, frames);
  placeAboutZ(angles, first + 3, frames, 48);
  placeWrist(angles, first + 4, frames);
  placeAboutZ(angles, first + 5, frames, 72);
  placeFlange(frames);
}
