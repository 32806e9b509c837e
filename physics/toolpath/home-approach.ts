/**
 * The approach to the home waypoint of a toolpath, with which every run starts and which `home`
 * makes (D28). §4.5.
 */

import type { RunMode, ToolpathMetadata } from '../../contract/types.generated.ts';
import type { ArmRange } from '../arm/arm-range.ts';
import type { MotionTiming } from '../motion/motion-timing.ts';
import { freeMotion, type GoToResult, planBetween } from './go-to.ts';
import { createPlanningScene } from './planning-scene.ts';

/** Request of the motion to a toolpath's home waypoint. */
export interface ApproachRequest {
  readonly start: ArrayLike<number>;
  /** Joint angles of the home waypoint (rad). */
  readonly home: ArrayLike<number>;
  readonly mode: RunMode;
  readonly metadata: Pick<
    ToolpathMetadata,
    'default_max_speed' | 'tcp_config' | 'avoidance_zones' | 'payload'
  >;
  readonly timing?: MotionTiming | null | undefined;
  /** Range of the arm's joints; null or absent: that of the model. */
  readonly range?: ArmRange | null | undefined;
}

/** Plans and checks the motion to the home waypoint, with the toolpath's own tool and zones. */
export function planApproach(request: ApproachRequest): GoToResult {
  const { start, home, mode, metadata, timing, range } = request;
  const motion = freeMotion(metadata.default_max_speed);
  const scene = createPlanningScene({ ...metadata, timing, range });
  return planBetween({ start, end: home, mode }, motion, scene);
}
