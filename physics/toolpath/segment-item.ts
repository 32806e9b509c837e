/**
 * One leg as a reply shows it: setpoints at 100 Hz, the first and the last included, each with its
 * verdict. A sound leg is sound at every setpoint; a faulty one is judged setpoint by setpoint.
 * Spec §2.3; decisions D21, D23.
 */
import { limits } from '../../contract/limits.ts';
import type { MotionError } from '../../contract/motion-errors.ts';
import type { SegmentItem, TrajectorySetpoint } from '../../contract/types.ts';
import { checkPose } from '../collision/pose-check.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { boundaryProblem, type MotionProblem, type Segment } from '../motion/segment.ts';
import { countSetpoints, emitSetpoints } from '../motion/setpoints.ts';
import type { Leg, Surroundings } from './leg.ts';
import type { Target } from './nodes.ts';

const frames = createFrames();

/** Setpoints that a profile of this duration has. */
export function setpointCount(duration_s: number): number {
  return countSetpoints(duration_s, limits.setpoint_period_s);
}

/** A motion that stays where it is: a transition with nothing to move. */
export function restItem(place: Target): SegmentItem {
  const setpoints: TrajectorySetpoint[] = [{ result: 'success', joints: [...place.joints] }];
  return { type: 'segment', result: true, setpoints, waypoints: [place.waypoint] };
}

/** The segment of a leg that starts at `start`; `waypoints` as the reply names them. */
export function segmentItem(
  leg: Leg,
  start: Target,
  about: { readonly waypoints: number[]; readonly surroundings: Surroundings },
): SegmentItem {
  const { waypoints, surroundings } = about;
  const setpoints =
    leg.kind === 'impossible'
      ? [badSetpoint(leg.problem.code, start.joints)]
      : listSetpoints(leg.segment, surroundings);
  const result = setpoints.every((setpoint) => setpoint.result === 'success');
  return { type: 'segment', result, setpoints, waypoints };
}

function badSetpoint(error: MotionError, joints: Float64Array): TrajectorySetpoint {
  return { result: 'error', error, joints: [...joints] };
}

function listSetpoints(segment: Segment, around: Surroundings): TrajectorySetpoint[] {
  const { tool, payload_kg } = around;
  const { problem } = segment;
  const { count, joints, errors } = emitSetpoints(segment, limits.setpoint_period_s, {
    tool_speed_m_s: limits.speed_automatic_m_per_s,
    tool_offset_m: [...tool.offset_m],
    payload_kg,
  });
  const out: TrajectorySetpoint[] = [];
  for (let i = 0; i < count; i++) {
    const code =
      errors.get(i) ?? (problem && judge(joints.subarray(6 * i, 6 * i + 6), problem, around));
    const listed = jointsAt(joints, i);
    if (code) out.push({ result: 'error', error: code, joints: listed });
    else out.push({ result: 'success', joints: listed });
  }
  return out;
}

/** Written out: spreading typed arrays is the dearest part of a reply. */
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

/** What is wrong with a pose of a leg that has a problem, beyond the place of that problem. */
function judge(
  q: Float64Array,
  problem: MotionProblem,
  surroundings: Surroundings,
): MotionError | null {
  const boundary = boundaryProblem(q);
  if (boundary) return boundary.code;
  if (!problem.code.endsWith('_collision')) return null;
  forward(q, frames);
  return checkPose(surroundings.scene, frames)?.code ?? null;
}
