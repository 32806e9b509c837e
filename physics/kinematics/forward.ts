/**
 * Forward kinematics of the chain in facts-marked numbers of arm-model.json (spec §2.8: zero pose
 * upright, frames x forward and z up). All frames of one pose lie in one flat array, so that
 * collision, dynamics and planning read them without allocation.
 */
import { FLANGE_M, OFFSETS_M, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { sincos, trig } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';

/** Numbers of one frame: rotation row-major (9), then origin x, y, z (m). */
export const FRAME_SIZE = 12;
/** Base, links 1 to 6, flange: frame i starts at i * FRAME_SIZE. */
export const FRAME_COUNT = 8;
export const FLANGE_FRAME = 7;

/** Room for the frames of one pose, base frame filled in. */
export function createFrames(): Float64Array {
  const frames = new Float64Array(FRAME_SIZE * FRAME_COUNT);
  frames[0] = 1;
  frames[4] = 1;
  frames[8] = 1;
  return frames;
}

function turnAboutZ(f: Float64Array, from: number, to: number): void {
  const s = trig.sin;
  const c = trig.cos;
  for (let row = 0; row < 9; row += 3) {
    const x = f[from + row]!;
    const y = f[from + row + 1]!;
    f[to + row] = x * c + y * s;
    f[to + row + 1] = y * c - x * s;
    f[to + row + 2] = f[from + row + 2]!;
  }
}

function turnAboutMinusY(f: Float64Array, from: number, to: number): void {
  const s = trig.sin;
  const c = trig.cos;
  for (let row = 0; row < 9; row += 3) {
    const x = f[from + row]!;
    const z = f[from + row + 2]!;
    f[to + row] = x * c + z * s;
    f[to + row + 1] = f[from + row + 1]!;
    f[to + row + 2] = z * c - x * s;
  }
}

function placeOrigin(f: Float64Array, from: number, to: number, x: number, z: number): void {
  f[to + 9] = f[from + 9]! + f[from]! * x + f[from + 2]! * z;
  f[to + 10] = f[from + 10]! + f[from + 3]! * x + f[from + 5]! * z;
  f[to + 11] = f[from + 11]! + f[from + 6]! * x + f[from + 8]! * z;
}

/**
 * Writes the world frames of base, links and flange for joint angles `q` (rad, from `at`) into
 * `frames` (of `createFrames`). No allocation.
 */
export function forward(q: Numbers, frames: Float64Array, at = 0): void {
  for (let j = 0; j < 6; j++) {
    const from = j * FRAME_SIZE;
    const to = from + FRAME_SIZE;
    const offset = OFFSETS_M[j]!;
    placeOrigin(frames, from, to, offset[0]!, offset[2]!);
    sincos(q[at + j]!);
    if (TURNS_ABOUT_Z[j]) turnAboutZ(frames, from, to);
    else turnAboutMinusY(frames, from, to);
  }
  const last = 6 * FRAME_SIZE;
  const flange = FLANGE_FRAME * FRAME_SIZE;
  for (let i = 0; i < 9; i++) frames[flange + i] = frames[last + i]!;
  placeOrigin(frames, last, flange, 0, FLANGE_M);
}
