/**
 * A segment in a trajectory reply: setpoints at 100 Hz, the first and the last included, each with
 * its result. A valid segment is valid at every setpoint; a faulty one is checked setpoint by
 * setpoint. §2.3; D21, D23.
 */

import { limits } from '../../contract/limits.ts';
import type { MotionError } from '../../contract/motion-errors.ts';
import type { SegmentItem, TrajectorySetpoint } from '../../contract/types.generated.ts';
import { checkPose } from '../collision/pose-check.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { boundaryProblem, type MotionProblem } from '../motion/motion-problem.ts';
import { jointLimitsOf } from '../motion/motion-timing.ts';
import type { Segment, SegmentPlan } from '../motion/segment.ts';
import { countSetpoints, emitSetpoints } from '../motion/setpoints.ts';
import type { MotionTarget } from './ir.ts';
import type { PlanningScene } from './planning-scene.ts';

const frames = createFrames();

/** Number of setpoints of a profile of this duration. */
export function setpointCount(duration_s: number): number {
  return countSetpoints(duration_s, limits.setpoint_period_s);
}

/** A segment at rest: a transition without motion. */
export function restItem(target: MotionTarget): SegmentItem {
  const setpoints: TrajectorySetpoint[] = [{ result: 'success', joints: [...target.joints] }];
  return { type: 'segment', result: true, setpoints, waypoints: [target.waypoint] };
}

/** The reply segment of a plan that starts at `start`; `waypoints` as the reply names them. */
export function segmentItem(
  plan: SegmentPlan,
  start: MotionTarget,
  about: { readonly waypoints: number[]; readonly planningScene: PlanningScene },
): SegmentItem {
  const { waypoints, planningScene } = about;
  const setpoints =
    plan.kind === 'impossible'
      ? [badSetpoint(plan.problem.code, start.joints)]
      : listSetpoints(plan.segment, planningScene);
  const result = setpoints.every((setpoint) => setpoint.result === 'success');
  return { type: 'segment', result, setpoints, waypoints };
}

function badSetpoint(error: MotionError, joints: Float64Array): TrajectorySetpoint {
  return { result: 'error', error, joints: [...joints] };
}

function listSetpoints(segment: Segment, planningScene: PlanningScene): TrajectorySetpoint[] {
  const { tool, payload_kg, timing } = planningScene;
  const { problem } = segment;
  const { count, joints, errors } = emitSetpoints(segment, limits.setpoint_period_s, {
    tool_speed_m_s: limits.speed_automatic_m_per_s,
    tool_offset_m: [...tool.offset_m],
    payload_kg,
    limits: jointLimitsOf(timing),
  });
  const out: TrajectorySetpoint[] = [];
  for (let i = 0; i < count; i++) {
    const code =
      errors.get(i) ??
      (problem && setpointError(joints.subarray(6 * i, 6 * i + 6), problem, planningScene));
    const listed = jointsAt(joints, i);
    if (code) out.push({ result: 'error', error: code, joints: listed });
    else out.push({ result: 'success', joints: listed });
  }
  return out;
}

/** Explicit elements: spreading typed arrays is the most expensive part of a reply. */
function jointsAt(joints: Float64Array, i: number): number[] {
  const k = 6 * i;
  return [
    joints[k]!,
    joints[k + 1]!,
    joints[k + 2]!,
    joints[k + 3]!,
    joints[k + 4]!,
    joints[k + 5]!,
  ];
}

/** The error of a pose of a faulty plan, apart from the position of its problem. */
function setpointError(
  q: Float64Array,
  problem: MotionProblem,
  planningScene: PlanningScene,
): MotionError | null {
  const boundary = boundaryProblem(q, planningScene.range);
  if (boundary) return boundary.code;
  if (!problem.code.endsWith('_collision')) return null;
  forward(q, frames);
  return checkPose(planningScene.scene, frames)?.code ?? null;
}
