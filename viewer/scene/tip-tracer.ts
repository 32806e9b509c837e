/** Traces the tool tip between two drawn poses for the trail. */

import { Vector3 } from 'three';
import { createPoseReader, POSE_SIZE, type Tool, toolPose } from '../../physics/kinematics/tool.ts';
import type { Trail } from './trail.ts';

const STEP_MS = 20;
const BACK_MS = 600;

/** Joint angles (rad) as drawn at a time. */
type PoseAt = (now_ms: number) => { readonly joints: Float64Array };

interface TipTracer {
  /** Adds the tip positions since the last frame; returns true if the trail changed. */
  advance(now_ms: number, tool: Tool): boolean;
  /** Begins a new trail at a time. */
  restart(now_ms: number): void;
}

const pose = new Float64Array(POSE_SIZE);

/** Tool tip (m) at the pose of `frames` (layout of `forward`). */
export function tipOfFrames(frames: Float64Array, tool: Tool): Vector3 {
  toolPose(frames, tool, pose);
  return new Vector3(pose[9], pose[10], pose[11]);
}

/**
 * Creates a tracer for the arm whose poses `poseAt` returns. The trail ages in the time of the arm,
 * of which so much passes in a second as `pace` says: none while its clock stands.
 */
export function createTipTracer(poseAt: PoseAt, trail: Trail, pace: () => number): TipTracer {
  const readPose = createPoseReader();
  let traced_ms = 0;
  let arm_ms = 0;
  return {
    advance(now_ms, tool) {
      const factor = pace();
      let changed = false;
      let at_ms = Math.min(Math.max(traced_ms, now_ms - BACK_MS), now_ms);
      arm_ms += (at_ms - traced_ms) * factor;
      while (at_ms < now_ms) {
        const step_ms = Math.min(STEP_MS, now_ms - at_ms);
        at_ms += step_ms;
        arm_ms += step_ms * factor;
        const at = readPose(poseAt(at_ms).joints, tool);
        changed = trail.add([at[9]!, at[10]!, at[11]!], arm_ms) || changed;
      }
      traced_ms = now_ms;
      return changed;
    },
    restart(now_ms) {
      traced_ms = now_ms;
      trail.clear();
    },
  };
}
