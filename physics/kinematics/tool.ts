/**
 * The tool point: `tcp_config` relative to the flange (§2.6, D20). A pose has twelve numbers like a
 * frame: rotation row-major, then position (m). Calls, planning and checks refer to the tool point,
 * the chain ends at the flange.
 */

import { fixedAxisRotation, multiplyMatrices } from '../math/rotation.ts';
import type { Numbers } from '../math/vector.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from './forward.ts';

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

/** Pose of the tool at joints `q`. */
export function toolPoseAt(q: Float64Array, tool: Tool): Float64Array {
  const frames = createFrames();
  const pose = new Float64Array(POSE_SIZE);
  forward(q, frames);
  toolPose(frames, tool, pose);
  return pose;
}
