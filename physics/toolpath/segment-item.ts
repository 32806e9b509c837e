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
import { boundaryProblem } from '../motion/joint-move.ts';
import { createPathSample, samplePath } from '../motion/path.ts';
import type { MotionProblem, Segment } from '../motion/segment.ts';
import { createProfilePoint, sampleProfile } from '../motion/time-profile.ts';
import type { Leg, Surroundings } from './leg.ts';
import type { Target } from './nodes.ts';

const point = createProfilePoint();
const sample = createPathSample();
const frames = createFrames();

/** Setpoints that a profile of this duration has. */
export function setpointCount(duration_s: number): number {
  return Math.ceil(duration_s / limits.setpoint_period_s - ROUNDING) + 1;
}

/** Durations that are whole periods but for rounding get no setpoint twice. */
const ROUNDING = 1e-9;

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

function listSetpoints(segment: Segment, surroundings: Surroundings): TrajectorySetpoint[] {
  const { path, profile, problem } = segment;
  const count = setpointCount(profile.duration_s);
  const out: TrajectorySetpoint[] = [];
  let unmarked = problem;
  for (let i = 0; i < count; i++) {
    const t_s = i === count - 1 ? profile.duration_s : i * limits.setpoint_period_s;
    sampleProfile(profile, t_s, point);
    samplePath(path, point.s, sample);
    const reached = unmarked !== null && (point.s >= unmarked.s || i === count - 1);
    const code = problem && ((reached && unmarked?.code) || judge(problem, surroundings));
    if (reached) unmarked = null;
    out.push(code ? badSetpoint(code, sample.q) : { result: 'success', joints: [...sample.q] });
  }
  return out;
}

/** What is wrong with the pose in `sample`, on a leg that has a problem. */
function judge(problem: MotionProblem, surroundings: Surroundings): MotionError | null {
  const boundary = boundaryProblem(sample.q);
  if (boundary) return boundary.code;
  if (!problem.code.endsWith('_collision')) return null;
  forward(sample.q, frames);
  return checkPose(surroundings.scene, frames)?.code ?? null;
}
