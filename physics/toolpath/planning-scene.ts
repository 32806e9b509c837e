/**
 * What the segments of a build or of a call are planned with: tool, collision scene, payload,
 * timing and joint range.
 */

import type { AvoidanceZone } from '../../contract/types.generated.ts';
import { type ArmRange, MODEL_RANGE } from '../arm/arm-range.ts';
import { type CollisionScene, createCollisionScene } from '../collision/scene.ts';
import { createTool, type Tool, type ToolConfiguration } from '../kinematics/tool.ts';
import type { MotionTiming } from '../motion/motion-timing.ts';

/** Planning scene: the tool, the collision scene, the payload, and the arm's timing and range. */
export interface PlanningScene {
  readonly tool: Tool;
  readonly scene: CollisionScene;
  readonly payload_kg: number;
  readonly timing: MotionTiming | null;
  readonly range: ArmRange;
}

/** Fields of metadata and calls that define a planning scene (§2.6, §2.7). */
export interface PlanningSceneOptions {
  readonly tcp_config?: ToolConfiguration | undefined;
  readonly avoidance_zones?: readonly AvoidanceZone[] | undefined;
  readonly payload?: number | undefined;
  /** Timing of the arm's planner; null or absent: that of the model. */
  readonly timing?: MotionTiming | null | undefined;
  /** Range of the arm's joints; null or absent: that of the model. */
  readonly range?: ArmRange | null | undefined;
}

/**
 * Compiles tool and zones for planning; scratch space of one thread, like the collision scene in
 * it.
 */
export function createPlanningScene(request: PlanningSceneOptions): PlanningScene {
  const tool = createTool(request.tcp_config);
  const [x, y, z] = tool.offset_m;
  const offsets = { x: x!, y: y!, z: z! };
  const scene = createCollisionScene({
    tool: { offsets, radius: tool.radius_m },
    zones: request.avoidance_zones ?? [],
  });
  const { payload: payload_kg = 0, timing = null, range } = request;
  return { tool, scene, payload_kg, timing, range: range ?? MODEL_RANGE };
}
