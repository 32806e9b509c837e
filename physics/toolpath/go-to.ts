/**
 * The motion of go_to, outside toolpaths. Checked like the segments of a toolpath, but a problem is
 * a refusal. §4.5; D23, D24.
 */

import { limits } from '../../contract/limits.ts';
import type { MotionError } from '../../contract/motion-errors.ts';
import type { AvoidanceZone, RunMode, TcpConfig } from '../../contract/types.generated.ts';
import type { ArmRange } from '../arm/arm-range.ts';
import { boundaryProblem, type MotionProblem } from '../motion/motion-problem.ts';
import type { MotionTiming } from '../motion/motion-timing.ts';
import type { Segment, SegmentPlan } from '../motion/segment.ts';
import type { MotionSpec, MotionTarget } from './ir.ts';
import { planSegment } from './plan-segment.ts';
import { createPlanningScene, type PlanningScene } from './planning-scene.ts';
import { speedCap_m_s } from './speed-cap.ts';

/** Request of a straight joint motion from the current pose. */
export interface GoToRequest {
  /** Joint angles where the arm is or will come to rest (rad). */
  readonly start: ArrayLike<number>;
  readonly joints: ArrayLike<number>;
  readonly mode: RunMode;
  /** Duration (s); excludes max_speed. */
  readonly time?: number | undefined;
  /** Tool speed (m/s), 0.25 by default; clamped to the mode's cap. */
  readonly max_speed?: number | undefined;
  readonly tcp_config?: TcpConfig | undefined;
  readonly avoidance_zones?: readonly AvoidanceZone[] | undefined;
  /** Payload that the arm carries (kg): that of the loaded toolpath. */
  readonly payload?: number | undefined;
  /** Timing of the arm's planner; null or absent: that of the model. */
  readonly timing?: MotionTiming | null | undefined;
  /** Range of the arm's joints; null or absent: that of the model. */
  readonly range?: ArmRange | null | undefined;
  /** `linear` for a straight line of the tool; joint_space by default. Not for a `time`. */
  readonly trajectory?: 'joint_space' | 'linear' | undefined;
}

export type GoToResult =
  | { readonly ok: true; readonly segment: Segment }
  | {
      readonly ok: false;
      readonly code: MotionError;
      /** JSON pointer of the field of the call to change. */
      readonly path: string;
      readonly message: string;
      /** Shortest duration of the motion (s), where the requested one was shorter. */
      readonly minimum_time_s?: number;
    };

function targetAt(joints: ArrayLike<number>): MotionTarget {
  return { joints: Float64Array.from(joints), waypoint: -1, problem: null };
}

function result(plan: SegmentPlan): GoToResult {
  if (plan.kind === 'impossible') return refusal(plan.problem, null);
  const { segment } = plan;
  return segment.problem ? refusal(segment.problem, segment) : { ok: true, segment };
}

function refusal({ code, message }: MotionProblem, segment: Segment | null): GoToResult {
  if (code === 'time_too_short' && segment) {
    const { minimum_time_s } = segment;
    return { ok: false, code, path: '/time', message, minimum_time_s };
  }
  return { ok: false, code, path: '/joints', message };
}

interface Ends {
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
  readonly mode: RunMode;
}

/** Plans and checks a motion from rest to rest. */
export function planBetween(
  ends: Ends,
  motion: MotionSpec,
  planningScene: PlanningScene,
): GoToResult {
  const start = targetAt(ends.start);
  const target = targetAt(ends.end);
  // A goal outside the limits takes precedence over collisions on the path.
  const outside = boundaryProblem(target.joints, planningScene.range);
  if (outside) return refusal(outside, null);
  const request = { start, target, via: [], motion, leaving: true };
  return result(planSegment(request, planningScene, speedCap_m_s(ends.mode)));
}

/**
 * Plans and checks a go_to. Refused with a motion error when the goal is outside the joint limits,
 * when the path collides, or when `time` is shorter than the motion takes in automatic mode. A
 * `time` that only the speed cap of teach mode makes too short is extended to that cap (D24).
 */
export function planGoTo(request: GoToRequest): GoToResult {
  const { start, joints, mode, time } = request;
  const ends = { start, end: joints };
  const scene = createPlanningScene(request);
  if (time === undefined) {
    const tool_speed_m_s = request.max_speed ?? limits.speed_go_to_default_m_per_s;
    const motion = { ...freeMotion(tool_speed_m_s), kind: request.trajectory ?? 'joint_space' };
    return planBetween({ ...ends, mode }, motion, scene);
  }
  const timed = { ...freeMotion(limits.speed_automatic_m_per_s), time_s: time };
  const plan = planBetween({ ...ends, mode }, timed, scene);
  if (plan.ok || mode === 'automatic' || plan.code !== 'time_too_short') return plan;
  const automatic = planBetween({ ...ends, mode: 'automatic' }, timed, scene);
  return automatic.ok
    ? planBetween({ ...ends, mode }, freeMotion(speedCap_m_s(mode)), scene)
    : automatic;
}

/** A joint_space motion as fast as its tool speed (m/s) allows. */
export function freeMotion(tool_speed_m_s: number): MotionSpec {
  return { kind: 'joint_space', time_s: null, tool_speed_m_s };
}
