/**
 * Where the tool tip has been since the last frame, fed into the trail in even steps of time, so
 * that slow frames leave no corners. Apart from the stage, which only says when a frame is due.
 */
import { Vector3 } from 'three';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import { POSE_SIZE, type Tool, toolPose } from '../../physics/kinematics/tool.ts';
import type { Trail } from './trail.ts';

const STEP_MS = 20;
const BACK_MS = 600;

/** Joint angles (rad) as they were drawn at a time. */
type PoseAt = (now_ms: number) => { readonly joints: Float64Array };

export interface TipTrace {
  /** Adds the tip's way since the last frame, however long ago that was; true if it changed. */
  advance(now_ms: number, tool: Tool): boolean;
}

const pose = new Float64Array(POSE_SIZE);

/** The tip (m) of a tool at the pose of `frames` (of `forward`). */
export function tipOf(frames: Float64Array, tool: Tool): Vector3 {
  toolPose(frames, tool, pose);
  return new Vector3(pose[9], pose[10], pose[11]);
}

/** A trace of the tip of the arm whose poses `poseAt` tells. */
export function createTipTrace(poseAt: PoseAt, trail: Trail): TipTrace {
  const frames = createFrames();
  let traced_ms = 0;
  return {
    advance(now_ms, tool) {
      let changed = false;
      for (let at_ms = Math.max(traced_ms, now_ms - BACK_MS); at_ms < now_ms; ) {
        at_ms = Math.min(at_ms + STEP_MS, now_ms);
        forward(poseAt(at_ms).joints, frames);
        const { x, y, z } = tipOf(frames, tool);
        changed = trail.add([x, y, z], at_ms) || changed;
      }
      traced_ms = now_ms;
      return changed;
    },
  };
}
