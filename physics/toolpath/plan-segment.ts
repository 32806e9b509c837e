/**
 * Plans one segment of a toolpath or of a call and checks it against limits and collisions;
 * reports the earliest problem on its path. Builds, go_to and approaches share it, so they refuse
 * for the same reasons. §2.2, §2.4; D22 to D25.
 */

import { checkPath } from '../collision/path-check.ts';
import type { CurveMoveRequest } from '../motion/curve-move.ts';
import { planJointMove } from '../motion/joint-move.ts';
import { planLinearMove } from '../motion/linear-move.ts';
import type { MotionCaps } from '../motion/motion-caps.ts';
import { boundaryProblem } from '../motion/motion-problem.ts';
import type { Segment, SegmentPlan } from '../motion/segment.ts';
import { planSplineMove } from '../motion/spline-move.ts';
import type { MotionSpec, MotionTarget } from './ir.ts';
import type { PlanningScene } from './planning-scene.ts';

/** Request of one segment. */
export interface SegmentRequest {
  readonly start: MotionTarget;
  readonly target: MotionTarget;
  /** Waypoints to pass through; only splines use them (D21). */
  readonly via: readonly MotionTarget[];
  readonly motion: MotionSpec;
  /** The arm is already at the start, which may be outside its limits. */
  readonly leaving?: boolean;
}

/** Tool speed and duration of a motion under a mode's cap (m/s; D24). */
export function motionCapsOf(
  motion: MotionSpec,
  cap_m_s: number,
  { tool, payload_kg, timing }: PlanningScene,
): MotionCaps {
  const [x, y, z] = tool.offset_m;
  return {
    tool_speed_m_s: Math.min(motion.tool_speed_m_s, cap_m_s),
    tool_offset_m: [x!, y!, z!],
    payload_kg,
    timing,
    ...(motion.time_s === null ? {} : { time_s: motion.time_s }),
  };
}

/**
 * Plans one segment under a mode's speed cap (m/s) and checks it: its own limits, then collisions.
 * Reports the first problem on the path. Deterministic.
 */
export function planSegment(
  request: SegmentRequest,
  planningScene: PlanningScene,
  cap_m_s: number,
): SegmentPlan {
  const { start, target, motion } = request;
  if (target.problem) return { kind: 'impossible', problem: target.problem };
  const caps = motionCapsOf(motion, cap_m_s, planningScene);
  const waypoints = [start.waypoint, target.waypoint];
  const { range } = planningScene;
  const ends = { start: start.joints, end: target.joints, caps, waypoints, range };
  const plan = planPath(motion.kind, ends, request.via);
  if (plan.kind === 'impossible') return plan;
  const beginning = request.leaving ? null : boundaryProblem(start.joints, range);
  const problem = beginning ? { ...beginning, s: 0 } : plan.segment.problem;
  return { kind: 'planned', segment: withCollision({ ...plan.segment, problem }, planningScene) };
}

function planPath(
  kind: MotionSpec['kind'],
  ends: CurveMoveRequest,
  via: readonly MotionTarget[],
): SegmentPlan {
  if (kind === 'joint_space') return { kind: 'planned', segment: planJointMove(ends) };
  if (kind === 'linear') return planLinearMove(ends);
  return planSplineMove({ ...ends, through: via.map((target) => target.joints) });
}

/**
 * The segment with a collision as its problem, where that comes before its own, which it then names
 * too: who writes degrees for radians looks for the collision in vain.
 */
function withCollision(segment: Segment, planningScene: PlanningScene): Segment {
  const found = checkPath(planningScene.scene, segment.path);
  if (!found || (segment.problem && segment.problem.s <= found.s)) return segment;
  const { code, message } = found.hit;
  const behind = segment.problem ? ` Behind it: ${segment.problem.message}` : '';
  return { ...segment, problem: { code, s: found.s, message: message + behind } };
}
