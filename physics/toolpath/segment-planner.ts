/**
 * Plans the segments of one build, each distinct one once: grid cells, step variants after an `if`
 * and the trajectory reply request the same motions. Also plans the second timing for teach mode,
 * and counts the work of a build in units instead of seconds, so that the same toolpath ends the
 * same way on any machine (D16: over the budget, a hard error). D22, D24.
 */
import { limits } from '../../contract/limits.ts';
import { retime } from '../motion/retime.ts';
import type { MotionProblem, Segment, SegmentPlan } from '../motion/segment.ts';
import type { TimeProfile } from '../motion/time-profile.ts';
import type { MotionSpec, MotionTarget } from './ir.ts';
import {
  motionCapsOf,
  type PlanningScene,
  planSegment,
  type SegmentRequest,
} from './plan-segment.ts';
import type { PlannedMove } from './program.ts';

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
