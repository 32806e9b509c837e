/**
 * Plans the segments of one build, each distinct one once: grid cells, step variants after an `if`
 * and the trajectory reply request the same motions. Also plans the second timing for teach mode,
 * and counts the work of a build in units instead of seconds, so that the same toolpath ends the
 * same way on any machine (D16: over the budget, a hard error). D22, D24. Also: new timings for an
 * existing path.
 */

import { limits } from '../../contract/limits.ts';
import { dilateProfile, type TimeProfile } from '../motion/jerk-phases.ts';
import type { MotionLimits } from '../motion/limits.ts';
import {
  createPathSample,
  type JointPath,
  type MotionCaps,
  type MotionProblem,
  NO_TRAVEL_RAD,
  restSegment,
  type Segment,
  type SegmentPlan,
  samplePath,
} from '../motion/segment.ts';
import { timePath } from '../motion/time-path.ts';
import type { MotionSpec, MotionTarget } from './ir.ts';
import {
  motionCapsOf,
  type PlanningScene,
  planSegment,
  type SegmentRequest,
} from './plan-segment.ts';
import type { PlannedMove } from './program.ts';

/**
 * New timings for an existing path: the whole path under other caps, for a toolpath built at
 * automatic speed and run in teach mode (D24), and the rest of the path after a pause, from rest at
 * s to rest at the end, on the same path object so that s keeps its meaning (§3: resume).
 */

/** Position of the pause and the caps of the rest. */
export interface ResumeRequest {
  readonly path: JointPath;
  /** Position on the path, at rest. */
  readonly s: number;
  /** Caps; the requested time was for the whole motion and is ignored. */
  readonly caps: MotionCaps;
  readonly waypoints?: readonly number[];
  readonly limits?: MotionLimits;
}

/** The fastest motion from rest at `s` to the end of the path; its profile starts at `s`. */
export function planResume(request: ResumeRequest): Segment {
  const { path, s, caps } = request;
  const waypoints = request.waypoints ?? [];
  if (remainingTravel(path, s) <= NO_TRAVEL_RAD) return restSegment(path, waypoints, null);
  const limits = request.limits ? { limits: request.limits } : {};
  const { profile, minimum_time_s } = timePath({ path, caps, from_s: s, ...limits });
  return { path, profile, waypoints, problem: null, warnings: [], minimum_time_s };
}

/**
 * Joint travel of the rest, from joint rates: a path may turn back on itself, so its end pose does
 * not show travel.
 */
function remainingTravel(path: JointPath, s: number): number {
  const sample = createPathSample();
  samplePath(path, s, sample);
  return (1 - s) * sample.q1.reduce((most, rate) => Math.max(most, Math.abs(rate)), 0);
}

/**
 * Re-times a segment for `caps`. Keeps a requested time where the caps allow it and exceeds it
 * otherwise: a slower mode is no fault of the toolpath. Problem and warnings stay.
 */
export function retime(segment: Segment, caps: MotionCaps, limits?: MotionLimits): Segment {
  const { path, waypoints, problem } = segment;
  if (segment.minimum_time_s === 0) return restSegment(path, waypoints, problem);
  const timing = timePath({ path, caps, ...(limits ? { limits } : {}) });
  const stretch = Math.max(1, (caps.time_s ?? 0) / timing.minimum_time_s);
  return {
    ...segment,
    profile: dilateProfile(timing.profile, stretch),
    minimum_time_s: timing.minimum_time_s,
  };
}

/** Message of a build that exceeds its budget. */
export const OVER_BUDGET = 'exceeds the planning budget of one toolpath; split the toolpath';

/** Work units per operation; a unit is about a microsecond of planning on a small machine. */
export const WORK_COSTS = {
  node: 100,
  joint_space: 60,
  linear: 2_500,
  spline: 12_000,
  setpoint: 2,
} as const;

/** About a minute of planning: far more than any hand-taught toolpath needs. */
export const DEFAULT_WORK_BUDGET = 60_000_000;

export class WorkBudget {
  private left: number;

  constructor(units: number) {
    this.left = units;
  }

  /** Subtracts `units`; false once the budget is exceeded, permanently. */
  spend(units: number): boolean {
    this.left -= units;
    return this.left >= 0;
  }
}

/** Durations closer than this are equal (s). */
const SLACK_S = 1e-9;

