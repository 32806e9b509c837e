import { createTool, type Tool } from '../kinematics/tool.ts';
import type { MotionTiming } from './motion-timing.ts';

/** Speed caps and requested time of a motion. */
export interface MotionCaps {
  /** Tool speed limit (m/s), already clamped to the mode's cap. */
  readonly tool_speed_m_s: number;
  /** Requested duration (s), or undefined for the fastest motion within the limits. */
  readonly time_s?: number;
  /** Tool point in the flange frame (m). */
  readonly tool_offset_m: readonly [number, number, number];
  /** Payload at the flange (kg), which the energy limits count; 0 when absent. */
  readonly payload_kg?: number;
  /** Timing of the arm's planner; that of the model when absent. */
  readonly timing?: MotionTiming | null;
}

/** The tool of the caps; its own rotation is left out because no geodesic depends on it. */
export function toolOf(caps: MotionCaps): Tool {
  const [x, y, z] = caps.tool_offset_m;
  return createTool({ offsets: { x, y, z } });
}