function slowerInTeach(time_s: number, teach_s: number): MotionProblem {
  const message =
    `The requested ${time_s} s need a higher tool speed than teach mode allows; ` +
    `in teach mode the motion takes ${teach_s.toFixed(3)} s.`;
  return { code: 'time_too_short_switched_to_min_time', s: 0, message };
}

interface NumberedPose {
  readonly joints: Float64Array;
  readonly number: number;
}

const POSE_WEIGHTS = [1, 7.3, 53.1, 389, 2837, 20_717];

export class SegmentPlanner {
  readonly planningScene: PlanningScene;
  private readonly budget: WorkBudget;
  private readonly plans = new Map<string, SegmentPlan>();
  private readonly moves = new Map<SegmentPlan, PlannedMove>();
  private readonly numbers = new Map<MotionTarget, number>();
  /** Poses by a weighted sum of their joints, which equal poses share. */
  private readonly poses = new Map<number, readonly NumberedPose[]>();
  private poseCount = 0;

  private readonly withProgram: boolean;

  /** `withProgram`: the caller also needs the moves, so their teach timing counts as work. */
  constructor(planningScene: PlanningScene, budget: WorkBudget, withProgram: boolean) {
    this.planningScene = planningScene;
    this.budget = budget;
    this.withProgram = withProgram;
  }

  /** Number of a pose; equal for equal joint angles, whichever waypoint names them. */
  poseNumber(target: MotionTarget): number {
    const known = this.numbers.get(target);
    if (known !== undefined) return known;
    const number = this.findPose(target.joints);
    this.numbers.set(target, number);
    return number;
  }

  private findPose(joints: Float64Array): number {
    let sum = 0;
    for (let j = 0; j < 6; j++) sum += POSE_WEIGHTS[j]! * joints[j]!;
    const alike = this.poses.get(sum) ?? [];
    const known = alike.find((pose) => pose.joints.every((angle, j) => angle === joints[j]));
    if (known) return known.number;
    this.poses.set(sum, [...alike, { joints, number: this.poseCount }]);
    return this.poseCount++;
  }

  /** Plans a segment at the automatic cap; null once the budget is exceeded. */
  plan(request: SegmentRequest): SegmentPlan | null {
    if (request.target.problem) return { kind: 'impossible', problem: request.target.problem };
    const key = this.requestKey(request);
    let plan = this.plans.get(key) ?? null;
    if (!plan) {
      const cost = WORK_COSTS[request.motion.kind];
      if (!this.budget.spend(this.withProgram ? 2 * cost : cost)) return null;
      plan = planSegment(request, this.planningScene, limits.speed_automatic_m_per_s);
      this.plans.set(key, plan);
    }
    return plan;
  }

  /** The move that the robot plays, with its teach timing; null for a faulty plan. */
  move({ motion }: SegmentRequest, plan: SegmentPlan): PlannedMove | null {
    if (!this.withProgram || plan.kind === 'impossible' || plan.segment.problem) return null;
    let move = this.moves.get(plan);
    if (!move) {
      const { path, profile } = plan.segment;
      const { tool_speed_m_s } = motion;
      move = {
        path,
        automatic: profile,
        teach: this.teachProfile(plan.segment, motion),
        tool_speed_m_s,
      };
      this.moves.set(plan, move);
    }
    return move;
  }

  /** Warnings about a valid plan; call `move` for it first. */
  warnings({ motion }: SegmentRequest, plan: SegmentPlan): readonly MotionProblem[] {
    if (plan.kind === 'impossible') return [];
    const { warnings } = plan.segment;
    const teach_s = this.moves.get(plan)?.teach.duration_s ?? 0;
    if (motion.time_s === null || teach_s <= motion.time_s + SLACK_S) return warnings;
    return [...warnings, slowerInTeach(motion.time_s, teach_s)];
  }

  private teachProfile(segment: Segment, motion: MotionSpec): TimeProfile {
    const cap_m_s = limits.speed_teach_m_per_s;
    const slow = motion.time_s === null && motion.tool_speed_m_s <= cap_m_s;
    if (slow) return segment.profile;
    return retime(segment, motionCapsOf(motion, cap_m_s, this.planningScene)).profile;
  }

  private requestKey({ start, target, via, motion }: SegmentRequest): string {
    const poses = [start, ...via, target].map((each) => this.poseNumber(each)).join('>');
    return `${motion.kind} ${motion.time_s ?? ''} ${motion.tool_speed_m_s} ${poses}`;
  }
}
